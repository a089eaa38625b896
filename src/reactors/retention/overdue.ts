import type { Decision } from '../../core/decider.js';
import { accept } from '../../core/decider.js';
import { type CandidateState, eraseCandidate } from '../../domain/candidate/decider.js';
import type { CandidateEvent } from '../../domain/candidate/events.js';

/** What of one of the candidate's applications says when something happened with it last. */
export interface Kept {
  /** When its session ended, `null` while it is open. */
  readonly endedAt: string | null;
  /** When its outcome was recorded, corrected or retracted last, `null` where it never was. */
  readonly outcomeChangedAt: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What changed last at this time or before has been kept for so many days. @param now RFC 3339, as times are stored */
export const keptSince = (days: number, now: Date): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();

/**
 * Erases a candidate who has been kept for longer than the organisation keeps anybody. With an open session, or since
 * something has happened in the meantime, there is nothing to do.
 */
export const eraseOverdue = (
  state: CandidateState,
  input: {
    /** The organisation's setting; `null`: it keeps candidates for good. */
    readonly retentionDays: number | null;
    /** One for each of the candidate's applications, from their streams read to their ends. */
    readonly applications: readonly Kept[];
    readonly now: Date;
  },
): Decision<CandidateEvent> => {
  const { retentionDays, applications, now } = input;
  if (state === null || retentionDays === null) return accept();
  const since = keptSince(retentionDays, now);
  const isOverdue = applications.every(
    ({ endedAt, outcomeChangedAt }) =>
      endedAt !== null && endedAt <= since && (outcomeChangedAt === null || outcomeChangedAt <= since),
  );
  return isOverdue ? eraseCandidate(state, { cause: 'retention' }) : accept();
};
