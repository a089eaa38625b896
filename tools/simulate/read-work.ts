import type { ReadResult, ReadScore, ReadWork } from './compare-work.js';
import { listOf, numberOf, objectOf, stringOf, stringOrNull, Unexpected } from './person.js';

/** What an evaluation and its explanation say about handed in work. @throws {Unexpected} they are not as documented */
export const readWork = (evaluation: unknown, explanation: unknown): ReadWork => {
  const body = objectOf(evaluation, 'The evaluation');
  const events = listOf(objectOf(body['evidence'], 'evidence')['events'], 'evidence.events').map((item) =>
    objectOf(item, 'An evidence event'),
  );
  const by = (source: string, type: string) =>
    events
      .filter((event) => event['source'] === source && event['eventType'] === type)
      .map((event) => objectOf(event['payload'], `The payload of ${type}`));
  const explained = objectOf(explanation, 'The explanation');
  const dimensions = listOf(explained['dimensions'], 'dimensions').map((item) =>
    objectOf(item, 'A dimension'),
  );
  const scores = listOf(body['scores'], 'scores').map((item): ReadScore => {
    const score = objectOf(item, 'A score');
    const dimension = dimensions.find(({ dimensionId }) => dimensionId === score['dimensionId']);
    if (dimension === undefined) throw new Unexpected('An explanation lacks a dimension of its evaluation.');
    return {
      category: stringOf(score, 'dimensionCategory'),
      score: numberOf(score, 'score'),
      exact: numberOf(dimension, 'exact'),
      passed: booleanOrNull(score['passed']),
    };
  });
  const terms = dimensions.flatMap((dimension) =>
    listOf(dimension['terms'], 'terms').map((item) => objectOf(item, 'A term')),
  );
  const shareOf = (signal: string): number => {
    const term = terms.find((one) => one['signal'] === signal);
    return term === undefined ? 0 : fractionOf(numberOf(term, 'value'));
  };
  return {
    handedIn: by('service', 'work.handed_in').map((payload) => stringOf(payload, 'handInId')),
    results: by('checker', 'work.checked').map((payload): ReadResult => ({
      handInId: stringOf(payload, 'handInId'),
      scope: stringOf(payload, 'scope'),
      reason: stringOrNull(payload, 'reason'),
      visible: testsOf(payload['visible']),
      hidden: testsOf(payload['hidden']),
    })),
    scores,
    overallScore: numberOf(body, 'overallScore'),
    overallExact: numberOf(objectOf(explained['overall'], 'overall'), 'exact'),
    passed: booleanOrNull(body['passed']),
    interview: {
      questionsAnswered: shareOf('questions_answered'),
      answersWithSubstance: shareOf('answers_with_substance'),
    },
  };
};

/** More questions or answers than an interview has. */
const MAX_COUNTED = 500;
/** The exact share, such as 2/3, from one with 6 decimal places. */
const fractionOf = (value: number): number => {
  for (let all = 1; all <= MAX_COUNTED; all += 1) {
    const share = Math.round(value * all) / all;
    if (Math.abs(share - value) < 1e-6) return share;
  }
  return value;
};

const testsOf = (value: unknown): ReadResult['visible'] => {
  const tests = objectOf(value, 'The tests of a result');
  return { passed: numberOf(tests, 'passed'), failed: numberOf(tests, 'failed') + numberOf(tests, 'errors') };
};

const booleanOrNull = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
