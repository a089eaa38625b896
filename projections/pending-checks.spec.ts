import { describe, it } from '@jest/globals';
import type { CheckFailure } from '../src/domain/session/check-events.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { pendingChecks, type PendingChecksDocument } from './pending-checks.js';

const at = '2026-03-01T09:00:00.000Z';
const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };

const of = (type: string, id: string, data: object = {}): Given => ({
  type,
  data: { ...ids, ...data },
  id,
  at,
});
const started = (...visible: readonly string[]): Given =>
  of('trial.started', 's', {
    tickets: ['V', 'T'].map((ticketId) => {
      const visibleChecks = visible.includes(ticketId);
      return { ticketId, version: 1, work: { kind: 'files', visibleChecks, hiddenChecks: true } };
    }),
  });
const handedIn = (handInId: string, ticketId = 'V'): Given =>
  of('work.handed_in', `i-${handInId}`, { handInId, ticketId });
const check = (id: string) => ({ kind: 'check', id });
const completed = (...awaits: readonly object[]): Given =>
  of('trial.completed', 'done', { evaluationId: 'e', ...(awaits.length > 0 && { awaits }) });
const after = (type: string, id: string, data: object = {}): Given =>
  of(`evaluation.${type}`, id, { evaluationId: 'e', generation: 1, ...data });
const waiting = (
  handInId: string,
  scope: 'visible' | 'all',
  causedBy: string,
): PendingChecksDocument['waiting'][number] => ({
  ...{ handInId, scope, askedAt: at, causedBy, correlationId: 'correlation' },
});

describe('the checks that a session waits for', () => {
  it('are the visible ones of each hand-in while it is open, in order, and none of other tickets', () => {
    givenView(pendingChecks, [started('V'), handedIn('h1'), handedIn('h2', 'T'), handedIn('h3')])
      .then('t', {
        ...{ ...ids, evaluationId: null, generation: 0, visible: ['V'], isOver: false },
        waiting: [waiting('h1', 'visible', 'i-h1'), waiting('h3', 'visible', 'i-h3')],
        ...{ failed: [], late: {} },
      })
      .thenKey('t', 'bySince', [at]);
  });

  it('are fewer with each result, and the session is listed no more when there are none', () => {
    const one = [started('V'), handedIn('h1'), handedIn('h3'), of('work.checked', 'r', { handInId: 'h1' })];
    givenView(pendingChecks, one).thenMatches('t', { waiting: [waiting('h3', 'visible', 'i-h3')] });
    const none = [started('V'), handedIn('h1'), of('work.checked', 'r', { handInId: 'h1' })];
    givenView(pendingChecks, none).thenIds('t').thenMatches('t', { waiting: [] });
    givenView(pendingChecks, [started(), handedIn('h1')]).thenIds();
  });

  it('are all that the completion names, from then on', () => {
    const events = [started('V'), handedIn('h1'), handedIn('h2', 'T'), completed(check('h1'), check('h2'))];
    givenView(pendingChecks, events).thenMatches('t', {
      ...{ evaluationId: 'e', generation: 1 },
      waiting: [waiting('h1', 'all', 'done'), waiting('h2', 'all', 'done')],
    });
    const results = ['h1', 'h2'].map((handInId) => after('work_checked', handInId, { handInId }));
    givenView(pendingChecks, [...events, ...results]).thenIds();
    givenView(pendingChecks, [started('V'), handedIn('h1'), completed()]).thenIds();
    const handIn = { kind: 'hand_in', id: 'h2', until: at };
    givenView(pendingChecks, [started('V'), handedIn('h1'), completed(handIn)]).thenIds();
  });

  it('are those of a hand-in that arrives late, too', () => {
    const late = after('work_handed_in', 'late', { handInId: 'h2', ticketId: 'T', awaits: [check('h2')] });
    givenView(pendingChecks, [started('V'), handedIn('h1'), completed(check('h1')), late]).thenMatches('t', {
      waiting: [waiting('h1', 'all', 'done'), waiting('h2', 'all', 'late')],
    });
  });

  it('come back with a generation that runs them again, and with no other', () => {
    const done = [started('V'), completed(check('h1')), after('work_checked', 'r', { handInId: 'h1' })];
    const again = after('regeneration_requested', 'g2', { generation: 2, awaits: [check('h1')] });
    givenView(pendingChecks, [...done, again]).thenMatches('t', {
      ...{ ...ids, evaluationId: 'e', generation: 2, waiting: [waiting('h1', 'all', 'g2')] },
    });
    givenView(pendingChecks, [...done, after('regeneration_requested', 'g2', { generation: 2 })]).thenIds();
  });

  it.each(['trial.withdrawn', 'trial.expired', 'trial.erased', 'evaluation.erased'])(
    'are none after %s',
    (type) => {
      givenView(pendingChecks, [
        started('V'),
        handedIn('h1'),
        of(type, 'end', { evaluationId: 'e' }),
      ]).thenIds();
    },
  );
});

