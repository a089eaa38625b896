import cliProgress from 'cli-progress';

/**
 * Shows the progress of pieces of work, one after the other, each with a known end. Calls for each: `begin`, `update` as
 * often as needed, `end`.
 */
export interface Progress {
  /** @param unit default: the amounts are shown without a unit */
  begin(what: string, total: number, unit?: Unit): void;
  /**
   * @param done the amount so far, not since the last call
   * @param total the new total, if it has changed
   */
  update(done: number, total?: number): void;
  end(): void;
}

/** A bar on a terminal; in a pipe a line for each tenth, and at least every half minute. */
export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  stream.isTTY ? barOn(stream) : linesOn((line) => stream.write(`${line}\n`));

const FRAME_MS = 100;
/** Longest time between two lines, in milliseconds. */
const MAX_SILENCE_MS = 30_000;

function barOn(stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: '{what} [{bar}] {percentage} % · {state}',
      stream,
      hideCursor: true,
      barsize: 30,
      // The bar must not end at the first total, which may grow.
      stopOnComplete: false,
    },
    cliProgress.Presets.shades_classic,
  );
  let work = new ProgressTracker(0, null);
  let drawnAt = 0;
  const draw = (done: number): void => {
    drawnAt = performance.now();
    bar.setTotal(work.total);
    bar.update(Math.min(done, work.total), { state: work.text });
  };
  return {
    begin: (what, total, unit = null) => {
      work = new ProgressTracker(total, unit);
      drawnAt = performance.now();
      bar.start(total, 0, { what, state: work.text });
    },
    update: (done, total) => {
      work.update(done, total);
      if (done >= work.total || performance.now() - drawnAt >= FRAME_MS) draw(done);
    },
    end: () => {
      draw(work.done);
      bar.stop();
    },
  };
}

/** Shows progress as `progressOn` does in a pipe. @param now monotonic milliseconds */
export function linesOn(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
): Progress {
  let name = '';
  let work = new ProgressTracker(0, null, now);
  let tenth = 0;
  let saidAt = 0;
  return {
    begin: (what, total, unit = null) => {
      [name, work, tenth, saidAt] = [what, new ProgressTracker(total, unit, now), 0, now()];
    },
    update: (done, total) => {
      work.update(done, total);
      const reached = work.total === 0 ? 0 : Math.floor((done / work.total) * 10);
      if (reached <= tenth && now() - saidAt < MAX_SILENCE_MS) return;
      [tenth, saidAt] = [Math.max(tenth, reached), now()];
      write(`${name}: ${work.text}`);
    },
    end: () => undefined,
  };
}

/** A running piece of work: how much is done, its rate, and the time for the rest. */
class ProgressTracker {
  done = 0;
  readonly #rate: RateEstimate;

  constructor(
    public total: number,
    private readonly unit: Unit,
    now?: () => number,
  ) {
    this.#rate = new RateEstimate(now);
  }

  update(done: number, total = this.total): void {
    this.done = done;
    this.total = total;
    this.#rate.update(done);
  }

  get text(): string {
    const { done, total, unit } = this;
    const { rate } = this.#rate;
    const left = this.#rate.secondsTo(total);
    const counted = `${amountText(done, unit)} of ${amountText(total, unit)}`;
    return [
      unit === null || unit === 'bytes' ? counted : `${counted} ${unit}`,
      ...(rate === null || rate <= 0 ? [] : [rateText(rate, unit)]),
      ...(left === null || done >= total ? [] : [`${durationText(left)} left`]),
    ].join(' · ');
  }
}

/** Samples that are older do not count for the rate, in milliseconds. */
const WINDOW_MS = 15_000;
/** Shortest time between two samples, and shortest time over which a rate is computed, in milliseconds. */
const STEP_MS = 500;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Estimates a rate from the samples of the last seconds. */
export class RateEstimate {
  /** Samples at least `STEP_MS` apart. */
  #samples: readonly Sample[] = [];
  #last: Sample | null = null;

  /** @param now monotonic milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Records the amount done. May be called as often as needed. A smaller amount than before restarts the estimate. */
  update(done: number): void {
    const sample = { at: this.now(), done };
    if (this.#last !== null && done < this.#last.done) this.#samples = [];
    this.#last = sample;
    const before = this.#samples.at(-1);
    if (before !== undefined && sample.at - before.at < STEP_MS) return;
    // The last sample before the window stays, since after a long pause there would be no other.
    const from = this.#samples.findLastIndex(({ at }) => sample.at - at > WINDOW_MS);
    this.#samples = [...this.#samples.slice(Math.max(0, from)), sample];
  }

  /** The rate per second; `null`: not yet known. */
  get rate(): number | null {
    const first = this.#samples[0];
    const last = this.#last;
    if (first === undefined || last === null || last.at - first.at < STEP_MS) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  /** Seconds until `total` at the current rate; `null`: unknown, or the rate is 0. */
  secondsTo(total: number): number | null {
    const { rate } = this;
    if (rate === null || rate <= 0) return null;
    return Math.max(0, total - (this.#last?.done ?? 0)) / rate;
  }
}

/** What is counted. `bytes` are shown in larger units, anything else unchanged. `null`: it has no name. */
export type Unit = 'bytes' | 'events' | 'documents' | null;

const MEASURES = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** An amount without its unit's name: `1234`, `12.3 MB`. */
export const amountText = (amount: number, unit: Unit): string => {
  if (unit !== 'bytes') return String(Math.round(amount));
  const power = Math.min(MEASURES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, amount)) / 3)));
  const digits = power === 0 ? 0 : 1;
  return `${(amount / 1000 ** power).toFixed(digits)} ${MEASURES[power] ?? ''}`;
};

/** Below ten with a decimal place: `0.4/s`, `12/s`, `3.1 MB/s`. */
export const rateText = (perSecond: number, unit: Unit): string =>
  unit !== 'bytes' && perSecond > 0 && perSecond < 10
    ? `${Number(perSecond.toFixed(1))}/s`
    : `${amountText(perSecond, unit)}/s`;

/** `0.4 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export const durationText = (seconds: number): string => {
  if (seconds > 0 && seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return twoPlaces(minutes, 'min', whole % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return twoPlaces(hours, 'h', minutes % 60, 'min');
  return twoPlaces(Math.floor(hours / 24), 'd', hours % 24, 'h');
};

const twoPlaces = (first: number, of: string, second: number, ofThat: string): string =>
  second === 0 ? `${first} ${of}` : `${first} ${of} ${second} ${ofThat}`;
