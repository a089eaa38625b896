import type { PersonId } from '../../src/core/vault/port.js';
import type {
  EvaluationFailed,
  EvaluationGenerated,
  EvaluationIds,
} from '../../src/domain/evaluation/events.js';
import type { RoleDefinition } from '../../src/domain/role/events.js';

/** A stored result with fixed figures, for histories in which the scoring does not matter. */
export const readyResult = (ids: EvaluationIds, role: RoleDefinition): EvaluationGenerated => {
  const [score, total] = role.dimensions.reduce(
    ([sum, weights], { weight }, index) => [sum + weight * scoreAt(index), weights + weight],
    [0, 0],
  );
  const overallExact = total === 0 ? null : Math.round((score / total) * 1e6) / 1e6;
  return {
    type: 'evaluation.generated',
    data: {
      ...ids,
      head: HEAD,
      ruleSet: 'rubric.v1',
      scoredBy: { scorer: 'rubric', version: 1, description: 'Counts what is there to be counted.' },
      scores: role.dimensions.map((dimension, index) => ({
        dimensionId: dimension.id,
        dimensionName: dimension.name,
        dimensionCategory: dimension.category,
        weight: dimension.weight,
        threshold: dimension.threshold,
        score: scoreAt(index),
        exact: scoreAt(index),
        passed: dimension.threshold === null ? null : scoreAt(index) >= dimension.threshold,
        terms: [{ signal: 'base', value: 1, weight: 1, contribution: scoreAt(index), evidence: [] }],
        evidenceEventIds: [],
      })),
      overallScore: overallExact === null ? null : Math.round(overallExact),
      overallExact,
      overallThreshold: role.overallThreshold,
      passed: overallExact === null ? null : overallExact >= role.overallThreshold,
      integrity: [
        {
          kind: 'identity_verified',
          severity: 'info',
          evidenceEventIds: [],
          ruleVersion: 1,
          timestamp: '2026-03-01T09:00:00.000Z',
        },
      ],
      detections: [],
    },
    person: ids.candidateId as PersonId,
    personal: {
      rationales: Object.fromEntries(role.dimensions.map(({ id }) => [id, 'secret~because'])),
      quotes: {},
    },
  };
};

export const failedResult = (ids: EvaluationIds): EvaluationFailed => ({
  type: 'evaluation.failed',
  data: { ...ids, head: HEAD },
  person: ids.candidateId as PersonId,
  personal: { failure: 'secret~the scorer gave up' },
});

const HEAD = { sequenceNumber: 1, hash: null };

const scoreAt = (index: number): number => (index * 37 + 40) % 101;
