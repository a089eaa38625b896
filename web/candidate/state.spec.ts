import { describe, expect, it } from '@jest/globals';
import type { Briefing, OwnTrialSession, TrialSessionStatus } from '../../packages/client/src/contract.js';
import { type Change, next, type State, type Step, stepsOf, type Visit } from './state.js';

const visit = (status: TrialSessionStatus): Visit => ({
  application: {
    id: 'a',
    organisationId: 'o',
    roleId: 'r',
    roleName: 'Engineer',
    candidateEmail: 'a@example.org',
    candidateName: null,
    language: 'en',
    status: 'invited',
    invitedAt: '2026-01-05T09:00:00.000Z',
    trialSessions: [],
    erasureRequestedAt: null,
    version: 1,
  },
  session: {
    id: 's',
    applicationId: 'a',
    status,
    roleName: 'Engineer',
    invitedAt: '2026-01-05T09:00:00.000Z',
    startedAt: null,
    endedAt: null,
    expiresAt: '2026-02-01T09:00:00.000Z',
    version: 1,
  },
  briefing: {} as Briefing,
});
const session = (status: TrialSessionStatus): OwnTrialSession => visit(status).session;
const loaded = (status: TrialSessionStatus, resume: Step | null = null): State =>
  next({ at: 'loading' }, { type: 'loaded', visit: visit(status), resume });
const stepOf = (state: State): Step | null => (state.at === 'in' ? state.step : null);

describe('the page', () => {
  it.each<[TrialSessionStatus, Step]>([
    ['invited', 'before'],
    ['started', 'work'],
    ['interrupted', 'work'],
    ['completed', 'after'],
    ['expired', 'after'],
    ['withdrawn', 'after'],
  ])('begins a session that is %s with %s', (status, step) => expect(stepOf(loaded(status))).toBe(step));

  it('goes on with the step that it was in, as long as the session allows it', () => {
    expect(stepOf(loaded('interrupted', 'room'))).toBe('room');
    expect(stepOf(loaded('completed', 'room'))).toBe('after');
    expect(stepOf(loaded('invited', 'work'))).toBe('before');
    expect(stepOf(loaded('invited', 'check'))).toBe('check');
  });

  it('goes to a step only if the session allows it', () => {
    const before = loaded('invited');
    expect(stepOf(next(before, { type: 'go', step: 'check' }))).toBe('check');
    expect(next(before, { type: 'go', step: 'room' })).toBe(before);
    expect(next({ at: 'unknown' }, { type: 'go', step: 'room' })).toEqual({ at: 'unknown' });
  });

  it('follows the session: to the work when it starts, to the end from wherever it is', () => {
    expect(stepOf(next(loaded('invited'), { type: 'session', session: session('started') }))).toBe('work');
    for (const step of stepsOf(visit('started')))
      expect(stepOf(next(loaded('started', step), { type: 'session', session: session('withdrawn') }))).toBe(
        'after',
      );
    // The session is interrupted after two minutes without a connection: the candidate stays on the interview's screen.
    expect(
      stepOf(next(loaded('started', 'room'), { type: 'session', session: session('interrupted') })),
    ).toBe('room');
  });

  it('keeps what is open when the service cannot be reached', () => {
    const open = loaded('started');
    expect(next(open, { type: 'unavailable' })).toBe(open);
    expect(next({ at: 'loading' }, { type: 'unavailable' })).toEqual({ at: 'unavailable' });
  });

  it('shows nothing of anybody to a stranger', () => {
    const strangers: Change[] = [{ type: 'not found' }, { type: 'signed out', because: 'expired' }];
    for (const change of strangers)
      expect(Object.keys(next(loaded('started'), change))).not.toContain('visit');
  });
});
