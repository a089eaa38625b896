import cliProgress from 'cli-progress';
import { amountText, durationText, rateText, type Unit } from './amounts.js';
import { Pace } from './pace.js';

/** Work whose end is known, one after the other. */
export interface Progress {
  begin(what: string, total: number, unit?: Unit): void;
  /**
   * As often as one likes.
   * @param total where it has changed since
   */
  to(done: number, total?: number): void;
  end(): void;
}

/** A bar on a terminal; in a pipe a line for each tenth, and at least every half minute. */
export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  stream.isTTY ? barOn(stream) : linesOn((line) => stream.write(`${line}\n`));

const FRAME_MS = 100;
const SILENCE_MS = 30_000;

function barOn(stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar(
    {
      format: '{what} [{bar}] {percentage} % · {state}',
      stream,
      hideCursor: true,
      barsize: 30,
      // Else what has another end by now is taken for done.
      stopOnComplete: false,
    },
    cliProgress.Presets.shades_classic,
  );
  let course = new Course(0, null);
  let drawnAt = 0;
  const draw = (done: number): void => {
    drawnAt = performance.now();
    bar.setTotal(course.total);
    bar.update(Math.min(done, course.total), { state: course.text });
  };
  return {
    begin: (what, total, unit = null) => {
      course = new Course(total, unit);
      drawnAt = performance.now();
      bar.start(total, 0, { what, state: course.text });
    },
    to: (done, total) => {
      course.to(done, total);
      if (done >= course.total || performance.now() - drawnAt >= FRAME_MS) draw(done);
    },
    end: () => {
      draw(course.done);
      bar.stop();
    },
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
      course.to(done, total);
      const reached = course.total === 0 ? 0 : Math.floor((done / course.total) * 10);
      if (reached <= tenth && now() - saidAt < SILENCE_MS) return;
      [tenth, saidAt] = [Math.max(tenth, reached), now()];
      write(`${name}: ${course.text}`);
    },
    end: () => undefined,
  };
}

/** One piece of work under way: how far, how fast, how long it will take. */
class Course {
  done = 0;
  readonly #pace: Pace;

  constructor(
    public total: number,
    private readonly unit: Unit,
    now?: () => number,
  ) {
    this.#pace = new Pace(now);
  }

  to(done: number, total = this.total): void {
    this.done = done;
    this.total = total;
    this.#pace.to(done);
  }

  get text(): string {
    const { done, total, unit } = this;
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
