import { describe, it } from '@jest/globals';
import { type Given, givenView } from '../test/support/given-view.js';
import { openInterviews } from './open-interviews.js';

const ids = { organisationId: 'o', candidateId: 'c', applicationId: 'a', trialSessionId: 't', roleId: 'r' };
const event = (type: string, more: object = {}, id = type): Given => ({
  type,
  data: { ...ids, ...more },
  id,
});
const connected = (connectionId: string, host = 'h1'): Given =>
  event('interview.connected', { connectionId, host }, `connected ${connectionId}`);
const dropped = (connectionId: string): Given => event('interview.disconnected', { connectionId });
const endsAt = '2026-03-01T10:00:00.000Z';
const asked = event('interview.question_asked', { endsAt });
const interrupted = event('trial.interrupted');
const resumed = event('trial.resumed');

describe('an open interview', () => {
  it('is listed by the process that holds it from its first connection on', () => {
    givenView(openInterviews, [event('trial.started')]).thenIds();
    givenView(openInterviews, [connected('1')])
      .then('t', {
        ...ids,
        connectionId: '1',
        host: 'h1',
        connected: true,
        interrupted: false,
        endsAt: null,
        timeFactor: 1,
        causedBy: 'connected 1',
        correlationId: 'correlation',
        open: true,
      })
      .thenKey('t', 'byHost', ['h1'])
      .thenKey('t', 'byDeadline', undefined);
  });

  it('stays with its process when the connection drops, and goes to that of the newest one', () => {
    givenView(openInterviews, [connected('1'), asked, dropped('1')])
      .thenMatches('t', { connected: false, interrupted: false, endsAt, causedBy: 'interview.disconnected' })
      .thenKey('t', 'byHost', ['h1']);
    givenView(openInterviews, [connected('1'), dropped('1'), connected('2', 'h2')])
      .thenMatches('t', { connectionId: '2', connected: true })
      .thenKey('t', 'byHost', ['h2']);
  });

  it('is not dropped by what becomes of a former connection', () => {
    givenView(openInterviews, [connected('1'), connected('2'), dropped('1')]).thenMatches('t', {
      connectionId: '2',
      connected: true,
      causedBy: 'connected 2',
    });
  });

  it('is nobody’s once interrupted, but listed by the end of its time, until it is resumed', () => {
    givenView(openInterviews, [connected('1'), asked, interrupted])
      .thenMatches('t', { connected: false, interrupted: true })
      .thenKey('t', 'byHost', undefined)
      .thenKey('t', 'byDeadline', [endsAt]);
    const granted = event('accommodations.set', { timeFactor: 1.5 });
    for (const given of [
      [granted, connected('1'), asked, interrupted],
      [connected('1'), asked, interrupted, granted],
    ])
      givenView(openInterviews, given).thenKey('t', 'byDeadline', ['2026-03-01T10:30:00.000Z']);
    givenView(openInterviews, [connected('1'), interrupted])
      .thenKey('t', 'byHost', undefined)
      .thenKey('t', 'byDeadline', undefined);
    givenView(openInterviews, [connected('1'), asked, interrupted, resumed, connected('2', 'h2')])
      .thenMatches('t', { connected: true, interrupted: false, endsAt })
      .thenKey('t', 'byHost', ['h2'])
      .thenKey('t', 'byDeadline', undefined);
  });

  it.each(['completed', 'withdrawn', 'expired'])('is gone once the session is %s', (end) => {
    givenView(openInterviews, [connected('1'), asked, event(`trial.${end}`)]).thenIds();
    givenView(openInterviews, [event(`trial.${end}`)]).thenIds();
  });

  it('is gone once its candidate was erased', () => {
    givenView(openInterviews, [connected('1'), asked, event('trial.erased')]).thenIds();
    givenView(openInterviews, [connected('1'), asked, interrupted, event('trial.erased')]).thenIds();
  });
});
