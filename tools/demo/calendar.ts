import { DAY_MS, MINUTE_MS } from '../../src/core/timestamp.js';
import { type DemoCandidate, storyOf } from './cast.js';

/** The history ends this long before now. Its time passes faster, and must not overtake the real time. */
const SPARE_MS = 40 * MINUTE_MS;
const BEGINS_DAYS_AGO = 15;
/** Candidates act within this many minutes after a time of the calendar. */
const SPREAD_MINUTES = 24;

/**
 * When things happen in the demo, in milliseconds of the epoch: at hours of this machine's time zone, all in the past. The
 * fewer different times a day has, the sooner the history is made: what happens at the same time is played concurrently.
 */
export class Calendar {
  /** @param now the real time */
  constructor(private readonly now: number) {}

  /** When the company begins. */
  get beginning(): number {
    return this.at(BEGINS_DAYS_AGO, 9);
  }

  /** A day after now. */
  get tomorrow(): number {
    return this.now + DAY_MS;
  }

  /** A time of day so many days ago, in milliseconds of the epoch; never in the last moments before now. */
  at(daysAgo: number, hour: number, minute = 0): number {
    const day = new Date(this.now - Math.max(0, daysAgo) * DAY_MS);
    return Math.min(day.setHours(hour, minute, 0, 0), this.now - SPARE_MS);
  }

  /** The days of one candidate. @param place the candidate's number, which shifts the times */
  of(candidate: DemoCandidate, place: number): CandidateDays {
    const minute = (place * 7) % SPREAD_MINUTES;
    const { invited } = candidate;
    const { ending, extras = [] } = storyOf(candidate);
    const worked = ending === 'in_interview' ? 0 : invited - 1 - (place % 2);
    const at = (daysAgo: number, hour: number): number => this.at(daysAgo, hour, minute);
    return {
      invite: at(invited, 9),
      asksForAccommodation: at(invited, 13),
      isAccommodated: at(invited, 15),
      start: at(worked, 13),
      // The scorer is unavailable on an evening with no other interview, so that only this evaluation fails.
      work: at(worked, extras.includes('scorer_is_unavailable') ? 19 : 15),
      leave: at(worked, 17),
      outcome: (number) => at(worked - 1 - number, 10),
      isShared: at(worked - 2, 13),
      contests: at(worked - 3, 15),
      isAnswered: at(worked - 4, 10),
      asksForErasure: at(worked - 3, 13),
      isErased: at(worked - 4, 10),
    };
  }
}

/** When each step of a candidate's story is due, in milliseconds of the epoch. A story does not have all of them. */
export interface CandidateDays {
  readonly invite: number;
  readonly asksForAccommodation: number;
  readonly isAccommodated: number;
  readonly start: number;
  /** An interview follows at once. */
  readonly work: number;
  readonly leave: number;
  /** @param number of the outcome, from 0 */
  readonly outcome: (number: number) => number;
  readonly isShared: number;
  readonly contests: number;
  readonly isAnswered: number;
  readonly asksForErasure: number;
  readonly isErased: number;
}
