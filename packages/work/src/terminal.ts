import { createInterface } from 'node:readline/promises';

/** Ends the program with a sentence for who runs it. */
export class Stop extends Error {
  constructor(
    message: string,
    /** The program's exit code. */
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Whether the error of a file-system call has one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && codes.includes(String((error as NodeJS.ErrnoException).code));

/** Whether a call of the system has failed, such as on a full disk. Its message names the call. */
export const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && 'errno' in error;

/** A foreign text for the terminal, without codes that move the cursor, change colours or reverse the reading direction. */
export const readable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(/[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/gu, '');

/** As `readable`, on one line of at most `most` characters. */
export const oneLine = (text: string, most = 200): string => {
  const line = readable(text).replaceAll('\n', ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** What a person sees and answers. */
export interface Terminal {
  /** Prints a line. */
  say(line: string): void;
  /** Asks for consent. It is given by `--yes` or an earlier “always”, and refused if there is no terminal. */
  agrees(question: string): Promise<boolean>;
  /** Whether there is a terminal to ask on, or `--yes` was given. */
  readonly canAsk: boolean;
}

/** @param yes whether all is agreed to beforehand */
export const terminalOf = (yes: boolean): Terminal => {
  const canAsk = yes || (process.stdin.isTTY && process.stdout.isTTY);
  let agreed = yes;
  return {
    canAsk,
    // The results of a wrapped command may be read from standard output.
    say: (line) => void process.stderr.write(`${line}\n`),
    agrees: async (question) => {
      if (agreed || !canAsk) return agreed;
      const answer = await answerTo(`${question} [Y]es, [n]o, [a]lways: `);
      if (/^a/i.test(answer)) agreed = true;
      return agreed || /^(?:$|y)/i.test(answer);
    },
  };
};

/** What is typed as an answer, without white space around it; `no` at the end of the input. */
const answerTo = async (question: string): Promise<string> => {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Everything that waits is on the disk.
    asking.once('SIGINT', () => process.exit(130));
    const ended = new Promise<string>((end) => asking.once('close', () => end('no')));
    return (await Promise.race([asking.question(question), ended])).trim();
  } finally {
    asking.close();
  }
};

/** Bytes for people: 1,536 is `1.5 KiB`. */
export const sizeOf = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} bytes`;
  const kib = bytes / 1_024;
  return kib < 1_024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1_024).toFixed(1)} MiB`;
};
