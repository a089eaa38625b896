import { Session } from 'node:inspector';
import { setImmediate } from 'node:timers';
import { runInThisContext } from 'node:vm';

/** A view's code did not come to an end over an event. Its message is a sentence for operators. */
export class FoldTimedOut extends Error {
  override readonly name = 'FoldTimedOut';
  constructor(ms: number) {
    super(`The fold did not end within ${ms / 1000} s.`);
  }
}

type Limits = readonly [number, ...number[]];

/**
 * Milliseconds: the first for all that is asked for at once, the others for what was broken off, alone. More than one,
 * since a process that was stopped, or got no processor, looks as if it had looped; together no more than a few
 * seconds, since nothing else runs meanwhile; each shorter than a lease lives.
 */
const LIMITS_MS: Limits = [1000, 1000, 2000];

/** Runs the code of views, so that a loop in it comes to an end. */
export interface FoldGuard {
  /**
   * Does a piece of work for each item, in order, later. One that is broken off is done anew from its beginning, so it
   * has to come to the same then; one that never ends is given up and the next taken up.
   * @param giveUp called with an item whose work never ended, before the next one begins
   * Rejects with what `work` or `giveUp` throws; the items after that are left out.
   */
  each<T>(
    items: readonly T[],
    work: (item: T, index: number) => void,
    giveUp: (item: T, timedOut: FoldTimedOut, index: number) => void,
  ): Promise<void>;
}

/**
 * By a time-out of V8, which no code escapes. Each time-out is a task of another thread, so all that is asked for in one
 * turn of the event loop shares a call.
 */
export class TimedFoldGuard implements FoldGuard {
  readonly #limitsMs: Limits;
  #asked: Job[] = [];

  /** @param limitsMs milliseconds: for all that was asked for in one turn, then for each further try of one item */
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

  /** Everything that was never broken off in one go; of the rest one piece, so that the event loop turns between. */
  #turn(): void {
    const jobs = this.#asked;
    this.#asked = [];
    const fresh = jobs.filter(({ strikes }) => strikes === 0);
    const [struck, ...later] = jobs.filter(({ strikes }) => strikes > 0);
    if (fresh.length > 0) {
      const limitMs = this.#limitsMs[0];
      if (!endsWithin(limitMs, () => fresh.forEach((job) => job.goOn()))) {
        fresh.find(({ isOver }) => !isOver)?.strike();
      }
    }
    if (struck !== undefined) this.#tryAlone(struck);
    for (const job of [...fresh, ...(struck ? [struck] : []), ...later]) {
      if (job.isOver) job.settle();
      else this.#ask(job);
    }
  }

  #tryAlone(job: Job): void {
    const limits = this.#limitsMs;
    const limitMs = limits[job.strikes];
    if (limitMs !== undefined && !endsWithin(limitMs, () => job.takeOne())) job.strike();
    if (job.strikes >= limits.length) job.giveUp(new FoldTimedOut(Math.max(...limits)));
  }
}

/** The one that a process's projections share. */
export const foldGuard: FoldGuard = new TimedFoldGuard();

type Job = Pick<ItemsJob<never>, 'strikes' | 'isOver' | 'goOn' | 'takeOne' | 'strike' | 'giveUp' | 'settle'>;

/** Work for a number of items, as far as it has come. */
class ItemsJob<T> {
  /** How often the work for the present item was broken off. */
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

  get isOver(): boolean {
    return this.#failure !== null || this.#next >= this.items.length;
  }

  /** To the last item. May be broken off anywhere. */
  goOn(): void {
    while (!this.isOver) this.takeOne();
  }

  /** The present item. May be broken off anywhere. */
  takeOne(): void {
    try {
      this.work(this.items[this.#next] as T, this.#next);
      this.#done();
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** The time ran out. (If it did so just after an item was done, the next one is tried once less: that is enough.) */
  strike(): void {
    if (!this.isOver) this.strikes++;
  }

  giveUp(timedOut: FoldTimedOut): void {
    try {
      this.abandon(this.items[this.#next] as T, timedOut, this.#next);
      this.#done();
    } catch (error) {
      this.#failure = { error };
    }
  }

  settle(): void {
    if (this.#failure === null) this.resolve();
    else this.reject(this.#failure.error);
  }

  #done(): void {
    this.strikes = 0;
    this.#next++;
  }
}

/** The name under which V8 finds the work: in the main context, since a test runner's code lives in another one. */
const SLOT = 'assay.foldGuard';
const main = runInThisContext('globalThis') as Record<symbol, (() => void) | undefined>;
const expression = `globalThis[Symbol.for('${SLOT}')]()`;

/**
 * The inspector's `Runtime.evaluate` has its time-out from V8 itself; `timeout` of node:vm starts a thread for each call,
 * which takes six times as long. It debugs nothing and opens no port.
 */
let session: Session | null = null;

/**
 * The end of the inspector's message if the time ran out. It can run out before the work begins: while the system stops
 * the process, or gives it no processor.
 */
const BROKEN_OFF = 'Execution was terminated';

/** @returns false: the work was broken off. Throws what it throws. */
function endsWithin(limitMs: number, work: () => void): boolean {
  session ??= connected();
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
  // It answers before it returns.
  session.post('Runtime.evaluate', { expression, timeout: limitMs, silent: true }, (error) => {
    const brokenOff = error?.message.endsWith(BROKEN_OFF) ?? false;
    if (!run.begun && !brokenOff) run.failure = { error };
  });
  main[Symbol.for(SLOT)] = undefined;
  if (run.failure !== null) throw run.failure.error;
  return run.ended;
}

interface Run {
  begun: boolean;
  ended: boolean;
  failure: { readonly error: unknown } | null;
}

function connected(): Session {
  const made = new Session();
  made.connect();
  return made;
}