describe('the checks that failed', () => {
  const result = (handInId: string, id: string, reason: string | null = 'killed', ticketId = 'T'): Given =>
    after('work_checked', id, { handInId, ticketId, scope: 'all', reason });
  const failed = (handInId: string, reason: CheckFailure = 'killed') => ({
    ...{ handInId, ticketId: 'T', reason, at },
  });
  const late = (handInId: string): Given =>
    after('work_handed_in', `late-${handInId}`, { handInId, ticketId: 'T', awaits: [check(handInId)] });
  const done = (...awaits: readonly string[]) => [started('V'), completed(...awaits.map(check))];

  it('are those that count: of a completed session, without a result', () => {
    const events = [...done('h1', 'h2', 'h3'), result('h1', '1'), result('h2', '2', null, 'V')];
    givenView(pendingChecks, events)
      .thenMatches('t', { failed: [failed('h1')], waiting: [waiting('h3', 'all', 'done')] })
      .thenKey('t', 'byFailure', [at]);
    // The next hand-in has checks of its own then, or the completion does.
    const visible = of('work.checked', 'r', {
      ...{ handInId: 'h1', ticketId: 'V' },
      ...{ scope: 'visible', reason: 'killed' },
    });
    givenView(pendingChecks, [started('V'), handedIn('h1'), visible]).thenMatches('t', { failed: [] });
  });

  it('keep the session listed, through a generation that runs none, until they have a result', () => {
    const again = (...awaits: readonly object[]) =>
      after('regeneration_requested', 'g2', { generation: 2, ...(awaits.length > 0 && { awaits }) });
    const events = [...done('h1'), result('h1', '1')];
    givenView(pendingChecks, [...events, again()]).thenMatches('t', { failed: [failed('h1')], waiting: [] });
    const repeated = [...events, again(check('h1'))];
    givenView(pendingChecks, repeated).thenMatches('t', {
      ...{ failed: [failed('h1')], waiting: [waiting('h1', 'all', 'g2')] },
    });
    const worse = [...repeated, result('h1', '2', 'timed_out')];
    givenView(pendingChecks, worse).thenMatches('t', { failed: [failed('h1', 'timed_out')], waiting: [] });
    givenView(pendingChecks, [...repeated, result('h1', '2', null)]).thenIds();
  });

  it('are not of a hand-in in whose place another one arrived late, whichever comes first', () => {
    const arrives = [...done('h1'), result('h1', '1'), late('h2')];
    givenView(pendingChecks, arrives).thenMatches('t', { failed: [] });
    givenView(pendingChecks, [...arrives, result('h2', '2')]).thenMatches('t', { failed: [failed('h2')] });
    const before = [...done('h1'), late('h2'), result('h1', '1')];
    givenView(pendingChecks, before).thenMatches('t', {
      failed: [],
      waiting: [waiting('h2', 'all', 'late-h2')],
    });
    givenView(pendingChecks, [...before, result('h2', '2', null)]).thenIds();
  });

  it('are none after an erasure', () => {
    givenView(pendingChecks, [...done('h1'), result('h1', '1'), after('erased', 'end')]).thenIds();
  });
});
