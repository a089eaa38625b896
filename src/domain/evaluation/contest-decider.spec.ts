import { describe, expect, it } from '@jest/globals';
import { failedResult, readyResult } from '../../../test/support/evaluation-results.js';
import { specification, uuid } from '../../../test/support/given-when-then.js';
import { DEFINITION_DEFAULTS } from '../role/events.js';
import { answerContest, contestEvaluation, MAX_CONTESTS } from './contest-decider.js';
import { evaluationDecider } from './decider.js';
import { CONTESTED, type Contested, type EvaluationEvent } from './events.js';

const spec = specification(evaluationDecider);
const person = uuid('candidate');
const evaluation = {
  organisationId: uuid('org'),
  candidateId: person,
  applicationId: uuid('app'),
  trialSessionId: uuid('trial'),
  roleId: uuid('role'),
  evaluationId: uuid('eval'),
};
const role = {
  name: 'R',
  overallThreshold: 1,
  dimensions: [],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
};
const ready = readyResult({ ...evaluation, generation: 1 }, role);
const failed = failedResult({ ...evaluation, generation: 1 });
const erased = {
  type: 'evaluation.erased',
  data: { ...evaluation, generation: 1 },
  person,
  personal: null,
} as EvaluationEvent;
const contested = (contestId: string, kind: Contested = 'transcript', released = 'nothing') =>
  ({
    type: 'evaluation.contested',
    data: { ...evaluation, generation: 1, contestId, kind, released },
    person,
    personal: { text: 'Not so.', reference: 'turn 2' },
  }) as EvaluationEvent;
const answered = (contestId: string) =>
  ({
    type: 'evaluation.contest_answered',
    data: { ...evaluation, generation: 1, contestId, answeredBy: 'olga' },
    person,
    personal: { text: 'You are right.' },
  }) as EvaluationEvent;

const contest = {
  ids: { ...evaluation, contestId: 'c1' },
  kind: 'transcript',
  reference: 'turn 2',
  text: 'Not so.',
  released: 'nothing',
} as const;
const answer = { ids: { ...evaluation, contestId: 'c1' }, text: 'You are right.', actor: 'olga' };

describe('a contest', () => {
  it.each([
    ['before the first result', []],
    ['of a ready evaluation', [ready]],
    ['of a failed one', [failed]],
  ])('of the transcript is recorded %s, whatever is released', (_, history) => {
    spec
      .given(...history)
      .when((state) => contestEvaluation(state, contest))
      .then(contested('c1'));
  });

  it.each(CONTESTED)('of a %s is recorded once something is released', (kind) => {
    spec
      .given(ready)
      .when((state) => contestEvaluation(state, { ...contest, kind, released: 'result' }))
      .then(contested('c1', kind, 'result'));
  });

  it.each(['quote', 'finding', 'score'] as const)('of a %s is refused before that', (kind) => {
    spec
      .given(ready)
      .when((state) => contestEvaluation(state, { ...contest, kind }))
      .thenRefused('nothing_released');
  });

  it('is refused beyond the most that there may be, and after an erasure', () => {
    const many = Array.from({ length: MAX_CONTESTS }, (_, n) => contested(`c${n}`));
    const decide = (state: Parameters<typeof contestEvaluation>[0]) => contestEvaluation(state, contest);
    spec
      .given(ready, ...many)
      .when(decide)
      .thenRefused('too_many_contests');
    spec.given(ready, erased).when(decide).thenRefused('erased');
  });

  it('leaves the evaluation’s status and version as they are', () => {
    const before = spec.given(ready).when((state) => contestEvaluation(state, contest));
    expect(before.state()).toMatchObject({ status: 'ready', version: 2, contests: [{ contestId: 'c1' }] });
  });
});

describe('an answer to a contest', () => {
  it('is recorded once', () => {
    const decide = (state: Parameters<typeof answerContest>[0]) => answerContest(state, answer);
    spec.given(ready, contested('c1')).when(decide).then(answered('c1'));
    spec.given(ready, contested('c1'), answered('c1')).when(decide).thenRefused('already_answered');
    spec.given(ready, contested('c2')).when(decide).thenRefused('not_found');
    spec.given(ready, contested('c1'), erased).when(decide).thenRefused('erased');
  });

  it.each([
    ['the first', 'c1', 'c2'],
    ['the last', 'c2', 'c1'],
  ])('to %s of two leaves the other one open, which can be answered then', (_, one, other) => {
    const decide = (state: Parameters<typeof answerContest>[0]) =>
      answerContest(state, { ...answer, ids: { ...evaluation, contestId: other } });
    const both = [ready, contested('c1'), contested('c2'), answered(one)];
    const second = spec.given(...both).when(decide);
    second.then(answered(other));
    spec
      .given(...both, answered(other))
      .when(decide)
      .thenRefused('already_answered');
  });

  it('and the contest keep no text after an erasure', () => {
    const state = [ready, contested('c1'), answered('c1'), erased].reduce(
      (before, event) => evaluationDecider.evolve(before, { ...event, metadata: {} } as never),
      evaluationDecider.initial,
    );
    expect(state.contests).toMatchObject([
      { contestId: 'c1', text: null, reference: null, answer: { text: null, answeredBy: 'olga' } },
    ]);
  });
});
