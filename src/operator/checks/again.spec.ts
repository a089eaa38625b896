import { describe, expect, it } from '@jest/globals';
import { completedAfter, type Step } from '../../../test/support/completed-session.js';
import { evaluationDecider, type EvaluationState } from '../../domain/evaluation/decider.js';
import { NO_LATE_WORK } from '../../domain/evaluation/late-work.js';
import type { Trial } from '../../domain/session/state.js';
import { runAgain } from './again.js';

const checked: readonly Step[] = [
  ...[{ begins: 1, of: 'V' }, { arrives: 1 }, { begins: 2, of: 'H' }, { arrives: 2 }],
  ...[{ begins: 3 }, { arrives: 3 }],
];

/** @param status of the evaluation `e` of the session `t`, in its second generation unless there is none yet */
const service = (
  session: Trial,
  status: EvaluationState['status'],
  { isErased = false, isListed = true } = {},
) => {
  const { organisationId, candidateId, applicationId, trialSessionId, roleId } = session;
  const ids = { organisationId, candidateId, applicationId, trialSessionId, roleId, evaluationId: 'e' };
  const state: EvaluationState =
    status === 'none'
      ? evaluationDecider.initial
      : {
          ...{ status, generation: 2, readyGeneration: 1, version: 3, ids },
          ...{ person: session.candidateId, contests: [], late: NO_LATE_WORK },
        };
  const states: Readonly<Record<string, unknown>> = {
    'trial t': session,
    'evaluation e': state,
    [`candidate ${candidateId}`]: { erased: isErased, invitations: [{ applicationId }] },
  };
  const recorded: object[] = [];
  const streams = {
    read: async ({ kind, initial }: { kind: string; initial: unknown }, id: string) => ({
      state: states[`${kind} ${id}`] ?? initial,
    }),
    handle: async (...[decider, , context, decide]: Parameters<Stores['streams']['handle']>) => {
      const decision = await decide(state);
      if (decision.kind === 'refused') return decision;
      const { actor, now } = context;
      const metadata = { actor, recordedAt: now.toISOString() };
      recorded.push(...decision.events.map((event) => ({ ...event, actor })));
      return {
        kind: 'done',
        state: decision.events.reduce<unknown>(
          (after, event) => decider.evolve(after, { ...event, metadata } as never),
          state,
        ),
      };
    },
  };
  const reader = {
    outline: async (_: object, id: string) =>
      isListed && id === 'e' ? { document: { trialSessionId } } : null,
  };
  return { stores: { streams, reader } as unknown as Stores, recorded };
};
type Stores = Parameters<typeof runAgain>[0];

describe('checks that an operator has run again', () => {
  const session = completedAfter(checked);

  it.each(['t', 'e'])(
    'are those of the last hand-in of each ticket, before a new generation: by %s',
    async (id) => {
      for (const status of ['ready', 'failed'] as const) {
        const { stores, recorded } = service(session, status);
        const asked = { trialSessionId: 't', evaluationId: 'e', generation: 3, checks: 2 };
        expect(await runAgain(stores, id)).toEqual(asked);
        expect(recorded).toMatchObject([
          {
            type: 'evaluation.regeneration_requested',
            actor: { type: 'operator', id: 'assay' },
            data: {
              generation: 3,
              awaits: [
                { kind: 'check', id: 'h1' },
                { kind: 'check', id: 'h2' },
              ],
            },
          },
        ]);
      }
    },
  );

  it.each([
    ['is being generated', 't', service(session, 'generating'), 'is being generated: wait'],
    ['has no result yet', 'e', service(session, 'none'), 'is being generated: wait'],
    ['was erased', 't', service(session, 'erased'), 'erased for good'],
    ['is of an erased candidate', 't', service(session, 'ready', { isErased: true }), 'erased for good'],
    [
      'has nothing to check',
      't',
      service(completedAfter([{ begins: 3 }, { arrives: 3 }]), 'ready'),
      'Nothing to check',
    ],
    [
      'has no completed session',
      't',
      service({ ...session, evaluationId: null }, 'none'),
      'has no evaluation',
    ],
    ['is unknown', 'x', service(session, 'ready'), 'There is no evaluation or session "x"'],
    ['is not known yet', 'e', service(session, 'none', { isListed: false }), 'There is no evaluation'],
    [
      'has an id that is none',
      '../x y',
      service(session, 'ready'),
      'There is no evaluation or session "../x y"',
    ],
    ['has an empty id', '', service(session, 'ready'), 'There is no evaluation or session ""'],
    [
      'has a long id',
      'x'.repeat(10_000),
      service(session, 'ready'),
      'There is no evaluation or session "xxx',
    ],
  ])('are refused where the evaluation %s', async (_, id, { stores, recorded }, message) => {
    await expect(runAgain(stores, id)).rejects.toThrow(message);
    await expect(runAgain(stores, id)).rejects.toMatchObject({ exitCode: 1 });
    expect(recorded).toEqual([]);
  });
});
