import type { RefusalCodes } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import type { ContestEvent, Contested } from './events.js';

/** What a contest and its answer are refused with, beside the common codes. */
export const CONTEST_CODES = {
  nothing_released: { kind: 'conflict', meaning: 'Nothing of the evaluation is released to its candidate.' },
  too_many_contests: { kind: 'conflict', meaning: 'The evaluation has as many contests as it may have.' },
  already_answered: { kind: 'conflict', meaning: 'The contest is answered already.' },
} as const satisfies RefusalCodes;

/** What a candidate disputes. `reference` and `text` are `null` once they can no longer be read. */
export interface Contest {
  readonly contestId: string;
  readonly kind: Contested;
  /** What it is about, as the candidate names it; `null`: they named nothing. */
  readonly reference: string | null;
  readonly text: string | null;
  readonly contestedAt: string;
  /** `null` until staff answer. */
  readonly answer: ContestAnswer | null;
}

export interface ContestAnswer {
  /** `null` once it can no longer be read. */
  readonly text: string | null;
  readonly answeredAt: string;
  readonly answeredBy: string;
}

/** The contests of an evaluation after one more event. */
export const contestsAfter = (
  contests: readonly Contest[],
  event: Stored<ContestEvent>,
): readonly Contest[] => {
  const { contestId } = event.data;
  const at = event.metadata.recordedAt;
  if (event.type === 'evaluation.contested') {
    const { reference = null, text = null } = event.personal ?? {};
    const { kind } = event.data;
    return [...contests, { contestId, kind, reference, text, contestedAt: at, answer: null }];
  }
  const { answeredBy } = event.data;
  const answer = { text: event.personal?.text ?? null, answeredAt: at, answeredBy };
  return contests.map((one) => (one.contestId === contestId ? { ...one, answer } : one));
};

/** The contest after the erasure of its candidate. */
export const unreadable = (contest: Contest): Contest => ({
  ...contest,
  reference: null,
  text: null,
  answer: contest.answer && { ...contest.answer, text: null },
});
