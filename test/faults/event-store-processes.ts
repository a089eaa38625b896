import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
export const root = fileURLToPath(new URL(here.includes('/dist/') ? '../../../' : '../../', import.meta.url));

export const WRITER = `${root}dist/test/faults/event-store-writer.js`;

/** The command that runs a script as if on a slow disk: each flush begins so many milliseconds late. */
export const flushingLate = (
  milliseconds: number,
  ...script: readonly string[]
): readonly [string, readonly string[]] => {
  const flushes = 'fsync,fdatasync,msync,sync_file_range';
  const late = `inject=${flushes}:delay_enter=${milliseconds * 1_000}`;
  const traced = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${flushes}`, '-e', late];
  return ['strace', [...traced, process.execPath, '--no-warnings', ...script]];
};

/** A line that a writer prints. */
export interface Line {
  readonly kind: 'open' | 'acknowledged' | 'conflict' | 'failed' | 'unhandled' | 'done';
  readonly stream?: string;
  readonly ids?: readonly string[];
  readonly revision?: number;
  readonly position?: string;
  /** When the log was open, or an append acknowledged, in milliseconds of the host's clock. */
  readonly at?: number;
  readonly name?: string;
  readonly message?: string;
}

/** A writing process, and the lines that it has printed so far. */
export class Writer {
  readonly lines: Line[] = [];
  errors = '';
  readonly #ended: Promise<unknown>;

  private constructor(readonly process: ChildProcess) {
    this.#ended = once(process, 'close');
    createInterface({ input: process.stdout! }).on('line', (line) =>
      this.lines.push(JSON.parse(line) as Line),
    );
    process.stderr!.on('data', (text: Buffer) => (this.errors += text.toString()));
  }

  /** Starts a writer as if on a slow disk: each flush begins so many milliseconds late. */
  static flushingLate(folder: string, plan: object, milliseconds: number): Writer {
    const [command, args] = flushingLate(milliseconds, WRITER, folder, JSON.stringify(plan));
    return new Writer(
      spawn(command, [...args], { env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'pipe'] }),
    );
  }

  /** @param fileBlocks limit of a file's size in blocks of 512 bytes: at it, the process finds the disk full */
  static start(folder: string, plan: object, fileBlocks?: number): Writer {
    const args = ['--no-warnings', WRITER, folder, JSON.stringify(plan)];
    const env = { PATH: process.env.PATH };
    const stdio = ['pipe', 'pipe', 'pipe'] as const;
    return new Writer(
      fileBlocks === undefined
        ? spawn(process.execPath, args, { env, stdio: [...stdio] })
        : spawn('/bin/sh', ['-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, ...args], {
            env,
            stdio: [...stdio],
          }),
    );
  }

  /** Waits until it has printed such a line. @throws {Error} it has ended without */
  async said(what: (line: Line) => boolean, withinMs = 15_000): Promise<Line> {
    const until = Date.now() + withinMs;
    for (;;) {
      const line = this.lines.find(what);
      if (line) return line;
      const { exitCode, signalCode } = this.process;
      if (Date.now() > until || ((exitCode ?? signalCode) !== null && this.process.stdout!.readableEnded)) {
        throw new Error(`It did not come. ${JSON.stringify(this.lines.slice(-3))} ${this.errors}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    await this.#ended;
    return { code: this.process.exitCode, signal: this.process.signalCode };
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.#ended;
  }
}
