import type { DimensionScore, FailedChecks, UncheckedWork } from '../../domain/evaluation/events.js';
import { CHECK_FAILURES } from '../../domain/session/check-events.js';
import type { EvidenceSource } from '../../domain/session/events.js';
import { type Signal, SIGNALS } from './measure.js';

/** The figures that a caveat is about. */
type Figures = Pick<DimensionScore, 'dimensionCategory' | 'leftOut' | 'unchecked'> & {
  readonly terms: readonly Pick<DimensionScore['terms'][number], 'signal' | 'tests'>[];
};

/**
 * What a score does not prove, in sentences for its readers: which checks gave no result, and what correctness rests on if
 * no check ran over the work, or if the work could have changed the result of one. Empty if neither is the case, and for
 * scores of rule sets before r4, which recorded neither.
 */
export const caveatOf = (score: Figures): string =>
  [
    ...(score.unchecked ? [uncheckedInWords(score.unchecked)] : []),
    ...(score.leftOut && score.dimensionCategory === 'correctness' ? basisOf(score) : []),
  ].join(' ');

const basisOf = ({ terms, leftOut = [] }: Figures): readonly string[] => {
  const isFrom = (source: EvidenceSource) =>
    terms.some(
      ({ signal }) => Object.hasOwn(SIGNALS, signal) && SIGNALS[signal as Signal].sources.includes(source),
    );
  if (terms.some(({ tests }) => tests?.shared))
    return ['The work ran in one process with its tests and could have changed their results.'];
  if (terms.length === 0 || isFrom('checker')) return [];
  const isWithoutChecker = leftOut.some(({ reason }) => reason === 'not_checked');
  const why = isWithoutChecker
    ? 'The service had no checker, so no check ran over the work'
    : 'No check ran over the work';
  const isHandedIn = terms.some(({ signal }) => signal === 'unchecked_handed_in');
  if (isFrom('candidate'))
    return [
      `${why}: the score rests on ${isHandedIn ? 'what was handed in and on ' : ''}what the candidate’s own page or programs report.`,
    ];
  return [
    isHandedIn
      ? `${why}: the score rests on what was handed in, not on whether it works.`
      : `${why}: the score rests on which questions were answered, not on whether the answers are right.`,
  ];
};

/** Which checks gave no result, why, and what that costs at most. */
export const uncheckedInWords = ({ points, checks }: UncheckedWork): string =>
  [...checks.map(failedInWords), `Up to ${points} of 100 points are missing for this.`].join(' ');

/** Maximum number of tickets that a sentence names; of more it gives the number. */
const NAMED_TICKETS = 10;

const failedInWords = ({ reason, tickets }: FailedChecks): string => {
  const which =
    tickets.length > NAMED_TICKETS
      ? `${tickets.length} tickets`
      : `${tickets.length === 1 ? 'ticket' : 'tickets'} ${listed(tickets)}`;
  const why = reason === null ? '' : CHECK_FAILURES[reason];
  return `The checks of ${which} gave no result${why && `: ${why.charAt(0).toLowerCase()}${why.slice(1, -1)}`}.`;
};

const listed = (tickets: readonly number[]): string =>
  tickets.length < 2 ? tickets.join('') : `${tickets.slice(0, -1).join(', ')} and ${tickets.at(-1) ?? ''}`;
