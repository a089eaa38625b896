import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** What the command has come to. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The object that `--json` prints. */
export interface Printed {
  readonly from: string;
  readonly to: string;
  readonly dataKey: string;
  readonly equal: boolean;
  readonly sourceMoved: boolean;
  readonly log: Sides<{ readonly events: number; readonly sha256: string }>;
  readonly vault: Sides<{ readonly entries: number; readonly sha256: string }>;
  readonly copySeconds: number;
  readonly seconds: number;
}

interface Sides<T> {
  readonly source: T;
  readonly target: T;
  readonly copied: number;
}

/** `assay events copy` in a process of its own. */
export class CopyCommand {
  readonly #ended: Promise<Ended>;
  #stdout = '';
  #watchers: (() => void)[] = [];

  private constructor(readonly process: ChildProcess) {
    let stderr = '';
    process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      for (const look of this.#watchers) look();
    });
    process.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    this.#ended = once(process, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.#stdout,
      stderr,
    }));
  }

  static start(args: readonly string[], env: Readonly<Record<string, string>> = {}): CopyCommand {
    const entry = resolve('dist/bin/operator.js');
    return new CopyCommand(
      spawn(process.execPath, ['--enable-source-maps', entry, 'events', 'copy', ...args], {
        env: { PATH: process.env['PATH'], ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  static run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return CopyCommand.start(args, env).ended();
  }

  /** What `--json` prints. @throws Error with the sentence, where it was not done */
  static async json(from: string, to: string, env: Readonly<Record<string, string>> = {}): Promise<Printed> {
    const { code, stdout, stderr } = await CopyCommand.run(['--from', from, '--to', to, '--json'], env);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as Printed;
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Resolves once it has printed this, or has ended. */
  async printed(what: RegExp): Promise<void> {
    const seen = new Promise<void>((settle) => {
      const look = (): void => {
        if (what.test(this.#stdout)) settle();
      };
      this.#watchers.push(look);
      look();
    });
    await Promise.race([seen, this.#ended]);
  }
}
