import { Session } from 'node:inspector';
import { setImmediate } from 'node:timers';
import { runInThisContext } from 'node:vm';

/** A view's code did not return within the time limit. Its message is a sentence for operators. */
export class FoldTimedOut extends Error {
  override readonly name = 'FoldTimedOut';
  constructor(ms: number) {
    super(`The fold did not end within ${ms / 1000} s.`);
  }
}

type Limits = readonly [number, ...number[]];

/**
 * Time limits in milliseconds: the first for all items of a turn, the others for each further try of one item. There are
 * several, since a process that was stopped or got no processor seems to loop. Together they take a few seconds, since
 * nothing else runs meanwhile, and each is shorter than `deadMs` of a lease.
 */
const LIMITS_MS: Limits = [1000, 1000, 2000];

/** Runs the code of views under a time limit, so that an endless loop in it ends. */
export interface FoldGuard {
  /**
   * Calls `work` for each item in order, asynchronously. A call that is interrupted is repeated, and has to give the same
   * result then.
   * @param giveUp called with an item whose work never ends, before the next item
   * @throws what `work` or `giveUp` throws, or the inspector's error, without the items after that
   */
  each<T>(
    items: readonly T[],
    work: (item: T, index: number) => void,
    giveUp: (item: T, timedOut: FoldTimedOut, index: number) => void,
  ): Promise<void>;
}

/**
 * Uses a time-out of V8, which ends any code. Each time-out costs a task of another thread, so all work of one turn of
 * the event loop shares a call.
 */
export class TimedFoldGuard implements FoldGuard {
  readonly #limitsMs: Limits;
  #asked: Job[] = [];

  /** @param limitsMs milliseconds: for all work of one turn, then for each further try of one item */
  constructor(limitsMs: Limits = LIMITS_MS) {
    this.#limitsMs = limitsMs;
  }

  each<T>(
    items: readonly T[],
    work: (item: T, index: number) => void,
    giveUp: (item: T, timedOut: FoldTimedOut, index: number) => void,
  ): Promise<void> {
    if (items.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => this.#ask(new ItemsJob(items, work, giveUp, resolve, reject)));
  }

  #ask(job: Job): void {
    if (this.#asked.length === 0) setImmediate(() => this.#turn());
    this.#asked.push(job);
  }

  /**
   * Runs all jobs that were never interrupted at once, and only one item of the others, so that the event loop is not
   * blocked for long.
   */
  #turn(): void {
    const jobs = this.#asked;
    this.#asked = [];
    const fresh = jobs.filter(({ strikes }) => strikes === 0);
    const [struck, ...later] = jobs.filter(({ strikes }) => strikes > 0);
    try {
      if (fresh.length > 0) {
        const limitMs = this.#limitsMs[0];
        if (!endsWithin(limitMs, () => fresh.forEach((job) => job.take(Infinity)))) {
          fresh.find(({ isOver }) => !isOver)?.strike();
        }
      }
      if (struck !== undefined) this.#tryAlone(struck);
    } catch (error) {
      // Of the inspector, not of the work. No caller is above this turn: it would end the process.
      for (const job of jobs) job.fail(error);
    }
    for (const job of [...fresh, ...(struck ? [struck] : []), ...later]) {
      if (job.isOver) job.finish();
      else this.#ask(job);
    }
  }

  #tryAlone(job: Job): void {
    const limits = this.#limitsMs;
    const limitMs = limits[job.strikes];
    if (limitMs !== undefined && !endsWithin(limitMs, () => job.take(1))) job.strike();
    if (job.strikes >= limits.length) job.giveUp(new FoldTimedOut(Math.max(...limits)));
  }
}

/** The guard that all projections of a process share. */
export const foldGuard: FoldGuard = new TimedFoldGuard();

type Job = Pick<ItemsJob<never>, 'strikes' | 'isOver' | 'take' | 'strike' | 'giveUp' | 'fail' | 'finish'>;

/** The work for some items, and how far it has come. */
class ItemsJob<T> {
  /** How often the work for the current item was interrupted. */
  strikes = 0;
  #next = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly items: readonly T[],
    private readonly work: (item: T, index: number) => void,
    private readonly abandon: (item: T, timedOut: FoldTimedOut, index: number) => void,
    private readonly resolve: () => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  /** Whether every item is done or abandoned, or the work has thrown. */
  get isOver(): boolean {
    return this.#failure !== null || this.#next >= this.items.length;
  }

  /** Works on that many items, beginning with the current one. It may be interrupted anywhere. */
  take(count: number): void {
    try {
      for (let left = count; left > 0 && this.#next < this.items.length; left--) {
        this.work(this.items[this.#next] as T, this.#next);
        this.strikes = 0;
        this.#next++;
      }
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** The time ran out. If an item has just ended, the strike counts for the next one, which then has one try less. */
  strike(): void {
    if (!this.isOver) this.strikes++;
  }

  /** Abandons the current item, whose work does not end; the next item becomes the current one. */
  giveUp(timedOut: FoldTimedOut): void {
    try {
      this.abandon(this.items[this.#next] as T, timedOut, this.#next);
      this.strikes = 0;
      this.#next++;
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** Ends the work with an error, unless it is over. */
  fail(error: unknown): void {
    if (!this.isOver) this.#failure = { error };
  }

  /** Called once it is over: resolves, or rejects with what the work threw. */
  finish(): void {
    if (this.#failure === null) this.resolve();
    else this.reject(this.#failure.error);
  }
}

/** The global symbol by which the evaluated expression finds the work, in the main context: Jest's code has another. */
const SLOT = 'assay.foldGuard';
const main = runInThisContext('globalThis') as Record<symbol, (() => void) | undefined>;
const expression = `globalThis[Symbol.for('${SLOT}')]()`;

/**
 * The inspector's `Runtime.evaluate` uses V8's own time-out. `timeout` of node:vm starts a thread for each call, which takes
 * six times as long. This session debugs nothing and opens no port.
 */
let session: Session | null = null;

/**
 * The end of the inspector's message if the time ran out. It may run out before the work begins, while the system stops
 * the process or gives it no processor.
 */
const INTERRUPTED = 'Execution was terminated';

/** @returns false: the work was interrupted. @throws what the work throws, or the inspector's error */
function endsWithin(limitMs: number, work: () => void): boolean {
  const run: Run = { begun: false, ended: false, failure: null };
  main[Symbol.for(SLOT)] = () => {
    run.begun = true;
    try {
      work();
    } catch (error) {
      run.failure = { error };
    }
    run.ended = true;
  };
  try {
    session ??= connected();
    // `post` calls back before it returns.
    session.post('Runtime.evaluate', { expression, timeout: limitMs, silent: true }, (error) => {
      const interrupted = error?.message.endsWith(INTERRUPTED) ?? false;
      if (!run.begun && !interrupted)
        run.failure = { error: error ?? new Error('The inspector ran nothing.') };
    });
  } catch (error) {
    run.failure ??= { error };
  } finally {
    main[Symbol.for(SLOT)] = undefined;
  }
  if (run.failure === null) return run.ended;
  disconnect();
  throw run.failure.error;
}

interface Run {
  begun: boolean;
  ended: boolean;
  failure: { readonly error: unknown } | null;
}

/** The next work gets a session of its own. */
function disconnect(): void {
  session?.disconnect();
  session = null;
}

function connected(): Session {
  const made = new Session();
  made.connect();
  return made;
}
