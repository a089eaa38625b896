import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pause } from '../core/backoff.js';
import { Semaphore } from '../core/concurrency.js';
import type { Logger } from '../process/log.js';
import { scrub } from '../process/log.js';
import { ProviderFailed } from './speech.js';

/** Default of how many commands of one kind run at once: each can use a whole core. */
const AT_ONCE = 4;
/** Kept from the end of a command's standard error. */
const STDERR_BYTES = 4_096;
/** Longest wait for the end of its standard error after a run, in milliseconds. */
const STDERR_TIMEOUT_MS = 200;

/** A pipe of each run that ends with this process, however that ends: then the run's group kills itself. */
const LIFELINE = 3;
const WATCHED = `{ read -r _ <&${LIFELINE}; kill -9 0; } >/dev/null 2>&1 & exec ${LIFELINE}<&-`;
/** Node gives a child sockets, which a program that opens `/dev/stdin` by its name cannot. */
const THROUGH_A_PIPE = `${WATCHED}; cat | sh -c "$0" "$@"`;
/** A shell's status for a program that a signal ended is that signal's number above this. */
const BY_SIGNAL = 128;

/** Limits of one run. */
export interface RunLimits {
  /** From its start, in milliseconds. */
  readonly timeoutMs: number;
  /** The largest output. */
  readonly maxBytes: number;
}

/** What a run has beside its input. */
export interface RunParameters {
  /** Environment variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The command line's `$0` (its name), `$1` and so on. */
  readonly words?: readonly string[];
}

/** Why a run did not end well. */
export type CommandFailure =
  'not_started' | 'failed' | 'killed' | 'timed_out' | 'too_much_output' | 'cancelled';

/** A run that did not end well. The message is for the log. */
export class CommandFailed extends ProviderFailed {
  override readonly name = 'CommandFailed';

  /** @param status the exit status that it ended with; `null`: it was ended, or never ran */
  constructor(
    message: string,
    readonly failure: CommandFailure,
    readonly status: number | null = null,
    /** The end of its standard error. */
    readonly complaint = '',
  ) {
    super(message);
  }
}

/** How a run ended badly, as the rest of a sentence about the command. */
interface Ending {
  readonly text: string;
  readonly failure: CommandFailure;
  readonly status?: number;
}

/** A program's input, in pieces if it is long. */
type Input = string | AsyncIterable<Uint8Array>;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * A command line of the operator's, run by `sh -c`: a process group for each run, killed as a whole when it takes too
 * long, writes too much, is aborted or has ended. It gets the environment without the service's secrets; input and
 * output go through pipes only. A few run at once, the others wait.
 */
export class ShellCommand {
  private readonly semaphore: Semaphore;
  private readonly environment = withoutSecrets(process.env);

  /** @param title how sentences name it: `The transcriber's command` */
  constructor(
    readonly title: string,
    private readonly command: string,
    private readonly log: Pick<Logger, 'debug'>,
    atOnce = AT_ONCE,
  ) {
    this.semaphore = new Semaphore(atOnce);
  }

  /**
   * One run: its output as it comes. The run is over, and its processes gone, once the iteration is.
   * @throws {CommandFailed} it could not be started, ended badly, or was ended
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
  /** `null`: it ended well. */
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

  /** Its output, until it or the run ends. */
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

  /** @throws what reading the input throws: the run ends, since it has got a part of it for the whole */
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

  /** Kills the whole group; further calls have no effect. */
  stop(why: Ending): void {
    this.stopped ??= why;
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.abort);
    if (this.child.exitCode === null && this.child.signalCode === null) this.kill();
    this.closePipes();
  }

  /** The end of its standard error, which may come a moment after that of the run. */
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

  /** Closes the pipes, which a process that left the group can still hold. */
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

/** The environment without secrets, for commands. */
export const withoutSecrets = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        !SECRETS.includes(name) && !(name.endsWith('_URL') && /\/\/[^/]*@/.test(value ?? '')),
    ),
  );
