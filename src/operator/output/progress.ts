import cliProgress from 'cli-progress';
import { amountText, durationText, rateText, type Unit } from './amounts.js';
import { Pace } from './pace.js';

/** Work whose end is known, one after the other. */
export interface Progress {
  begin(what: string, total: number, unit?: Unit): void;
  /** @param total where it has changed since */
  to(done: number, total?: number): void;
  end(): void;
}

/** A bar on a terminal; in a pipe a line for each tenth, and at least every half minute. */
export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  stream.isTTY ? barOn(stream) : linesOn((line) => stream.write(`${line}\n`));

const SILENCE_MS = 30_000;

function barOn(stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar(
    { format: '{what} [{bar}] {percentage} % · {state}', stream, hideCursor: true, barsize: 30 },
    cliProgress.Presets.shades_classic,
  );
  let course = new Course(0, null);
  return {
    begin: (what, total, unit = null) => {
      course = new Course(total, unit);
      bar.start(total, 0, { what, state: course.to(0) });
    },
    to: (done, total) => {
      const state = course.to(done, total);
      bar.setTotal(course.total);
      bar.update(Math.min(done, course.total), { state });
    },
    end: () => bar.stop(),
  };
}

/** @param now monotonic milliseconds */
export function linesOn(
  write: (line: string) => void,
  now: () => number = () => performance.now(),
): Progress {
  let name = '';
  let course = new Course(0, null, now);
  let tenth = 0;
  let saidAt = 0;
  return {
    begin: (what, total, unit = null) => {
      [name, course, tenth, saidAt] = [what, new Course(total, unit, now), 0, now()];
    },
    to: (done, total) => {
      const state = course.to(done, total);
      const reached = course.total === 0 ? 0 : Math.floor((done / course.total) * 10);
      if (reached <= tenth && now() - saidAt < SILENCE_MS) return;
      [tenth, saidAt] = [Math.max(tenth, reached), now()];
      write(`${name}: ${state}`);
    },
    end: () => undefined,
  };
}

/** One piece of work under way: how far, how fast, how long it will take. */
class Course {
  readonly #pace: Pace;

  constructor(
    public total: number,
    private readonly unit: Unit,
    now?: () => number,
  ) {
    this.#pace = new Pace(now);
    this.#pace.to(0);
  }

  to(done: number, total = this.total): string {
    this.total = total;
    this.#pace.to(done);
    const { unit } = this;
    const { rate } = this.#pace;
    const left = this.#pace.secondsTo(total);
    const counted = `${amountText(done, unit)} of ${amountText(total, unit)}`;
    return [
      unit === null || unit === 'bytes' ? counted : `${counted} ${unit}`,
      ...(rate === null || rate <= 0 ? [] : [rateText(rate, unit)]),
      ...(left === null || done >= total ? [] : [`${durationText(left)} left`]),
    ].join(' · ');
  }
}
