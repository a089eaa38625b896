import { describe, it } from '@jest/globals';
import type { PersonId } from '../src/core/vault/port.js';
import { givenView } from '../test/support/given-view.js';
import { type ContestFacts, contests } from './contests.js';

const ref = { organisationId: 'o', candidateId: 'p', applicationId: 'a', trialSessionId: 't', roleId: 'r' };
const person = 'p' as PersonId;
const data = { ...ref, evaluationId: 'e', generation: 1 };
const [first, second, third] = [
  '2026-03-01T09:00:00.000Z',
  '2026-03-02T09:00:00.000Z',
  '2026-03-03T09:00:00.000Z',
];
const contested = (contestId: string, at: string) => ({
  type: 'evaluation.contested',
  data: { ...data, contestId, kind: 'quote', released: 'result' },
  personal: { text: `Not so: ${contestId}.`, reference: null },
  person,
  at,
});
const answered = {
  type: 'evaluation.contest_answered',
  data: { ...data, contestId: 'c1', answeredBy: 'olga' },
  personal: { text: 'You are right.' },
  person,
  at: third,
};
const facts = (
  contestId: string,
  contestedAt: string,
  answer: ContestFacts['answer'] = null,
): ContestFacts => ({ contestId, kind: 'quote', contestedAt, answer });

describe('the contests of an evaluation', () => {
  it('are in their order, each with its answer', () => {
    givenView(contests, [contested('c1', first), contested('c2', second), answered])
      .then('e', {
        ...ref,
        contests: [facts('c1', first, { answeredAt: third, answeredBy: 'olga' }), facts('c2', second)],
        erased: false,
        person,
        personal: {
          texts: {
            c1: { text: 'Not so: c1.', reference: null, answer: 'You are right.' },
            c2: { text: 'Not so: c2.', reference: null, answer: null },
          },
        },
      })
      .thenKey('e', 'byOrganisationContested', ['o', second])
      .thenKey('e', 'byOrganisationRoleContested', ['o', 'r', second])
      .sameWhateverThePages();
    givenView(contests, [contested('c1', first), answered]).thenKey(
      'e',
      'byOrganisationContested',
      undefined,
    );
  });

  it('keep no text after an erasure', () => {
    givenView(contests, [contested('c1', first), { type: 'evaluation.erased', data, person, at: second }])
      .then('e', { ...ref, contests: [facts('c1', first)], erased: true, person, personal: null })
      .thenKey('e', 'byOrganisationContested', undefined)
      .sameWhateverThePages();
  });
});
