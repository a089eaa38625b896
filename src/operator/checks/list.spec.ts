import { describe, expect, it } from '@jest/globals';
import type { WaitingCheck } from '../../../projections/pending-checks.js';
import type { CheckFailure } from '../../domain/session/check-events.js';
import { listChecks, listLines } from './list.js';

const [ASKED, FAILED] = ['2026-03-01T09:00:00.000Z', '2026-03-01T10:00:00.000Z'];
const ids = { organisationId: 'o', trialSessionId: 't', evaluationId: 'e' };

interface Session {
  readonly generation?: number;
  readonly evaluationId?: string | null;
  readonly waiting?: readonly [handInId: string, scope: WaitingCheck['scope']][];
  readonly failed?: readonly [handInId: string, reason: CheckFailure][];
}

/** @param begun by hand-in, the generations for which processes have begun its checks */
const listed = (
  sessions: readonly Session[],
  begun: Readonly<Record<string, readonly number[]>> = {},
  limit = 100,
) => {
  const documents = sessions.map(({ generation = 1, waiting = [], failed = [], ...more }) => ({
    ...{ ...ids, generation, ...more },
    waiting: waiting.map(([handInId, scope]) => ({ handInId, scope, askedAt: ASKED })),
    failed: failed.map(([handInId, reason]) => ({ handInId, reason, ticketId: 'T', at: FAILED })),
  }));
  const reader = {
    page: async (_: object, { index }: { readonly index: string }) => {
      const found = documents.filter((one) => one[index === 'bySince' ? 'waiting' : 'failed'].length > 0);
      return { items: found.map((document) => ({ document })), nextCursor: null };
    },
    outline: async (_: object, id: string) => (id === 'new' ? null : { document: { ticketId: `T-${id}` } }),
  };
  const streams = {
    events: async (_: object, id: string) =>
      (begun[id] ?? []).flatMap((generation) => [
        { type: 'attempt.begun', data: { generation } },
        { type: 'attempt.left', data: { generation } },
      ]),
  };
  return listChecks({ reader, streams } as unknown as Parameters<typeof listChecks>[0], limit);
};

describe('the list of checks for operators', () => {
  it('has the failed ones first, then those that wait, with their attempts', async () => {
    const sessions: readonly Session[] = [
      { generation: 2, waiting: [['h1', 'all']], failed: [['h2', 'timed_out']] },
      { generation: 0, evaluationId: null, waiting: [['h3', 'visible']] },
    ];
    // A generation that ran no checks came after the one in which they failed.
    expect(await listed(sessions, { h1: [1, 1, 2], h2: [1, 1] })).toEqual({
      checks: [
        {
          ...{ state: 'failed', ...ids, ticketId: 'T', handInId: 'h2', scope: 'all' },
          ...{ since: FAILED, attempts: 2, reason: 'timed_out' },
        },
        {
          ...{ state: 'waiting', ...ids, ticketId: 'T-h1', handInId: 'h1', scope: 'all' },
          ...{ since: ASKED, attempts: 1, reason: null },
        },
        {
          ...{ state: 'waiting', ...ids, evaluationId: null, ticketId: 'T-h3', handInId: 'h3' },
          ...{ scope: 'visible', since: ASKED, attempts: 0, reason: null },
        },
      ],
      more: false,
    });
  });

  it('has one that runs again once: it waits, and keeps its last reason', async () => {
    const again: Session = { generation: 2, waiting: [['h1', 'all']], failed: [['h1', 'killed']] };
    const { checks } = await listed([again], { h1: [1] });
    expect(checks).toMatchObject([{ state: 'waiting', attempts: 0, reason: 'killed' }]);
  });

  it('ends at the limit, and says that there are more', async () => {
    const sessions = Array.from({ length: 3 }, (): Session => ({ failed: [['h', 'killed']] }));
    for (const [limit, more] of [
      [3, false],
      [2, true],
    ] as const) {
      const found = await listed([...sessions], {}, limit);
      expect([found.checks.length, found.more]).toEqual([limit, more]);
    }
    expect(listLines(await listed(sessions, {}, 1), 1).at(-1)).toBe(
      'There are more than these 1: raise --limit.',
    );
  });

  it('is some lines for each, for people', async () => {
    expect(listLines(await listed([]), 1)).toEqual(['No check waits, and none failed.']);
    const sessions: readonly Session[] = [
      { failed: [['h1', 'no_checker']] },
      { evaluationId: null, waiting: [['new', 'visible']] },
    ];
    expect(listLines(await listed(sessions, { h1: [1] }), 9)).toEqual([
      'hand-in h1  (failed)',
      '    reason        no_checker: The service has no checker.',
      `    since         ${FAILED}, 1 attempt`,
      '    ticket        T',
      '    session       t',
      '    evaluation    e',
      '    organisation  o',
      'hand-in new  (waiting, visible checks)',
      `    since         ${ASKED}, 0 attempts`,
      '    ticket        ?',
      '    session       t',
      '    organisation  o',
    ]);
  });
});
