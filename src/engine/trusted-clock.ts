/*
 * Gives this machine's time to what cannot be undone, only while `clock-judgement` finds that it agrees with the clocks
 * around it: the process's monotonic one, the read store's server, and the heartbeat that all processes of a service
 * record. Order: `start` records a heartbeat each minute, `nowIfTrusted` is called before each step that the time alone
 * decides, `stop` ends the heartbeats.
 */
import { everyTick } from '../core/shared-interval.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/timestamp.js';
import { ReadStoreUnavailable } from '../stores/errors.js';
import type { ReadStore } from '../stores/read-store.js';
import {
  type Disagreement,
  driftMs,
  type Irrevocable,
  judge,
  type Judgement,
  MAX_GAP_MS,
  type Reading,
} from './clock-judgement.js';
import { reasonOf } from './errors.js';
import { type EngineLog, silentLog, RepeatedWarnings } from './log.js';

/** Gives the time only if the clock can be trusted. */
export interface Timekeeper {
  /**
   * @param what `end`: an expiry, or the end of repeated attempts; `erase`: destroying data
   * @returns the time; `null`: the wall clock may be wrong, so ask again later
   * @throws {ReadStoreUnavailable} the clock's heartbeat cannot be read; ask again later
   */
  nowIfTrusted(what: Irrevocable): Promise<Date | null>;
}

/** Thrown by callers of `nowIfTrusted` that got `null` and need the time: try again later. */
export class ClockInDoubt extends Error {
  override readonly name = 'ClockInDoubt';

  constructor() {
    super('The clock of this machine may be wrong.');
  }
}

/** Interval of heartbeats, in milliseconds. */
const BEAT_MS = MINUTE_MS;
/** Shortest time between two judgements of a clock in doubt, in milliseconds: an operator may have confirmed it. */
const AGAIN_MS = 5 * SECOND_MS;
/** Most attempts to record a heartbeat while other processes record theirs. */
const MAX_ATTEMPTS = 10;

export interface TrustedClockOptions {
  readonly store: ReadStore['clock'];
  /** By default nothing is logged. */
  readonly log?: EngineLog;
  /** Reads both clocks at one moment. Default: this process's own. */
  readonly read?: () => Reading;
}

const ownReading = (): Reading => ({ wall: Date.now(), monotonic: performance.now() });

/**
 * The wall clock of this process, and whether it agrees with the others. It records a heartbeat for all processes: each
 * minute after `start`, and in `nowIfTrusted` if the last judgement is too old.
 */
export class TrustedClock implements Timekeeper {
  readonly #store: ReadStore['clock'];
  readonly #log: EngineLog;
  readonly #warnings: RepeatedWarnings;
  readonly #read: () => Reading;
  #last: Reading | null = null;
  #judgement: Judgement | null = null;
  /** A jump of the wall clock counts until it has advanced steadily for an hour again. */
  #jump: Disagreement | null = null;
  /** The state that the last notice described; `''`: the clock agreed. */
  #lastNotice = '';
  #beating: Promise<Judgement> | null = null;
  #stop: (() => void) | null = null;

  constructor({ store, log = silentLog, read = ownReading }: TrustedClockOptions) {
    this.#store = store;
    this.#log = log;
    this.#warnings = new RepeatedWarnings(log);
    this.#read = read;
  }

  /** Records a heartbeat now and every minute, until `stop`. */
  start(): void {
    this.#stop ??= everyTick(BEAT_MS, () => void this.#beatOrWarn());
    void this.#beatOrWarn();
  }

  /** Ends the heartbeats for good; resolves once none is under way. */
  async stop(): Promise<void> {
    this.#stop?.();
    await this.#beating?.catch(() => undefined);
  }

  /** The last disagreement of the clock with another; `null`: it agrees with all. */
  get disagreement(): Disagreement | null {
    return this.#judgement?.disagreement ?? this.#jump;
  }

  /** Which actions wait, by the last judgement; before the first one, none. */
  get waits(): Readonly<Record<Irrevocable, boolean>> {
    const { end, erase } = this.#judgement?.may ?? { end: true, erase: true };
    return { end: !end, erase: !erase };
  }

  async nowIfTrusted(what: Irrevocable): Promise<Date | null> {
    const isDue = this.#isToBeJudged(what);
    const judgement = isDue || this.#judgement === null ? await this.beat() : this.#judgement;
    const { wall } = this.#read();
    return judgement.may[what] && !this.#hasJumped() ? new Date(wall) : null;
  }

  /**
   * Judges the clock, and records the heartbeat that follows from it. Calls at the same time share one.
   * @throws {ReadStoreUnavailable} the heartbeat cannot be read or recorded
   */
  beat(): Promise<Judgement> {
    this.#beating ??= this.#beat().finally(() => (this.#beating = null));
    return this.#beating;
  }

