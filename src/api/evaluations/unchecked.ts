import { Enumeration, Named, Nullable, Ordinal, type Static, Type } from '../../core/json-schema.js';
import type { DimensionScore } from '../../domain/evaluation/events.js';
import { CHECK_FAILURES, type CheckFailure } from '../../domain/session/check-events.js';
import { uncheckedInWords } from '../../scoring/rubric/caveat.js';

export const CheckFailureCode = Enumeration('CheckFailure', Object.keys(CHECK_FAILURES) as CheckFailure[], {
  description: 'Why there is no result. It is about the run, never about the candidate.',
});

/** How much higher a score would be if the tests that could not run had passed. */
export const UncheckedPoints = Type.Number({
  description:
    'How many points out of 100 the score would have more, if all tests of the checks without a result had passed. At most 6 decimal places.',
});

const UncheckedRecord = Named(
  'UncheckedWork',
  {
    points: UncheckedPoints,
    checks: Type.Array(
      Named('FailedChecks', {
        reason: Nullable(CheckFailureCode),
        tickets: Type.Array(Ordinal, { description: 'Places in the role’s `ticketIds`, from 1.' }),
      }),
    ),
    text: Type.String({ description: 'The same as sentences, with what can be done.' }),
  },
  { description: 'Checks without a result. A score is what is proven: they earn nothing.' },
);

/** The part of a score that was not checked, as staff see it. */
export const Unchecked = Nullable(UncheckedRecord);

/** @returns `null` if every check gave a result */
export const uncheckedRecord = (
  { unchecked }: Pick<DimensionScore, 'unchecked'>,
  evaluationId: string,
): Static<typeof Unchecked> =>
  unchecked
    ? {
        points: unchecked.points,
        checks: unchecked.checks.map(({ reason, tickets }) => ({ reason, tickets: [...tickets] })),
        text: `${uncheckedInWords(unchecked)} Once the cause is removed, an operator can run them again: \`assay checks again ${evaluationId}\`.`,
      }
    : null;
