/**
 * Preloaded by `wrongClock` of service.ts. This process's wall clock is wrong by CLOCK_SHIFT_MS. At each SIGUSR2 it jumps
 * by the next of CLOCK_JUMPS_MS (comma-separated), and a line is printed. The monotonic clock stays right; with
 * CLOCK_JUMPS=both it jumps, too, as if so much time had passed.
 */
const both = process.env.CLOCK_JUMPS === 'both';
const monotonic = performance.now.bind(performance);
const jumps = (process.env.CLOCK_JUMPS_MS ?? '').split(',').map(Number);
const Right = Date;
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
let jumped = 0;

class Wrong extends Right {
  constructor(...given: readonly unknown[]) {
    // Only "now" is wrong; a given date stays unchanged.
    if (given.length === 0) super(Right.now() + shift);
    else super(...(given as []));
  }

  static override now(): number {
    return Right.now() + shift;
  }
}

globalThis.Date = Wrong as DateConstructor;
if (both) performance.now = () => monotonic() + jumped;
process.on('SIGUSR2', () => {
  const jump = jumps.shift() ?? 0;
  shift += jump;
  jumped += jump;
  console.error(`The clock jumped by ${jump} ms.`);
});
