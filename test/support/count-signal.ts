import type { Stored } from '../../src/core/event.js';
import type { OutcomeEvent, OutcomeValues } from '../../src/domain/application/events.js';
import type { RoleEvent } from '../../src/domain/role/events.js';
import type { TrialEvent } from '../../src/domain/session/events.js';
import type { SignalCounts } from '../../projections/signal.js';
import type { SignalSummary } from '../../src/api/signal/signal.js';

/**
 * An organisation's signal counted from what stands at the end of a log, the long way: which sessions are completed,
 * and which outcome each of them has. Nothing moves, nothing is carried: the view must come to the same by its moves.
 */
export const countSignal = (log: readonly Stored[], organisationId: string): SignalSummary => {
  const own = (log as readonly Stored<RoleEvent | TrialEvent | OutcomeEvent>[]).filter(
    (event) => event.data.organisationId === organisationId,
  );
  const names = new Map<string, string>();
  const completed = new Map<string, string>();
  const standing = new Map<string, OutcomeValues>();
  for (const event of own) {
    if (event.type === 'role.created' || event.type === 'role.updated')
      names.set(event.data.roleId, event.data.definition.name);
    if (event.type === 'trial.completed') completed.set(event.data.trialSessionId, event.data.roleId);
    if (event.type === 'outcome.recorded') standing.set(event.data.trialSessionId, event.data);
    if (event.type === 'outcome.retracted') standing.delete(event.data.trialSessionId);
  }
  const count = (isOurs: (roleId: string) => boolean): SignalCounts => {
    const sessions = [...completed].filter(([, roleId]) => isOurs(roleId)).map(([session]) => session);
    const outcomes = sessions.flatMap((session) => standing.get(session) ?? []);
    const having = (values: Partial<OutcomeValues>) =>
      outcomes.filter((outcome) =>
        Object.entries(values).every(([key, value]) => outcome[key as keyof OutcomeValues] === value),
      ).length;
    return {
      trialCompletedCount: sessions.length,
      outcomeRecordedCount: outcomes.length,
      awaitingOutcomeCount: sessions.length - outcomes.length,
      humanRound: { passed: having({ humanRound: 'passed' }), failed: having({ humanRound: 'failed' }) },
      disposition: { hired: having({ disposition: 'hired' }), declined: having({ disposition: 'declined' }) },
    };
  };
  const rows = [...names].map(([roleId, roleName]) => ({
    ...count((one) => one === roleId),
    roleId,
    roleName,
  }));
  return {
    roles: rows.sort((a, b) =>
      a.roleName === b.roleName ? (a.roleId < b.roleId ? -1 : 1) : a.roleName < b.roleName ? -1 : 1,
    ),
    totals: count(() => true),
  };
};
