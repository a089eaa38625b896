import type { RoleDefinition } from '../../src/domain/role/events.js';
import type { CheckFailure } from '../../src/domain/session/check-events.js';
import type { TicketWork } from '../../src/domain/session/events.js';
import { evidenceOf, type EvidenceEvent } from '../../src/scoring/evidence/evidence.js';
import { roleDefinition, SessionBuilder, testId } from './evidence-builder.js';

/** A ticket's work with these checks. */
export const workOf = (checks: '' | 'visible' | 'hidden' | 'both' = 'hidden'): TicketWork => ({
  kind: 'files',
  visibleChecks: checks === 'visible' || checks === 'both',
  hiddenChecks: checks === 'hidden' || checks === 'both',
});

/** Passed and failed tests. */
type Counts = readonly [passed: number, failed: number];

/** A step of a session's work: a hand-in, or the result of its checks. */
export interface WorkStep {
  readonly ticketId: string;
  /** The number of the ticket's hand-in, from 1. */
  readonly handIn: number;
  /** Left out: the hand-in arrives. A reason: the check gave no result. */
  readonly result?: { readonly visible?: Counts; readonly hidden?: Counts } | CheckFailure;
  readonly scope?: 'visible' | 'all';
  readonly isolation?: 'separate' | 'shared';
}

type Source = EvidenceEvent['source'];

const counts = ([passed, failed]: Counts = [0, 0]) => ({ passed, failed, errors: 0 });

/** @param source by default the true one; another one is a forgery */
export const workEvent = (
  step: WorkStep,
  source?: Source,
): Pick<EvidenceEvent, 'eventType' | 'source' | 'payload'> => {
  const { ticketId, handIn, result, scope = 'all', isolation = 'separate' } = step;
  const ids = { handInId: `${ticketId}/${handIn}`, ticketId };
  if (result === undefined)
    return {
      eventType: 'work.handed_in',
      source: source ?? 'service',
      payload: {
        ...ids,
        ticketVersion: 1,
        bytes: 100,
        files: 2,
        sha256: 'a'.repeat(64),
        treeSha256: 'b'.repeat(64),
      },
    };
  const isError = typeof result === 'string';
  return {
    eventType: 'work.checked',
    source: source ?? 'checker',
    payload: {
      ...ids,
      ...{ scope, isolation, outcome: isError ? 'error' : 'checked', reason: isError ? result : null },
      visible: counts(isError ? undefined : result.visible),
      hidden: counts(isError ? undefined : result.hidden),
      ms: 40,
    },
  };
};

export interface WorkedSession {
  readonly role: RoleDefinition;
  readonly evidence: readonly EvidenceEvent[];
}

/**
 * The evidence of a session of a role with these tickets.
 * @param before adds events before the work
 */
export const workedSession = (
  tickets: Readonly<Record<string, TicketWork | null>>,
  steps: readonly WorkStep[],
  before: (session: SessionBuilder) => SessionBuilder = (session) => session,
): WorkedSession => {
  const role = roleDefinition({ ticketIds: Object.keys(tickets) });
  const versions = Object.entries(tickets).map(([ticketId, work]) => ({
    ...{ ticketId, version: 1 },
    ...(work && { work }),
  }));
  const session = evidenceOf(before(new SessionBuilder(role).started()).completed());
  if (session === null) throw new Error('This evidence cannot be read.');
  const opened = session.map((event) =>
    event.eventType === 'trial.started'
      ? { ...event, payload: { ...event.payload, tickets: versions } }
      : event,
  );
  return {
    role,
    evidence: withWork(
      opened,
      steps.map((step) => workEvent(step)),
    ),
  };
};

/** Adds events at the session's end, a second apart. */
export const withWork = (
  evidence: readonly EvidenceEvent[],
  events: readonly Pick<EvidenceEvent, 'eventType' | 'source' | 'payload'>[],
): readonly EvidenceEvent[] => {
  const last = evidence.at(-1);
  if (last === undefined) return [];
  return [
    ...evidence,
    ...events.map((event, place) => {
      const at = new Date(Date.parse(last.recordedAt) + (place + 1) * 1_000).toISOString();
      const sequenceNumber = last.sequenceNumber + place + 1;
      return { ...event, id: testId(12, sequenceNumber), sequenceNumber, occurredAt: at, recordedAt: at };
    }),
  ];
};
