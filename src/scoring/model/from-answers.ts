import { shortened } from '../../clients/openai/speakable.js';
import type { Dimension, RoleDefinition } from '../../domain/role/events.js';
import type { ModelAnswered } from '../../domain/evaluation/events.js';
import type { EvidenceEvent } from '../evidence.js';
import type { DimensionScoring, ModelAnswer, Scoring } from '../scorer.js';
import { readAnswer } from './answer.js';

/** A stored answer as the scorer gave it; `null` where it can no longer be read. */
export const modelAnswerOf = ({ data, personal }: ModelAnswered): ModelAnswer | null => {
  if (personal === null) return null;
  const { dimensionId, attempt, model, promptVersion, parameters } = data;
  return { dimensionId, attempt, model, promptVersion, parameters, answer: personal.answer };
};

/**
 * Makes a generation's scores from what the model answered, when it is generated and at any later time: the same
 * answers, evidence and role come to the same scores, and nobody is asked.
 * @param answers of one generation, in any order
 * @returns the role's dimensions in their order, or why there is no score, as a sentence for staff
 */
export const scoringFromAnswers = (input: {
  readonly role: RoleDefinition;
  readonly evidence: readonly EvidenceEvent[];
  readonly answers: readonly Pick<ModelAnswer, 'dimensionId' | 'attempt' | 'answer'>[];
}): Scoring => {
  const byId = new Map(input.evidence.map((event) => [event.id, event]));
  const dimensions: DimensionScoring[] = [];
  for (const dimension of input.role.dimensions) {
    const answers = input.answers
      .filter(({ dimensionId }) => dimensionId === dimension.id)
      .sort((a, b) => a.attempt - b.attempt);
    let read: DimensionScoring | string | null = null;
    for (const { answer } of answers) {
      read = readAnswer(answer, dimension.id, byId);
      if (typeof read !== 'string') break;
    }
    if (read === null || typeof read === 'string')
      return { kind: 'failed', reason: noUsableAnswer(dimension, read) };
    dimensions.push(read);
  }
  return { kind: 'scored', dimensions };
};

/** Why a dimension has no score, for staff. @param wrong what was wrong with the last answer; `null`: there is none */
export const noUsableAnswer = ({ name }: Dimension, wrong: string | null): string => {
  const dimension = `"${shortened(name, 80)}"`;
  return wrong === null
    ? `The model gave no answer for ${dimension}.`
    : `The model gave no usable answer for ${dimension}, nor once it was told what was wrong. ${wrong}`;
};
