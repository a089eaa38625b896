/**
 * Preloaded (`node --import`): at each SIGUSR2 this process's wall clock jumps by the next of CLOCK_JUMPS_MS (commas
 * between), as that of a machine does which somebody sets. Its monotonic clock goes on, as a machine's does.
 */
const jumps = (process.env.CLOCK_JUMPS_MS ?? '').split(',').map(Number);
const Right = Date;
let shift = 0;

class Jumping extends Right {
  constructor(...given: readonly unknown[]) {
    // Only "now" goes wrong; a date that was named stays what it is.
    if (given.length === 0) super(Right.now() + shift);
    else super(...(given as []));
  }

  static override now(): number {
    return Right.now() + shift;
  }
}

globalThis.Date = Jumping as DateConstructor;
process.on('SIGUSR2', () => (shift += jumps.shift() ?? 0));