  #isToBeJudged(what: Irrevocable): boolean {
    if (this.#last === null || this.#judgement === null || this.#hasJumped()) return true;
    const elapsed = this.#read().monotonic - this.#last.monotonic;
    return elapsed >= (this.#judgement.may[what] ? BEAT_MS : AGAIN_MS);
  }

  /** Whether the wall clock was set since the last heartbeat. */
  #hasJumped(): boolean {
    if (this.#last === null) return false;
    const now = this.#read();
    const elapsed = now.monotonic - this.#last.monotonic;
    return Math.abs(now.wall - this.#last.wall - elapsed) > driftMs(elapsed);
  }

  /** Judges the clock without recording anything, for `assay health`. @throws {ReadStoreUnavailable} */
  async assess(): Promise<void> {
    const { now, judgement } = await this.#judged();
    this.#take(now, judgement);
  }

  async #beat(): Promise<Judgement> {
    for (let attempt = 1; ; attempt++) {
      const { recorded, now, judgement } = await this.#judged();
      const next = { revision: (recorded?.revision ?? 0) + 1, ...judgement.heartbeat };
      // If other processes were first in the last attempt too, their heartbeat counts: this judgement is not recorded.
      if (!(await this.#store.record(recorded?.revision ?? null, next)) && attempt < MAX_ATTEMPTS) continue;
      this.#take(now, judgement);
      return judgement;
    }
  }

  /** Reads the clocks and judges by them; changes nothing. */
  async #judged() {
    const [recorded, serverTime] = await Promise.all([this.#store.heartbeat(), this.#store.serverTime()]);
    const now = this.#read();
    return { recorded, now, judgement: judge({ now, last: this.#last, heartbeat: recorded, serverTime }) };
  }

  /** Keeps a judgement, and logs it if what operators should know has changed. */
  #take(now: Reading, judgement: Judgement): void {
    this.#last = now;
    this.#judgement = judgement;
    const { disagreement, heartbeat } = judgement;
    if (disagreement?.with === 'monotonic clock') this.#jump = disagreement;
    else if (heartbeat.doubted === null && heartbeat.alikeMs >= HOUR_MS) this.#jump = null;
    const notice = clockNotice(this);
    const shown = notice === null ? '' : JSON.stringify([this.disagreement?.with, this.waits]);
    if (shown === this.#lastNotice) return;
    this.#lastNotice = shown;
    if (notice !== null) this.#log.warn({ ...this.disagreement }, notice);
    else this.#log.info({}, 'This machine’s clock agrees again.');
  }

  async #beatOrWarn(): Promise<void> {
    try {
      await this.beat();
      this.#warnings.resolved('beat');
    } catch (error) {
      this.#warnings.warn(
        'beat',
        { reason: reasonOf(error) },
        'The clock’s heartbeat could not be recorded.',
      );
    }
  }
}

/**
 * Records that this time is right, whatever was recorded before, for `assay clock confirm`.
 * @throws {ReadStoreUnavailable} also if other processes recorded theirs first in every attempt
 */
export const confirmClock = async (store: ReadStore['clock'], now: Date): Promise<void> => {
  const at = now.getTime();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const recorded = await store.heartbeat();
    // Within this gap, the time for which the clock has advanced steadily (`alikeMs`) continues.
    const isContinued = recorded !== null && Math.abs(at - recorded.at) <= MAX_GAP_MS;
    const next = { revision: (recorded?.revision ?? 0) + 1, at, doubted: null };
    const alikeMs = isContinued ? recorded.alikeMs : 0;
    if (await store.record(recorded?.revision ?? null, { ...next, alikeMs })) return;
  }
  throw new ReadStoreUnavailable('Other processes keep recording the time: try again.');
};

/** What an operator should know of the clock, in sentences; `null`: nothing. */
export const clockNotice = ({
  disagreement,
  waits,
}: Pick<TrustedClock, 'disagreement' | 'waits'>): string | null => {
  if (disagreement === null) return null;
  const { aheadMs } = disagreement;
  const direction = aheadMs < 0 ? 'behind' : 'ahead of';
  const waiting = waits.end
    ? ' Until it has been steady for an hour, no session expires, no candidate is erased by retention, and no mail or notice is abandoned for its age. If it is right, run `assay clock confirm`.'
    : waits.erase
      ? ' Erasures by retention wait until it has been steady for an hour.'
      : '';
  return `This machine’s clock is ${spanOf(Math.abs(aheadMs))} ${direction} ${OTHERS[disagreement.with]}: check its time.${waiting}`;
};

const OTHERS: Readonly<Record<Disagreement['with'], string>> = {
  heartbeat: 'the time that the service recorded last',
  'monotonic clock': 'its own steady clock: it was set while the service ran, or the machine slept',
  server: 'the clock of the read store’s server',
};

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
  ['seconds', SECOND_MS],
];

const spanOf = (ms: number): string => {
  const [name, size] = UNITS.find(([, least]) => ms >= 2 * least) ?? ['seconds', SECOND_MS];
  return `${Math.round(ms / size)} ${name}`;
};
