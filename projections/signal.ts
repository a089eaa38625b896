import type { OrganisationCreated } from '../src/organisations/events.js';
import type { OutcomeEvent, OutcomeValues } from '../src/outcomes/events.js';
import type { View, ViewDocument } from '../src/projection-engine/view.js';
import type { RoleEvent } from '../src/roles/events.js';
import type { TrialCompleted } from '../src/trials/events.js';

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

/** An organisation's signal summary, by its id: one row for each of its roles, by name, then by id. */
export interface SignalDocument extends ViewDocument {
  readonly roles: readonly RoleSignal[];
  /** The rows' sum. */
  readonly totals: SignalCounts;
}

type SignalEvent = OrganisationCreated | RoleEvent | TrialCompleted | OutcomeEvent;

const ZERO: SignalCounts = {
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

const add = (a: SignalCounts, b: SignalCounts): SignalCounts => ({
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

export const signal: View<SignalDocument, SignalEvent> = {
  name: 'signal',
  version: 1,
  handles: [
    'organisation.created',
    'role.created',
    'role.updated',
    'trial.completed',
    'outcome.recorded',
    'outcome.retracted',
  ],
  documentId: (event) => event.data.organisationId,
  initial: () => ({ roles: [], totals: ZERO }),
  evolve(document, event) {
    switch (event.type) {
      // Listed so that an organisation without roles has its document too.
      case 'organisation.created':
        return document;
      case 'role.created':
      case 'role.updated':
        return { ...document, roles: named(document.roles, event.data.roleId, event.data.definition.name) };
      default: {
        const counts = difference(event);
        return {
          roles: counted(document.roles, event.data.roleId, counts),
          totals: add(document.totals, counts),
        };
      }
    }
  },
};

const named = (rows: readonly RoleSignal[], roleId: string, roleName: string): readonly RoleSignal[] => {
  const row = rows.find((one) => one.roleId === roleId);
  if (row?.roleName === roleName) return rows;
  const others = rows.filter((one) => one.roleId !== roleId);
  return [...others, { ...ZERO, ...row, roleId, roleName }].sort(byNameThenId);
};

/** By code units: the same order on every machine, whatever its locale. */
const byNameThenId = (a: RoleSignal, b: RoleSignal): number =>
  compare(a.roleName, b.roleName) || compare(a.roleId, b.roleId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const counted = (
  rows: readonly RoleSignal[],
  roleId: string,
  counts: SignalCounts,
): readonly RoleSignal[] => {
  if (!rows.some((row) => row.roleId === roleId))
    throw new Error(`The role ${roleId} has no row to be counted in.`);
  return rows.map((row) =>
    row.roleId === roleId ? { ...add(row, counts), roleId, roleName: row.roleName } : row,
  );
};
