import type { OutcomeEvent, OutcomeValues } from '../src/domain/application/events.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import type { RoleEvent } from '../src/domain/role/events.js';
import type { TrialCompleted } from '../src/domain/session/events.js';

export interface SignalCounts {
  /** Sessions that reached `completed`. */
  readonly trialCompletedCount: number;
  /** Those of them with a standing outcome. */
  readonly outcomeRecordedCount: number;
  /** The rest of them. */
  readonly awaitingOutcomeCount: number;
  readonly humanRound: { readonly passed: number; readonly failed: number };
  readonly disposition: { readonly hired: number; readonly declined: number };
}

export interface RoleSignal extends SignalCounts {
  readonly roleId: string;
  /** Today's. */
  readonly roleName: string;
}

/**
 * A role's row of its organisation's signal, by `signalRowId`: one document for each role, so that none grows with the
 * organisation. An event changes one row alone.
 */
export interface SignalDocument extends ViewDocument {
  readonly organisationId: string;
  readonly roleId: string;
  /** `null` until the role is created. */
  readonly row: RoleSignal | null;
}

type SignalEvent = RoleEvent | TrialCompleted | OutcomeEvent;

export const ZERO: SignalCounts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

/** What an event adds to its role's row. Outcomes carry what they replace, so nothing needs to be looked up. */
const difference = (event: TrialCompleted | OutcomeEvent): SignalCounts => {
  if (event.type === 'trial.completed') return { ...ZERO, trialCompletedCount: 1, awaitingOutcomeCount: 1 };
  const now = event.type === 'outcome.recorded' ? event.data : null;
  const former = event.data.former;
  const standing = (now ? 1 : 0) - (former ? 1 : 0);
  const moved = <Key extends keyof OutcomeValues>(key: Key, value: OutcomeValues[Key]) =>
    (now?.[key] === value ? 1 : 0) - (former?.[key] === value ? 1 : 0);
  return {
    trialCompletedCount: 0,
    outcomeRecordedCount: standing,
    // Not `-standing`: that is -0 where nothing moves, which is no JSON number.
    awaitingOutcomeCount: 0 - standing,
    humanRound: { passed: moved('humanRound', 'passed'), failed: moved('humanRound', 'failed') },
    disposition: { hired: moved('disposition', 'hired'), declined: moved('disposition', 'declined') },
  };
};

/** The sum of two rows' counts. */
export const addCounts = (a: SignalCounts, b: SignalCounts): SignalCounts => ({
  trialCompletedCount: a.trialCompletedCount + b.trialCompletedCount,
  outcomeRecordedCount: a.outcomeRecordedCount + b.outcomeRecordedCount,
  awaitingOutcomeCount: a.awaitingOutcomeCount + b.awaitingOutcomeCount,
  humanRound: {
    passed: a.humanRound.passed + b.humanRound.passed,
    failed: a.humanRound.failed + b.humanRound.failed,
  },
  disposition: {
    hired: a.disposition.hired + b.disposition.hired,
    declined: a.disposition.declined + b.disposition.declined,
  },
});

export const signalRowId = (organisationId: string, roleId: string): string => `${organisationId}:${roleId}`;

export const signal: View<SignalDocument, SignalEvent> = {
  name: 'signal',
  version: 2,
  handles: ['role.created', 'role.updated', 'trial.completed', 'outcome.recorded', 'outcome.retracted'],
  documentId: ({ data }) => signalRowId(data.organisationId, data.roleId),
  // By the id alone: a row that is parked before its first event is still one of its organisation.
  initial: (id) => {
    const [organisationId = '', roleId = ''] = id.split(':');
    return { organisationId, roleId, row: null };
  },
  evolve(document, event) {
    const { roleId, row } = document;
    switch (event.type) {
      case 'role.created':
      case 'role.updated':
        return { ...document, row: { ...ZERO, ...row, roleId, roleName: event.data.definition.name } };
      default: {
        if (row === null) throw new Error(`The role ${roleId} has no row to be counted in.`);
        const { roleName } = row;
        return { ...document, row: { ...addCounts(row, difference(event)), roleId, roleName } };
      }
    }
  },
  indexes: { byOrganisation: ({ organisationId }) => [organisationId] },
};
