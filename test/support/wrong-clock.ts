/**
 * Preloaded by `wrongClock` of service.ts: this process's wall clock is wrong by CLOCK_SHIFT_MS, and at each SIGUSR2
 * jumps by the next of CLOCK_JUMPS_MS (commas between), which it prints. Its monotonic clock stays right, as a
 * machine's does; with CLOCK_JUMPS=both it jumps too, as if that much time had passed.
 */
const both = process.env.CLOCK_JUMPS === 'both';
const monotonic = performance.now.bind(performance);
const jumps = (process.env.CLOCK_JUMPS_MS ?? '').split(',').map(Number);
const Right = Date;
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
let jumped = 0;

class Wrong extends Right {
  constructor(...given: readonly unknown[]) {
    // Only "now" goes wrong; a date that was named stays what it is.
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
