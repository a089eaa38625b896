import { type ChildProcess, spawn } from 'node:child_process';

/** How a program ended, and what it printed. */
export interface ProgramEnd {
  /** `null`: a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** After so many milliseconds it is killed; by default never. */
  readonly limitMs?: number;
}

/** A program in a process of its own, with its output. A test must await its end, or kill it. */
export class Program {
  readonly #ended: Promise<ProgramEnd>;
  readonly #watchers = new Set<() => void>();
  #out = '';
  #err = '';
  #output = '';

  private constructor(readonly process: ChildProcess) {
    const watch = (stream: 'stdout' | 'stderr', took: (text: string) => void): void =>
      void process[stream]?.setEncoding('utf8').on('data', (text: string) => {
        took(text);
        this.#output += text;
        for (const watcher of this.#watchers) watcher();
      });
    watch('stdout', (text) => (this.#out += text));
    watch('stderr', (text) => (this.#err += text));
    process.on('error', (error) => (this.#err += error.message));
    this.#ended = new Promise((settle) =>
      process.once('close', (code) => settle({ code, out: this.#out, err: this.#err })),
    );
  }

  /** @param options by default its environment has only PATH */
  static start(file: string, args: readonly string[], options: StartOptions = {}): Program {
    const { cwd, env = { PATH: process.env['PATH'] }, limitMs } = options;
    return new Program(
      spawn(file, args, {
        ...(cwd !== undefined && { cwd }),
        ...(limitMs !== undefined && { timeout: limitMs, killSignal: 'SIGKILL' as const }),
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Everything that it has printed, both streams in the order of arrival. */
  output(): string {
    return this.#output;
  }

  ended(): Promise<ProgramEnd> {
    return this.#ended;
  }

  /** Waits until `probe` finds something in the whole output. @returns `null` if the program ended before */
  async reached<T>(probe: (printed: Omit<ProgramEnd, 'code'>) => T | null | false): Promise<T | null> {
    const find = (): T | null => probe({ out: this.#out, err: this.#err }) || null;
    const found = new Promise<T>((settle) => {
      const check = (): void => {
        const one = find();
        if (one === null) return;
        this.#watchers.delete(check);
        settle(one);
      };
      this.#watchers.add(check);
      check();
    });
    return Promise.race([found, this.#ended.then(find)]);
  }

  /** Waits until the output of either stream matches. @returns `null` if the program ended before */
  printed(pattern: RegExp): Promise<RegExpExecArray | null> {
    return this.reached(({ out, err }) => pattern.exec(out) ?? pattern.exec(err));
  }
}
