import { describe, expect, it } from '@jest/globals';
import { failedResult, readyResult } from '../test/support/evaluation-results.js';
import { roleDefinition } from '../test/support/evidence-builder.js';
import { type Given, givenView } from '../test/support/given-view.js';
import { evaluationResults } from './evaluation-results.js';
import { evaluations } from './evaluations.js';

const at = '2026-03-01T09:00:00.000Z';
const later = '2026-03-01T09:05:00.000Z';
const role = roleDefinition();
const ids = {
  organisationId: 'o',
  candidateId: 'c',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
  evaluationId: 'e',
};
const completed: Given = {
  type: 'trial.completed',
  data: { ...ids, sequenceNumber: 9, roleName: 'Engineer', overallThreshold: 50 },
  person: 'c',
  at,
};
const ready = (generation: number): Given => ({ ...readyResult({ ...ids, generation }, role), at: later });
const failed = (generation: number): Given => failedResult({ ...ids, generation });
const requested = (generation: number): Given => ({
  type: 'evaluation.regeneration_requested',
  data: { ...ids, generation },
  person: 'c',
});
const nothing = {
  generatedAt: null,
  overallScore: null,
  passed: null,
  scoredBy: null,
  scores: [],
  integrity: [],
  personal: null,
};

describe('an evaluation', () => {
  it('begins with the completion, generating', () => {
    givenView(evaluations, [completed])
      .thenMatches('e', {
        ...ids,
        ...nothing,
        roleName: 'Engineer',
        overallThreshold: 50,
        status: 'generating',
        generation: 1,
        readyGeneration: null,
        version: 1,
        completedAt: at,
      })
      .thenKey('e', 'byOrganisation', ['o', at])
      .thenKey('e', 'byOrganisationRole', ['o', 'r', at])
      .thenKey('e', 'byOrganisationStatus', ['o', 'generating', at])
      .thenKey('e', 'byOrganisationRoleStatus', ['o', 'r', 'generating', at])
      .thenKey('e', 'byOrganisationScore', ['o', -1, at])
      .thenKey('e', 'byOrganisationPassed', undefined)
      .thenKey('e', 'bySession', ['t']);
  });

  it('shows its result once ready, rationales apart, the figures behind the scores elsewhere', () => {
    const folded = givenView(evaluations, [completed, ready(1)])
      .thenMatches('e', { status: 'ready', generatedAt: later, readyGeneration: 1, version: 2 })
      .thenKey('e', 'byOrganisationStatus', ['o', 'ready', at]);
    const document = folded.documents.get('e')!;
    expect(document.scores.map(({ dimensionId }) => dimensionId)).toEqual(
      role.dimensions.map(({ id }) => id),
    );
    expect(JSON.stringify(document.scores)).not.toMatch(/terms|exact/u);
    expect(Object.keys(document.personal!.rationales)).toEqual(role.dimensions.map(({ id }) => id));
    expect(document.integrity).toHaveLength(1);
  });

  it('shows nothing of the former generation while the next is generated, but knows which one was ready', () => {
    givenView(evaluations, [completed, ready(1), requested(2)]).thenMatches('e', {
      ...nothing,
      status: 'generating',
      generation: 2,
      readyGeneration: 1,
      version: 3,
    });
  });

  it('says why it failed, and may be ready after that', () => {
    const past = [completed, ready(1), requested(2), failed(2)];
    givenView(evaluations, past).thenMatches('e', {
      ...nothing,
      status: 'failed',
      generation: 2,
      readyGeneration: 1,
      personal: { rationales: {}, failure: 'secret~the scorer gave up' },
    });
    givenView(evaluations, [...past, requested(3), ready(3)]).thenMatches('e', {
      status: 'ready',
      generation: 3,
      readyGeneration: 3,
      version: 6,
    });
  });
});

describe('the evaluation of an erased candidate', () => {
  const erased = (generation: number): Given => ({
    type: 'evaluation.erased',
    data: { ...ids, generation },
    person: 'c',
  });

  it('has failed where it was being generated', () => {
    givenView(evaluations, [completed, erased(1)])
      .thenMatches('e', { ...nothing, status: 'failed', erased: true, version: 2 })
      .thenKey('e', 'byOrganisationStatus', ['o', 'failed', at]);
    givenView(evaluations, [completed, ready(1), requested(2), erased(2)]).thenMatches('e', {
      ...nothing,
      status: 'failed',
      generation: 2,
      readyGeneration: 1,
    });
  });

  it('keeps scores and status, and nothing that was personal', () => {
    const before = givenView(evaluations, [completed, ready(1)]).documents.get('e')!;
    givenView(evaluations, [completed, ready(1), erased(1)]).then('e', {
      ...before,
      version: 3,
      erased: true,
      personal: null,
    });
  });
});

describe('the results of an evaluation', () => {
  const folded = givenView(evaluationResults, [
    completed,
    ready(1),
    requested(2),
    failed(2),
    requested(3),
    ready(3),
  ]);

  it('are kept by generation, figures included; one that is not answered has none', () => {
    folded
      .thenIds('e:1', 'e:2', 'e:3')
      .thenMatches('e:1', { status: 'ready', generation: 1, answeredAt: later });
    folded.thenKey('e:2', 'byEvaluation', ['e', 2]);
    const { result, personal } = folded.documents.get('e:3')!;
    expect(result?.scores).toEqual(readyResult({ ...ids, generation: 3 }, role).data.scores);
    expect(personal).toMatchObject({ quotes: {}, failure: null });
  });

  it('keep a failure as what it is', () => {
    folded.thenMatches('e:2', {
      status: 'failed',
      result: null,
      personal: { rationales: {}, quotes: {}, failure: 'secret~the scorer gave up' },
    });
  });
});
