import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldView, type Given, givenView } from '../test/support/given-view.js';
import { histories } from '../test/support/histories.js';
import { notices } from './notices.js';

const at = '2026-03-01T09:00:00.000Z';
const ids = {
  organisationId: 'o',
  candidateId: 'c',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
};
const created = (webhookId: string, ...events: readonly string[]): Given => ({
  type: 'webhook.created',
  data: { organisationId: 'o', webhookId, events },
});
const deleted = (webhookId: string): Given => ({
  type: 'webhook.deleted',
  data: { organisationId: 'o', webhookId },
});
const recorded = (id: string): Given => ({
  type: 'outcome.recorded',
  data: { ...ids, humanRound: 'passed', recordedBy: 'sub' },
  id,
  at,
});
const requested = (webhookId: string, causedBy: string): Given => ({
  type: 'delivery.requested',
  data: { organisationId: 'o', webhookId, causedBy },
});

const told = (events: readonly Given[]) =>
  (givenView(notices, events).documents.get('o')?.pending ?? []).map(({ causedBy, webhookIds }) => [
    causedBy,
    ...webhookIds,
  ]);

describe('what is to be told', () => {
  it.each([
    ['candidate.invited', 'candidate.invited', ids],
    ['trial.started', 'trial.started', ids],
    ['trial.completed', 'trial.completed', { ...ids, evaluationId: 'e' }],
    ['trial.expired', 'trial.expired', ids],
    ['trial.withdrawn', 'trial.withdrawn', ids],
    ['trial.erased', 'trial.withdrawn', ids],
    ['evaluation.generated', 'evaluation.ready', { ...ids, evaluationId: 'e' }],
    ['evaluation.failed', 'evaluation.failed', { ...ids, evaluationId: 'e' }],
    ['evaluation.contested', 'evaluation.contested', { ...ids, evaluationId: 'e' }],
    ['erasure.requested', 'erasure.requested', ids],
    ['outcome.recorded', 'outcome.recorded', ids],
    ['candidate.erased', 'candidate.erased', { organisationId: 'o', candidateId: 'c' }],
  ])('of %s is %s with ids alone', (type, notice, expected) => {
    const data = {
      ...ids,
      evaluationId: 'e',
      generation: 1,
      overallScore: 3,
      recordedBy: 'sub',
      cause: 'staff',
      withdrawn: true,
    };
    givenView(notices, [created('w', notice), { type, data, id: 'x', at }])
      .thenMatches('o', {
        pending: [
          {
            type: notice as 'evaluation.ready',
            causedBy: 'x',
            timestamp: at,
            correlationId: 'correlation',
            ids: expected,
            webhookIds: ['w'],
          },
        ],
      })
      .thenKey('o', 'byOldest', [at]);
  });

  it('is no withdrawal where the session had ended before the erasure', () => {
    const erased = (withdrawn: boolean): Given => ({
      type: 'trial.erased',
      data: { ...ids, withdrawn },
      id: 'x',
      at,
    });
    expect(told([created('w', 'trial.withdrawn'), erased(false)])).toEqual([]);
    expect(told([created('w', 'trial.withdrawn'), erased(true)])).toEqual([['x', 'w']]);
  });

  it('goes to those webhooks that want it and were there when it happened', () => {
    expect(
      told([
        created('early', 'outcome.recorded'),
        created('other', 'evaluation.ready'),
        created('gone', 'outcome.recorded'),
        deleted('gone'),
        recorded('1'),
        created('late', 'outcome.recorded'),
        recorded('2'),
      ]),
    ).toEqual([
      ['1', 'early'],
      ['2', 'early', 'late'],
    ]);
  });

  it('is nothing more once it is requested, webhook by webhook', () => {
    const both = [created('v', 'outcome.recorded'), created('w', 'outcome.recorded'), recorded('1')];
    expect(told([...both, requested('v', '1')])).toEqual([['1', 'w']]);
    expect(told([...both, requested('v', '1'), requested('w', '1'), requested('w', '1')])).toEqual([]);
    givenView(notices, [...both, requested('v', '1'), requested('w', '1')]).thenKey(
      'o',
      'byOldest',
      undefined,
    );
  });

  it('is nothing more to a webhook that was deleted', () => {
    const both = [created('v', 'outcome.recorded'), created('w', 'outcome.recorded'), recorded('1')];
    expect(told([...both, deleted('v')])).toEqual([['1', 'w']]);
    expect(told([...both, deleted('v'), deleted('w')])).toEqual([]);
  });

  it('names webhooks that there are, none twice, and nothing that was requested', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const asked = new Set(
          history.flatMap(({ data }) =>
            'causedBy' in data && 'webhookId' in data
              ? [`${String(data.webhookId)} ${String(data.causedBy)}`]
              : [],
          ),
        );
        for (const { document } of foldView(notices, history).values()) {
          const known = new Set(document.webhooks.map(({ webhookId }) => webhookId));
          const pairs = document.pending.flatMap(({ causedBy, webhookIds }) =>
            webhookIds.map((webhookId) => `${webhookId} ${causedBy}`),
          );
          expect(new Set(pairs).size).toBe(pairs.length);
          expect(pairs.filter((pair) => asked.has(pair))).toEqual([]);
          expect(document.pending.flatMap((one) => one.webhookIds).every((id) => known.has(id))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});
