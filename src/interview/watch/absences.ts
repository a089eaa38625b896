import type { OpenInterviewDocument } from '../../../projections/open-interviews.js';

/** What is known of an interview's newest connection. */
export type Held = Pick<OpenInterviewDocument, 'connectionId' | 'host' | 'connected'>;

/** Since when, on this process's monotonic clock; `null`: not so. */
interface Absence {
  readonly droppedSince: number | null;
  readonly hostDeadSince: number | null;
}

/**
 * How long connections have been away, counted from when this process saw it. A living host looks after its own; one
 * that has not after twice the time has forgotten the connection.
 */
export class Absences {
  #known: ReadonlyMap<string, Absence> = new Map();

  /** @param resumeMs how long a client has to come back, in milliseconds */
  constructor(private readonly resumeMs: number) {}

  /** How many connections it has seen away. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * Takes in how the connections stand; those that are not among them are forgotten.
   * @returns those that have been away for too long
   */
  overdue<H extends Held>(held: readonly H[], isDead: (host: string) => boolean, now: number): readonly H[] {
    const known = new Map<string, Absence>();
    const overdue = held.filter(({ connectionId, host, connected }) => {
      const before = this.#known.get(connectionId);
      const droppedSince = connected ? null : (before?.droppedSince ?? now);
      const hostDeadSince = isDead(host) ? (before?.hostDeadSince ?? now) : null;
      if (droppedSince === null && hostDeadSince === null) return false;
      known.set(connectionId, { droppedSince, hostDeadSince });
      if (hostDeadSince === null) return now - (droppedSince ?? now) >= 2 * this.resumeMs;
      return now - Math.min(hostDeadSince, droppedSince ?? now) >= this.resumeMs;
    });
    this.#known = known;
    return overdue;
  }
}
