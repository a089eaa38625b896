import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pause } from '../core/backoff.js';
import { Semaphore } from '../core/concurrency.js';
import type { Logger } from '../process/log.js';
import { scrub } from '../process/log.js';
import { ProviderFailed } from './speech.js';

/** Default of how many commands of one kind run at the same time: each can use a whole core. */
const AT_ONCE = 4;
/** How much of the end of a command's standard error is kept, in bytes. */
const STDERR_BYTES = 4_096;
/** Longest wait for the end of the standard error after a run, in milliseconds. */
const STDERR_TIMEOUT_MS = 200;

/**
 * Each run has a pipe from this process. If this process ends in any way, the pipe ends and the run's group kills
 * itself.
 */
const LIFELINE = 3;
const WATCHED = `{ read -r _ <&${LIFELINE}; kill -9 0; } >/dev/null 2>&1 & exec ${LIFELINE}<&-`;
/** Pipes the input through `cat`: Node gives a child sockets, which a program cannot open as `/dev/stdin`. */
const THROUGH_A_PIPE = `${WATCHED}; cat | sh -c "$0" "$@"`;
/** If a signal ended a program, the shell's status is this plus the signal's number. */
const BY_SIGNAL = 128;

/** Limits of one run. */
export interface RunLimits {
  /** Time limit from the run's start, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest output, in bytes. */
  readonly maxBytes: number;
}

/** What a run gets beside its input. */
export interface RunParameters {
  /** Further environment variables, or other values of those of the process. By default none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The command line's `$0` (its name), `$1` and so on. By default none. */
  readonly words?: readonly string[];
}

/** Why a run failed. */
export type CommandFailure =
  'not_started' | 'failed' | 'killed' | 'timed_out' | 'too_much_output' | 'cancelled';

/** A run failed. The message is for the log. */
export class CommandFailed extends ProviderFailed {
  override readonly name = 'CommandFailed';

  /** @param status the exit status; `null`: the run was killed, or never started */
  constructor(
    message: string,
    readonly failure: CommandFailure,
    readonly status: number | null = null,
    /** The end of the standard error. */
    readonly complaint = '',
  ) {
    super(message);
  }
}

/** Why a run failed, as the rest of a sentence about the command. */
interface Ending {
  readonly text: string;
  readonly failure: CommandFailure;
  readonly status?: number;
}

/** A program's input, in pieces if it is long. */
type Input = string | AsyncIterable<Uint8Array>;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * An operator's command line, run by `sh -c`. Each run has a process group, which is killed as a whole if the run takes
 * too long, writes too much, is aborted or has ended. It gets the environment without the service's secrets. Input and
 * output are pipes. Only a few runs are made at the same time, the others wait.
 */
export class ShellCommand {
  private readonly semaphore: Semaphore;
  private readonly environment = withoutSecrets(process.env);

  /** @param title the command's name in sentences, such as `The transcriber's command` */
  constructor(
    readonly title: string,
    private readonly command: string,
    private readonly log: Pick<Logger, 'debug'>,
    atOnce = AT_ONCE,
  ) {
    this.semaphore = new Semaphore(atOnce);
  }

  /**
   * Runs the command once, and yields its output as it comes. When the iteration ends, the run's processes have ended.
   * @throws {CommandFailed} the run could not be started, failed, or was killed
   * @throws what reading the input throws
   */
  async *run(
    input: Input,
    { timeoutMs, maxBytes }: RunLimits,
    signal: AbortSignal,
    parameters: RunParameters = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const release = await this.semaphore.acquire(signal);
    if (!release) throw new CommandFailed(`${this.title} was cancelled before it ran.`, 'cancelled');
    try {
      const run = new Run(this.start(parameters), timeoutMs, signal);
      try {
        let bytes = 0;
        for await (const chunk of run.output(input)) {
          bytes += chunk.byteLength;
          if (bytes > maxBytes)
            throw new CommandFailed(`${this.title} wrote more than ${maxBytes} bytes.`, 'too_much_output');
          yield chunk;
        }
        const ending = await run.ending;
        if (ending === null) return;
        const sentence = `${this.title} ${ending.text}.`;
        const complaint = await run.complaint();
        this.log.debug({ stderr: scrub(complaint) }, sentence);
        throw new CommandFailed(sentence, ending.failure, ending.status ?? null, complaint);
      } finally {
        run.stop({ text: 'was not read to its end', failure: 'cancelled' });
        await run.ending;
      }
    } finally {
      release();
    }
  }

