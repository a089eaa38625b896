import type {
  ApplicationCounts,
  EvaluationCounts,
  Permission,
  WaitingApplication,
  WaitingEvaluation,
} from '../../../packages/client/src/index.js';

/** One kind of what waits for staff. */
export interface Waiting {
  readonly kind: WaitingApplication | WaitingEvaluation;
  readonly count: number;
  /** The list where it is done. */
  readonly page: string;
}

/** The kinds in the order of the page, each with its list and the permission to do it. */
const KINDS = [
  ['outcome', 'candidates', 'outcomes.record'],
  ['contested', 'evaluations', 'outcomes.record'],
  ['expiring', 'candidates', 'candidates.invite'],
  ['accommodation', 'candidates', 'candidates.invite'],
  ['failed', 'evaluations', 'evaluations.regenerate'],
  ['overdue', 'evaluations', 'evaluations.regenerate'],
  ['erasure', 'candidates', 'candidates.erase'],
] as const satisfies readonly (readonly [Waiting['kind'], string, Permission])[];

/** What waits for a member with the permission for it, with the service's counts. */
export const waitingOf = (
  applications: ApplicationCounts,
  evaluations: EvaluationCounts,
  may: (permission: Permission) => boolean,
): readonly Waiting[] => {
  const counts = { ...applications.waiting, ...evaluations.waiting };
  return KINDS.flatMap(([kind, page, permission]) =>
    may(permission) && counts[kind] > 0
      ? [{ kind, count: counts[kind], page: `${page}?waiting=${kind}` }]
      : [],
  );
};
