import { hasCode } from '../../core/errors.js';
import Table from 'cli-table3';
import { asTyped } from '../../process/installation.js';
import { type Progress, progressOn } from './progress.js';
import { once } from 'node:events';

/**
 * What a terminal takes for an order, shows in another order than it stands, or not at all: controls (JSON lets those
 * from U+007F on through), marks of direction and other invisible ones, line separators, halves of surrogate pairs.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const escaped = (found: string): string =>
  found
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/**
 * Text that somebody else chose, in one line: it cannot move the cursor, begin a line of its own, or look like another
 * text. Escaped as JSON does, so that JSON stays what it is.
 */
export const harmless = (text: string): string => text.replace(UNFIT, escaped);

/** The same of a text whose line ends are ours. */
export const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

/** Prints a text and a line end: the way out for all that may hold somebody else's words. */
export const print = (text: string, stream: NodeJS.WritableStream = process.stdout): void =>
  void stream.write(`${harmlessLines(text)}\n`);

/** Nobody takes what is written: the pipe's other end (`| head`) or the terminal is closed. */
const UNREAD = ['EPIPE', 'EIO'];

const isUnread = (error: unknown): boolean => UNREAD.some((code) => hasCode(error, code));

/** Lets a command go on where nobody reads what it says, so that the exit code tells what came of it. */
export const goOnUnread = (...streams: readonly NodeJS.WritableStream[]): void => {
  for (const stream of streams)
    stream.on('error', (error) => {
      if (!isUnread(error)) throw error;
    });
};

/** Rows under their heads. Cells are shown as they are, but for what a terminal would take for an order. */
export const tableText = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(row.map((cell) => harmlessLines(String(cell))));
  return table.toString();
};

/** A count with its noun: `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Where a command prints what is not its answer. */
export interface Screen {
  readonly progress: Progress;
  /** A line for the person who waits. */
  say(line: string): void;
}

/** What a machine reads has standard output for itself. */
export const screenFor = (json: boolean): Screen => {
  const stream = json ? process.stderr : process.stdout;
  return { progress: progressOn(stream), say: (line) => print(asTyped(line), stream) };
};

/** A command's answer: one JSON value for machines, else text. */
export const answer = (json: boolean, value: unknown, text: () => string): void => {
  print(json ? JSON.stringify(value) : asTyped(text()));
};

/** Writes lines no faster than they are taken. Whoever takes no more of them (`| head`) is no failure. */
export class LineWriter {
  readonly #gone = new AbortController();

  constructor(private readonly output: NodeJS.WritableStream = process.stdout) {
    output.on('error', this.#failed);
  }

  /** Aborts once nobody takes any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when the next line may come; at once where nobody takes it. */
  async write(line: string): Promise<void> {
    if (this.gone.aborted || this.output.write(`${harmless(line)}\n`)) return;
    await once(this.output, 'drain', { signal: this.gone }).catch((error: unknown) => {
      if (!this.gone.aborted) throw error;
    });
  }

  readonly #failed = (error: Error): void => {
    this.#gone.abort();
    if (!isUnread(error)) throw error;
  };
}

const EVERY = 5_000;

/** Shows on a terminal, in one line that is written over, how far a long look through the log has come. */
export const lookingOn = (
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): { readonly at: (events: number) => void; readonly clear: () => void } => {
  let shown = false;
  return {
    at: (events) => {
      if (!screen.isTTY || events % EVERY !== 0) return;
      screen.write(`\r${events} events read`);
      shown = true;
    },
    clear: () => {
      if (shown) screen.write('\r\u001b[K');
      shown = false;
    },
  };
};