  private start({ variables = {}, words = [] }: RunParameters): Child {
    try {
      return spawn('sh', ['-c', THROUGH_A_PIPE, this.command, ...words], {
        detached: true,
        env: { ...this.environment, ...variables },
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      throw new CommandFailed(`${this.title} could not be started: ${codeOf(error)}.`, 'not_started');
    }
  }
}

/** One process group, from its start to its end. */
class Run {
  /** Resolves when the run ends; `null`: it succeeded. */
  readonly ending: Promise<Ending | null>;
  private stopped: Ending | null = null;
  private readonly complained: Promise<unknown>;
  private readonly errors: Uint8Array[] = [];
  private errorBytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly child: Child,
    timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.timer = setTimeout(
      () => this.stop({ text: `was ended after ${timeoutMs} ms`, failure: 'timed_out' }),
      timeoutMs,
    );
    this.ending = new Promise((resolve) => {
      child.once('error', (error) => {
        this.closePipes();
        resolve({ text: `could not be started: ${codeOf(error)}`, failure: 'not_started' });
      });
      child.once('exit', (status, by) => {
        // Processes that it left running would hold the pipes, and the machine.
        this.kill();
        resolve(this.stopped ?? describe(status, by));
      });
    });
    child.stdio[LIFELINE]?.on('error', () => undefined);
    // A command need not read all of its input, or any.
    child.stdin.on('error', () => undefined);
    this.complained = new Promise((resolve) => child.stderr.once('close', resolve));
    child.stderr.on('data', (chunk: Uint8Array) => this.remember(chunk));
    child.stderr.on('error', () => undefined);
    if (signal.aborted) this.abort();
    else signal.addEventListener('abort', this.abort, { once: true });
  }

  /** The output, until that or the run ends. */
  async *output(input: Input): AsyncGenerator<Uint8Array, void, undefined> {
    const fed = this.feed(input);
    fed.catch(() => undefined);
    const chunks = (this.child.stdout as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (;;) {
      // It fails only if the stream was closed here.
      const next = await chunks.next().catch(() => null);
      if (next === null || next.done) break;
      yield next.value;
    }
    await fed;
  }

  /** @throws what reading the input throws. The run is killed then, since it must not use a part of the input. */
  private async feed(input: Input): Promise<void> {
    const { stdin } = this.child;
    if (typeof input === 'string') {
      stdin.end(input);
      return;
    }
    let fault: { readonly error: unknown } | null = null;
    const read = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield* input;
      } catch (error) {
        fault = { error };
        throw error;
      }
    };
    // A command need not read all of its input.
    await pipeline(read, stdin).catch(() => undefined);
    const failed = fault as { readonly error: unknown } | null;
    if (failed === null) return;
    this.stop({ text: 'did not get all of its input', failure: 'cancelled' });
    throw failed.error;
  }

  /** Kills the whole process group. Further calls have no effect. */
  stop(why: Ending): void {
    this.stopped ??= why;
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.abort);
    if (this.child.exitCode === null && this.child.signalCode === null) this.kill();
    this.closePipes();
  }

  /** The end of the standard error, which may come a moment after the end of the run. */
  async complaint(): Promise<string> {
    await Promise.race([this.complained, pause(STDERR_TIMEOUT_MS)]);
    return Buffer.concat(this.errors).subarray(-STDERR_BYTES).toString('utf8');
  }

  private readonly abort = (): void => this.stop({ text: 'was cancelled', failure: 'cancelled' });

  private remember(chunk: Uint8Array): void {
    this.errors.push(chunk);
    this.errorBytes += chunk.byteLength;
    while (this.errorBytes - (this.errors[0]?.byteLength ?? 0) >= STDERR_BYTES)
      this.errorBytes -= this.errors.shift()?.byteLength ?? 0;
  }

  private kill(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone.
    }
  }

  /** Closes the pipes, which a process that has left the group may still have open. */
  private closePipes(): void {
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    this.child.stderr.destroy();
    this.child.stdio[LIFELINE]?.destroy();
  }
}

const describe = (status: number | null, by: NodeJS.Signals | null): Ending | null => {
  if (status === 0) return null;
  const number = (status ?? 0) - BY_SIGNAL;
  const signal = by ?? Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
  if (signal !== undefined) return { text: `was ended by ${signal}`, failure: 'killed' };
  const hint =
    status === 127 ? ', a program was not found' : status === 126 ? ', a program could not be run' : '';
  const text = `ended with status ${status ?? 'unknown'}${hint}`;
  return { text, failure: 'failed', ...(status !== null && { status }) };
};

const codeOf = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'unknown';
};

const SECRETS = ['DATA_KEY', 'DATA_KEY_PREVIOUS', 'SIGNING_KEY', 'OPENAI_API_KEY'];

/** The environment for commands, without secrets. */
export const withoutSecrets = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        !SECRETS.includes(name) && !(name.endsWith('_URL') && /\/\/[^/]*@/.test(value ?? '')),
    ),
  );
