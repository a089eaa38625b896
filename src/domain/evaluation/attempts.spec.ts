import { describe, expect, it } from '@jest/globals';
import { fold, specification } from '../../../test/support/given-when-then.js';
import { attemptEvent, type AttemptEvent, type AttemptIds } from './attempt-events.js';
import { attemptsDecider, beginAttempt, leaveAttempt, otherAttempts } from './attempts.js';

const spec = specification(attemptsDecider);
const ids = (process: string, generation = 1): AttemptIds => ({
  organisationId: 'o',
  trialSessionId: 't',
  evaluationId: 'e',
  generation,
  process,
});
const begun = (process: string, generation = 1) => attemptEvent('attempt.begun', ids(process, generation));
const left = (process: string) => attemptEvent('attempt.left', ids(process));
const others = (past: readonly AttemptEvent[], of = ids('own')): number =>
  otherAttempts(fold(attemptsDecider, past), of);

describe('attempts at a generation', () => {
  it('are counted of other processes that began it and did not leave it, not of this one', () => {
    expect(others([begun('one'), begun('own'), begun('two')])).toBe(2);
    expect(others([begun('one'), begun('own'), begun('two'), left('two')])).toBe(1);
  });

  it('are recorded once for each process, and left once', () => {
    const begin = (state: Parameters<typeof beginAttempt>[0]) => beginAttempt(state, ids('own'));
    const leave = (state: Parameters<typeof leaveAttempt>[0]) => leaveAttempt(state, ids('own'));
    spec.given(begun('one')).when(begin).then(begun('own'));
    spec.given(begun('own')).when(begin).then();
    spec.given(begun('own')).when(leave).then(left('own'));
    spec.given(begun('own'), left('own')).when(leave).then();
    spec.given().when(leave).then();
  });

  it('begin anew with each generation', () => {
    expect(others([begun('one'), begun('two', 2)], ids('own', 2))).toBe(1);
    expect(others([begun('one')], ids('own', 2))).toBe(0);
  });
});
