/**
 * Preloaded (`node --import`): at each SIGUSR2 this process's wall clock jumps by the next of CLOCK_JUMPS_MS (commas
 * between), as that of a machine does which somebody sets. Its monotonic clock goes on, as a machine's does; with
 * CLOCK_JUMPS=both it jumps too, as if that much time had passed.
 */
const both = process.env.CLOCK_JUMPS === 'both';
const monotonic = performance.now.bind(performance);
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
if (both) performance.now = () => monotonic() + shift;
process.on('SIGUSR2', () => (shift += jumps.shift() ?? 0));
