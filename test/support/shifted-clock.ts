/**
 * Preloaded (`node --import`): this process's wall clock goes wrong by CLOCK_SHIFT_MS, as that of a machine does whose
 * time nobody keeps. Its monotonic clock stays right, as a machine's does.
 */
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const Right = Date;

class Shifted extends Right {
  constructor(...given: readonly unknown[]) {
    // Only "now" goes wrong; a date that was named stays what it is.
    if (given.length === 0) super(Right.now() + shift);
    else super(...(given as []));
  }

  static override now(): number {
    return Right.now() + shift;
  }
}

globalThis.Date = Shifted as DateConstructor;
