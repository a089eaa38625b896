import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { anySignal } from '../../core/signals.js';
import type { CheckFailure } from '../../domain/session/check-events.js';
import type { CheckerSettings } from '../../process/checker-settings.js';
import type { Logger } from '../../process/log.js';
import { CommandFailed, ShellCommand } from '../shell.js';
import { type Checker, type CheckRequest, type CheckResult, noChecker, type Runner } from './checker.js';
import { BadResults, bound, isOfThisProcess, readResults } from './results.js';
import {
  discard,
  killLeft,
  layOut,
  MAX_STORED_BYTES,
  type RunFolder,
  RUN_VARIABLE,
  sweepRuns,
  watchSize,
} from './run-folder.js';

/** Longest standard output of a run, in bytes. A run that writes more fails. */
const MAX_OUTPUT_BYTES = 1_048_576;
/** How much of the output's end is kept, for staff. */
const KEPT_OUTPUT_CHARACTERS = 8_000;
/** Longest character in UTF-8, in bytes. */
const MAX_UTF8_BYTES = 4;
/**
 * Largest file that is part of the runner's digest, in bytes: a larger one is a program of the system, not the checker.
 */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;
/** The exit status (`EX_UNAVAILABLE`) of a checker that cannot run on this machine. */
const UNAVAILABLE = 69;

/** The unit of `ulimit -f`, in bytes. */
const BLOCK = 512;
const BOUNDED = `ulimit -f ${MAX_STORED_BYTES / BLOCK} 2>/dev/null`;

type Settings = Omit<Extract<CheckerSettings, { kind: 'command' }>, 'giveUpMs'>;

/**
 * An operator's command that fulfils the contract of Exercism's test runners: it is called with a slug, an input folder
 * and an output folder, and writes `results.json` into the output folder. See docs/checking.md.
 */
export class CommandChecker implements Checker {
  private readonly shell: ShellCommand;
  /**
   * The last sweep of folders that ended processes have left; `null`: none has begun. A run waits for the first sweep.
   */
  private swept: Promise<number> | null = null;

  /** @param parent the folder in which each run's folder is made */
  constructor(
    private readonly settings: Settings,
    private readonly log: Pick<Logger, 'debug' | 'warn'>,
    private readonly parent: string = tmpdir(),
  ) {
    const command = `${BOUNDED}\n${settings.command}`;
    this.shell = new ShellCommand("The checker's command", command, log, settings.atOnce);
  }

  async run(request: CheckRequest, signal: AbortSignal): Promise<CheckResult> {
    const runner = await this.runner();
    let began = performance.now();
    const error = (reason: CheckFailure, detail: string, output = ''): CheckResult => {
      const ms = Math.round(performance.now() - began);
      return { outcome: 'error', reason, detail: bound(detail, KEPT_OUTPUT_CHARACTERS), output, runner, ms };
    };
    if (!this.settings.isolations.includes(request.isolation)) return error('isolation', '');
    await (this.swept ?? this.sweep());
    const folder = await layOut(this.parent, request);
    began = performance.now();
    try {
      const called = await this.call(request, folder, signal);
      signal.throwIfAborted();
      const { failure, detail, output } = called;
      if (failure !== null) return error(failure, detail, output);
      const tests = await readResults(folder.output).catch((fault: unknown) => {
        if (fault instanceof BadResults) return fault;
        throw fault;
      });
      if (tests instanceof BadResults) return error(tests.reason, tests.detail, output);
      return { outcome: 'checked', tests, output, runner, ms: Math.round(performance.now() - began) };
    } finally {
      await killLeft(folder.name);
      if (!(await discard(folder.root)))
        this.log.warn({ folder: folder.root }, 'The folder of a check run could not be removed.');
    }
  }

  async sweep(): Promise<void> {
    await (this.swept = sweepRuns(this.parent));
  }

  private async call(
    request: CheckRequest,
    folder: RunFolder,
    signal: AbortSignal,
  ): Promise<{ failure: CheckFailure | null; detail: string; output: string }> {
    const running = anySignal(signal);
    const unwatch = watchSize(folder, () => running.end());
    const tail = new Tail();
    try {
      const limits = { timeoutMs: this.settings.timeoutMs, maxBytes: MAX_OUTPUT_BYTES };
      const output = this.shell.run('', limits, running.signal, {
        words: ['checker', request.slug, folder.input, folder.output],
        variables: {
          [RUN_VARIABLE]: folder.name,
          ASSAY_ISOLATION: request.isolation,
          ASSAY_WORK: folder.work,
          ASSAY_CHECKS: folder.checks,
          ASSAY_CHECK_MS: String(this.settings.timeoutMs),
        },
      });
      for await (const chunk of output) tail.add(chunk);
      return { failure: null, detail: '', output: tail.text() };
    } catch (fault) {
      if (!(fault instanceof CommandFailed)) throw fault;
      const { failure, status, complaint } = fault;
      // The work had no part in that: this machine lacks processes, memory or a shell, and may have them soon.
      if (failure === 'not_started') throw fault;
      // Cancelled by `watchSize`. If the caller has cancelled, `run` throws the signal's reason instead.
      if (failure === 'cancelled') return { failure: 'too_much_stored', detail: '', output: tail.text() };
      const reason = failure === 'failed' && status === UNAVAILABLE ? 'unavailable' : failure;
      const detail = `${fault.message}${complaint === '' ? '' : ` ${complaint.trim()}`}`;
      return { failure: reason, detail, output: tail.text() };
    } finally {
      unwatch();
      running.end();
    }
  }

  /** The runner, with a digest of the command line and of each file that it names. */
  private async runner(): Promise<Runner> {
    const hash = createHash('sha256').update(this.settings.command);
    for (const word of this.settings.command.match(/[^\s"'|&;()<>]+/g) ?? []) {
      const content = await contentOf(word);
      if (content !== null) hash.update(`\0${word}\0`).update(content);
    }
    return { name: 'command', digest: hash.digest('hex') };
  }
}

/** The configured checker. */
export const createChecker = (settings: CheckerSettings, log: Pick<Logger, 'debug' | 'warn'>): Checker =>
  settings.kind === 'command' ? new CommandChecker(settings, log) : noChecker;

const contentOf = async (path: string): Promise<Buffer | null> => {
  if (!path.includes('/')) return null;
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= MAX_HASHED_BYTES ? await readFile(path) : null;
  } catch (error) {
    // Without the file the digest would be another program's.
    if (isOfThisProcess(error)) throw error;
    return null;
  }
};

/** Keeps the end of an output: its last `KEPT_OUTPUT_CHARACTERS`. */
class Tail {
  private bytes: Uint8Array = new Uint8Array();

  add(chunk: Uint8Array): void {
    this.bytes = Buffer.concat([this.bytes, chunk]).subarray(-MAX_UTF8_BYTES * KEPT_OUTPUT_CHARACTERS);
  }

  text(): string {
    const text = Buffer.from(this.bytes).toString('utf8');
    // `bound` only cleans the text here, without a limit: it would keep the beginning.
    return bound(text, Number.POSITIVE_INFINITY).slice(-KEPT_OUTPUT_CHARACTERS);
  }
}
