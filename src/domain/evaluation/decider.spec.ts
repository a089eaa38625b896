import { describe, expect, it } from '@jest/globals';
import type { Stored } from '../../core/event.js';
import type { PersonId } from '../../core/vault/port.js';
import type { EvaluationState } from './decider.js';
import {
  requestedGeneration,
  eraseEvaluation,
  evaluationDecider,
  recordResult,
  requestRegeneration,
} from './decider.js';
import type { EvaluationEvent, EvaluationFailed, ModelAnswered } from './events.js';

const ids = {
  organisationId: 'o',
  candidateId: 'p',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
  evaluationId: 'e',
};
const person = 'p' as PersonId;
const head = { sequenceNumber: 9, hash: null };
const failed = (generation: number): EvaluationFailed => ({
  type: 'evaluation.failed',
  data: { ...ids, generation, head },
  person,
  personal: { failure: 'No.' },
});
const generated = (generation: number): EvaluationEvent => ({
  type: 'evaluation.generated',
  data: {
    ...ids,
    generation,
    head,
    ruleSet: 'r1',
    scoredBy: { scorer: 'x', version: 1, description: '' },
    scores: [],
    overallScore: null,
    overallExact: null,
    overallThreshold: 0,
    passed: null,
    integrity: [],
    detections: [],
  },
  person,
  personal: { rationales: {}, quotes: {} },
});
const asked = (generation: number): EvaluationEvent => ({
  type: 'evaluation.regeneration_requested',
  data: { ...ids, generation },
  person,
  personal: null,
});

const answered = (generation: number): ModelAnswered => ({
  type: 'evaluation.model_answered',
  data: {
    ...ids,
    generation,
    dimensionId: 'd',
    attempt: 1,
    model: 'm',
    promptVersion: 1,
    parameters: {},
  },
  person,
  personal: { answer: 'So.' },
});

const after = (...events: EvaluationEvent[]): EvaluationState =>
  events.reduce(
    (state, event) => evaluationDecider.evolve(state, event as Stored<EvaluationEvent>),
    evaluationDecider.initial,
  );

describe('an evaluation', () => {
  it('keeps the last generation that became ready, while the next one is made and if that fails', () => {
    expect(after(failed(1))).toMatchObject({ readyGeneration: null });
    expect(after(generated(1), asked(2))).toMatchObject({ readyGeneration: 1 });
    expect(after(generated(1), asked(2), failed(2))).toMatchObject({ readyGeneration: 1 });
    expect(after(generated(1), asked(2), failed(2), asked(3), generated(3))).toMatchObject({
      readyGeneration: 3,
    });
  });

  it('is generating its first generation while its stream is empty', () => {
    expect(requestedGeneration(after())).toBe(1);
    expect(after().version).toBe(1);
    expect(recordResult(after(), failed(1))).toEqual({ kind: 'accepted', events: [failed(1)] });
  });

  it('counts every event of its stream in its version', () => {
    expect(after(failed(1))).toMatchObject({ status: 'failed', generation: 1, version: 2 });
    expect(after(failed(1), asked(2))).toMatchObject({ status: 'generating', generation: 2, version: 3 });
    expect(after(failed(1), asked(2), generated(2))).toMatchObject({
      status: 'ready',
      generation: 2,
      version: 4,
    });
  });

  it('records what a model answered before the result, of the asked generation alone', () => {
    const answers = [answered(2), answered(2)];
    const decided = recordResult(after(failed(1), asked(2)), failed(2), answers);
    expect(decided).toEqual({ kind: 'accepted', events: [...answers, failed(2)] });
    expect(recordResult(after(failed(1), asked(2)), failed(1), [answered(1)])).toEqual({
      kind: 'accepted',
      events: [],
    });
  });

  it('is the same whatever a model answered', () => {
    expect(after(answered(1))).toEqual(after());
    expect(after(answered(1), generated(1))).toEqual(after(generated(1)));
    expect(after(failed(1), asked(2), answered(2), answered(2), generated(2))).toEqual(
      after(failed(1), asked(2), generated(2)),
    );
  });

  it.each([
    ['a result sent again', 1, [failed(1)]],
    ['a result of a former generation', 1, [failed(1), asked(2)]],
    ['a result nobody asked for', 2, [failed(1)]],
    ['a result of a later generation', 2, []],
    ['a result after the last answer', 2, [failed(1), asked(2), generated(2)]],
  ])('takes %s for done', (_, generation, history) => {
    expect(recordResult(after(...history), failed(generation))).toEqual({ kind: 'accepted', events: [] });
  });

  it.each([
    ['ready', [generated(1)], 2],
    ['failed', [failed(1)], 2],
    ['ready again', [failed(1), asked(2), generated(2)], 3],
  ])('is generated anew once it is %s', (_, history, next) => {
    expect(requestRegeneration(after(...history), { begun: true })).toEqual({
      kind: 'accepted',
      events: [asked(next)],
    });
  });

  it.each([
    ['while the first generation runs', true, [], 'evaluation_generating'],
    ['while a later generation runs', true, [failed(1), asked(2)], 'evaluation_generating'],
    ['where there is none', false, [], 'not_found'],
  ])('is not generated anew %s', (_, begun, history, code) => {
    expect(requestRegeneration(after(...history), { begun })).toMatchObject({
      kind: 'refused',
      refusal: { code },
    });
  });
});

describe('the evaluation of an erased candidate', () => {
  const erased = (generation: number): EvaluationEvent => ({
    type: 'evaluation.erased',
    data: { ...ids, generation },
    person,
    personal: null,
  });

  it.each([
    ['while its first generation runs', [], 1],
    ['while a later one runs', [failed(1), asked(2)], 2],
    ['once ready', [generated(1)], 1],
    ['once failed', [failed(1)], 1],
  ])('is erased once, %s, and takes nothing more', (_, history, generation) => {
    expect(eraseEvaluation(after(...history), ids)).toEqual({
      kind: 'accepted',
      events: [erased(generation)],
    });
    const then = after(...history, erased(generation));
    expect(requestedGeneration(then)).toBeNull();
    expect(eraseEvaluation(then, ids)).toEqual({ kind: 'accepted', events: [] });
    expect(recordResult(then, failed(generation))).toEqual({ kind: 'accepted', events: [] });
    expect(requestRegeneration(then, { begun: true })).toMatchObject({ refusal: { code: 'erased' } });
  });
});
