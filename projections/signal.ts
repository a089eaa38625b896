import type { OutcomeValues } from '../src/domain/application/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** The figures of a role, or of all of them. */
export interface SignalCounts {
  /** Sessions that reached `completed`. */
  readonly trialCompletedCount: number;
  /** Those of them with an outcome. */
  readonly outcomeRecordedCount: number;
  /** Completed sessions without an outcome. */
  readonly awaitingOutcomeCount: number;
  readonly humanRound: { readonly passed: number; readonly failed: number };
  readonly disposition: { readonly hired: number; readonly declined: number };
}

export interface RoleSignal extends SignalCounts {
  readonly roleId: string;
  /** The current name. */
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

/** The counts of a role without any completed trial. */
export const ZERO: SignalCounts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

/**
 * What an outcome's event adds to its role's row.
 * @param now `null`: none any more
 * @param former the outcome that it replaces; events carry it, so that no look-up is needed
 */
const difference = (now: OutcomeValues | null, former: OutcomeValues | null): SignalCounts => {
  const recorded = (now ? 1 : 0) - (former ? 1 : 0);
  const moved = <Key extends keyof OutcomeValues>(key: Key, value: OutcomeValues[Key]) =>
    (now?.[key] === value ? 1 : 0) - (former?.[key] === value ? 1 : 0);
  return {
    trialCompletedCount: 0,
    outcomeRecordedCount: recorded,
    // `-recorded` would be -0 if nothing moves, which is no JSON number.
    awaitingOutcomeCount: 0 - recorded,
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

/** The id of a role’s row. */
export const signalRowId = (organisationId: string, roleId: string): string => `${organisationId}:${roleId}`;

const counted = (document: SignalDocument, added: SignalCounts): SignalDocument => {
  const { roleId, row } = document;
  if (row === null) throw new Error(`The role ${roleId} has no row to be counted in.`);
  return { ...document, row: { ...addCounts(row, added), roleId, roleName: row.roleName } };
};

export const signal = defineView<SignalDocument>()({
  name: 'signal',
  version: 2,
  documentId: ({ data }) => signalRowId(data.organisationId, data.roleId),
  // By the id alone: a row that is parked before its first event still belongs to its organisation.
  initial: (id) => {
    const [organisationId = '', roleId = ''] = id.split(':');
    return { organisationId, roleId, row: null };
  },
  on: {
    ...onEach(['role.created', 'role.updated'], (document: SignalDocument, { data }) => {
      const { roleId, row } = document;
      return { ...document, row: { ...ZERO, ...row, roleId, roleName: data.definition.name } };
    }),
    'trial.completed': (document) =>
      counted(document, { ...ZERO, trialCompletedCount: 1, awaitingOutcomeCount: 1 }),
    'outcome.recorded': (document, { data }) => counted(document, difference(data, data.former)),
    'outcome.retracted': (document, { data }) => counted(document, difference(null, data.former)),
  },
  indexes: { byOrganisation: ['organisationId'] },
});
