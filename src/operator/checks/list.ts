import { handIns } from '../../../projections/hand-ins.js';
import { pendingChecks } from '../../../projections/pending-checks.js';
import { attemptsDecider } from '../../domain/evaluation/attempts.js';
import { CHECK_FAILURES, type CheckFailure } from '../../domain/session/check-events.js';
import { allOf, type Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { Stores } from '../../process/stores.js';
import { counted } from '../cli/output.js';

/** A check that has no result. */
export interface ListedCheck {
  readonly state: 'waiting' | 'failed';
  readonly organisationId: string;
  readonly trialSessionId: string;
  /** `null` until the session is completed. */
  readonly evaluationId: string | null;
  /** `null`: not yet known. */
  readonly ticketId: string | null;
  readonly handInId: string;
  readonly scope: 'visible' | 'all';
  /** When it was requested, or when it failed. */
  readonly since: string;
  /** Processes that have begun it. */
  readonly attempts: number;
  /** Why it failed the last time; `null`: it has not failed. */
  readonly reason: CheckFailure | null;
}

/** The checks that `assay checks list` prints. */
export interface ListedChecks {
  /** The failed ones first, the oldest of each first. */
  readonly checks: readonly ListedCheck[];
  /** There are more than the limit. */
  readonly more: boolean;
}

type Needed = Pick<Stores, 'reader' | 'streams'>;
type Known = Omit<ListedCheck, 'ticketId' | 'attempts'> & {
  readonly ticketId?: string;
  /** The generation of the evaluation whose attempts are counted; `null`: the last one that was begun. */
  readonly generation: number | null;
};

/** Reads the waiting and the failed checks from the view. Writes nothing. */
export const listChecks = async ({ reader, streams }: Needed, limit: number): Promise<ListedChecks> => {
  const found: Known[] = [];
  for (const [index, of] of [
    ['byFailure', failedOf],
    ['bySince', waitingOf],
  ] as const) {
    for await (const session of allOf(reader, pendingChecks, { index, prefix: [] })) {
      found.push(...of(session));
      // One more than is shown, to know whether there are more.
      if (found.length > limit) break;
    }
    if (found.length > limit) break;
  }
  const checks: ListedCheck[] = [];
  for (const { generation, ticketId, ...check } of found.slice(0, limit)) {
    const { handInId } = check;
    const begun = (await streams.events(attemptsDecider, handInId)).filter(
      ({ type }) => type === 'attempt.begun',
    );
    const last = generation ?? begun.at(-1)?.data.generation;
    checks.push({
      ...check,
      ticketId: ticketId ?? (await reader.outline(handIns, handInId))?.document.ticketId ?? null,
      attempts: begun.filter(({ data }) => data.generation === last).length,
    });
  }
  return { checks, more: found.length > limit };
};

type Session = Found<DocumentOf<typeof pendingChecks>>;

/** The failed checks, without those that are requested again, which are listed as waiting. */
const failedOf = ({ document }: Session): readonly Known[] =>
  document.failed
    .filter(({ handInId }) => document.waiting.every((one) => one.handInId !== handInId))
    .map(({ handInId, ticketId, reason, at }) => ({
      ...{ state: 'failed', ...idsOf(document), ticketId, handInId },
      ...{ scope: 'all', since: at, reason, generation: null },
    }));

const waitingOf = ({ document }: Session): readonly Known[] =>
  document.waiting.map(({ handInId, scope, askedAt }) => ({
    ...{ state: 'waiting', ...idsOf(document), handInId, scope, since: askedAt },
    reason: document.failed.find((one) => one.handInId === handInId)?.reason ?? null,
    generation: document.generation,
  }));

const idsOf = ({ organisationId, trialSessionId, evaluationId }: Session['document']) => ({
  ...{ organisationId, trialSessionId, evaluationId },
});

/** The list for people, with some lines for each check. */
export const listLines = ({ checks, more }: ListedChecks, limit: number): readonly string[] => {
  if (checks.length === 0) return ['No check waits, and none failed.'];
  return [
    ...checks.flatMap(linesOf),
    ...(more ? [`There are more than these ${limit}: raise --limit.`] : []),
  ];
};

const linesOf = (check: ListedCheck): readonly string[] => {
  const { state, handInId, scope, since, attempts: begun, reason } = check;
  const { ticketId, trialSessionId, evaluationId, organisationId } = check;
  const row = (name: string, value: string | null): string => `    ${name.padEnd(14)}${value ?? '?'}`;
  return [
    `hand-in ${handInId}  (${state}${scope === 'visible' ? ', visible checks' : ''})`,
    ...(reason === null ? [] : [row('reason', `${reason}: ${CHECK_FAILURES[reason]}`)]),
    row('since', `${since}, ${counted(begun, 'attempt')}`),
    row('ticket', ticketId),
    row('session', trialSessionId),
    ...(evaluationId === null ? [] : [row('evaluation', evaluationId)]),
    row('organisation', organisationId),
  ];
};
