/** The device's clocks, in milliseconds. */
export interface DeviceClock {
  /** May be hours wrong, and jumps when it is set. */
  wall(): number;
  /** Never jumps, but may stop while the device sleeps. */
  monotonic(): number;
}

const device: DeviceClock = { wall: () => Date.now(), monotonic: () => performance.now() };

/** The clocks differ by more than this only after a sleep, or after the device's clock was set. */
const DRIFT_MS = 5_000;
/** HTTP gives whole seconds, rounded down. */
const HTTP_SECOND_MS = 1_000;

/** The service's time: the `Date` of the answers, advanced by the device's monotonic clock. */
export class ServiceClock {
  /** The service's time when the monotonic clock was 0; `null`: there was no answer yet. */
  private origin: number | null = null;
  private apart: number;

  constructor(private readonly clock: DeviceClock = device) {
    this.apart = this.difference();
  }

  /** Milliseconds since the epoch. Before the first answer it is the device's time. */
  now(): number {
    return this.origin === null ? this.clock.wall() : this.origin + this.clock.monotonic();
  }

  /**
   * Whether `now` follows the service: it has answered, and since its last answer the device has not slept and its clock
   * was not set.
   */
  get isSynchronised(): boolean {
    return this.origin !== null && Math.abs(this.difference() - this.apart) < DRIFT_MS;
  }

  /** For `learn`: when a request was sent. */
  mark(): number {
    return this.clock.monotonic();
  }

  /**
   * @param date the header `Date` of an answer
   * @param askedAt the mark when it was asked for
   */
  learn(date: string | null, askedAt: number): void {
    const earliest = Date.parse(date ?? '');
    if (Number.isNaN(earliest)) return;
    const mark = this.clock.monotonic();
    const latest = earliest + HTTP_SECOND_MS + (mark - askedAt);
    // The former estimate is kept as long as it is possible: it is more precise than a whole second.
    const known = this.origin === null ? (earliest + latest) / 2 : this.origin + mark;
    this.origin = Math.min(latest, Math.max(earliest, known)) - mark;
    this.apart = this.difference();
  }

  private difference(): number {
    return this.clock.wall() - this.clock.monotonic();
  }
}

/** The page's one clock. */
export const serviceClock = new ServiceClock();

/** The service's time, in milliseconds since the epoch: for deadlines, and for when something happened. */
export const serviceNow = (): number => serviceClock.now();

/** A moment in words with the name of the zone. @param timeZone the device's unless given */
export const dateTime = (language: string, instant: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(instant));

/** A deadline in the organisation's zone, as in mails, followed by the device's zone if that differs. */
export const deadline = (language: string, instant: string, timeZone?: string): string => {
  const here = dateTime(language, instant);
  try {
    const there = dateTime(language, instant, timeZone);
    return here === there ? here : `${there} (${here})`;
  } catch {
    // An older browser may not support the zone.
    return here;
  }
};
