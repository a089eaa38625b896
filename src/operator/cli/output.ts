import { once } from 'node:events';
import { hasCode, messageOf } from '../../core/errors.js';
import { asTyped } from '../../process/installation.js';
import { type Progress, progressOn } from './progress.js';

/**
 * Characters that a terminal executes, reorders or hides: control characters (JSON does not escape those from U+007F
 * on), direction marks and other invisible ones, line separators, halves of surrogate pairs.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (found: string): string =>
  found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Escapes foreign text for one line, so that it cannot move the cursor, begin a new line, or look like other text. It
 * is escaped as in JSON, so that JSON stays valid.
 */
export const harmless = (text: string): string => text.replace(UNFIT, escaped);

/** As `harmless`, for a text with our own line ends. */
export const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

/** Prints a text, which may contain foreign text, and a line end. */
export const print = (text: string, stream: NodeJS.WritableStream = process.stdout): void =>
  void stream.write(`${harmlessLines(text)}\n`);

/** Codes of errors if the reader of a pipe (`| head`) or the terminal is closed. */
const UNREAD = ['EPIPE', 'EIO'];

const isUnread = (error: unknown): boolean => UNREAD.some((code) => hasCode(error, code));

/**
 * Lets a command continue if its output cannot be written, so that its work is not cut off in the middle. It is no
 * failure if the reader has ended; for any other reason, such as a full disk, the command exits with 1.
 */
export const continueUnread = (...streams: readonly NodeJS.WritableStream[]): void => {
  let isReported = false;
  for (const stream of streams)
    stream.on('error', (error) => {
      if (isUnread(error)) return;
      process.exitCode = 1;
      if (!isReported) print(`Not all of the output could be written: ${messageOf(error)}.`, process.stderr);
      isReported = true;
    });
};

/** A count with its noun: `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Where a command prints what is not its answer. */
export interface Screen {
  readonly progress: Progress;
  /** Prints a line. */
  readonly say: (line: string) => void;
}

/** With `--json`, standard output is for JSON only. */
export const screenFor = (json: true | undefined): Screen => {
  const stream = json ? process.stderr : process.stdout;
  return { progress: progressOn(stream), say: (line) => print(asTyped(harmless(line)), stream) };
};

/** Prints a command's answer: one JSON value for machines, else lines, which may contain foreign text. */
export const answer = (json: true | undefined, value: unknown, lines: () => readonly string[]): void => {
  const text = json ? JSON.stringify(value) : asTyped(lines().map(harmless).join('\n'));
  if (text !== '') print(text);
};

/** Writes lines no faster than they are read. It ends with its reader (`| head`); `continueUnread` has the failures. */
export class LineWriter {
  readonly #gone = new AbortController();

  constructor(private readonly output: NodeJS.WritableStream = process.stdout) {
    output.on('error', () => this.#gone.abort());
  }

  /** Aborts once nothing can be written any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when the next line may be written; once nothing can be written any more, at once. */
  async write(line: string): Promise<void> {
    if (this.gone.aborted || this.output.write(`${harmless(line)}\n`)) return;
    await once(this.output, 'drain', { signal: this.gone }).catch((error: unknown) => {
      if (!this.gone.aborted) throw error;
    });
  }
}

/** Number of events after which the shown count is updated. */
const EVENTS_PER_UPDATE = 5_000;

/** Shows the progress of a long read of the log on a terminal, in one line that is overwritten. */
export const readProgressOn = (
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): { readonly at: (events: number) => void; readonly clear: () => void } => {
  let shown = false;
  return {
    at: (events) => {
      if (!screen.isTTY || events % EVENTS_PER_UPDATE !== 0) return;
      screen.write(`\r${events} events read`);
      shown = true;
    },
    clear: () => {
      if (shown) screen.write('\r\u001b[K');
      shown = false;
    },
  };
};
