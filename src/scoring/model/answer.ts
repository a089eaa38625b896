import { exactObject, parsedObject } from '../../clients/openai/chat.js';
import { jsonBytes } from '../../core/json.js';
import { oneLine, truncateAtWord } from '../../core/text.js';
import type { ModelAnswered } from '../../domain/evaluation/events.js';
import type { Dimension, RoleDefinition } from '../../domain/role/events.js';
import { type EvidenceEvent, MAX_QUOTE_LENGTH } from '../evidence/evidence.js';
import { isQuoteOf, withoutPlace } from '../evidence/work.js';
import type { Citation, DimensionScoring, ModelAnswer, Scoring } from '../scores/scorer.js';

/** Largest answer in bytes, as a string of JSON: the rest is neither kept nor read. */
export const MAX_ANSWER_BYTES = 8 * 1024;
/** Longest rationale in UTF-16 code units. */
export const MAX_RATIONALE = 1_200;
/** Maximum number of citations of one answer. */
export const MAX_CITATIONS = 8;
/** The signal of a score's one term. */
export const MODEL_SIGNAL = 'model';

const FIELDS = ['score', 'rationale', 'citations'];
const CITATION_FIELDS = ['eventId', 'quote'];

/** The schema of a model's answer. `readAnswer` checks the bounds: not every API accepts them in a schema. */
export const answerSchema: object = {
  type: 'object',
  additionalProperties: false,
  required: FIELDS,
  properties: {
    score: { type: 'integer' },
    rationale: { type: 'string' },
    citations: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: CITATION_FIELDS,
        properties: { eventId: { type: 'string' }, quote: { type: 'string' } },
      },
    },
  },
};

/** The part of an answer that is stored: all of it or, if it is too long, enough to show that. */
export const truncateAnswer = (content: string): string => {
  let bytes = 2;
  let kept = 0;
  for (const character of content) {
    bytes += jsonBytes(character) - 2;
    kept += character.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  return content.slice(0, kept);
};

/**
 * The score of a model's answer: one term `model` with true citations. Whole points only: finer ones would claim a
 * precision that no model has.
 * @param byId all of the session's evidence
 * @returns a sentence for the model if the answer is unusable; it quotes nothing of the answer
 */
export const readAnswer = (
  content: string,
  dimensionId: string,
  byId: ReadonlyMap<string, EvidenceEvent>,
): DimensionScoring | string => {
  if (jsonBytes(content) > MAX_ANSWER_BYTES)
    return `The answer must be shorter: ${MAX_ANSWER_BYTES} bytes at most.`;
  const answer = parsedObject(content, FIELDS);
  if (answer === null)
    return `The answer must be one JSON object with exactly the members ${FIELDS.join(', ')}.`;
  const { score, rationale: said } = answer;
  if (typeof score !== 'number' || !Number.isInteger(score) || score < 0 || score > 100)
    return 'score must be a whole number from 0 to 100.';
  const rationale = typeof said === 'string' && said.length <= MAX_RATIONALE ? oneLine(said) : '';
  if (rationale === '') return `rationale must be a text of 1 to ${MAX_RATIONALE} characters.`;
  const citations = citationsOf(answer['citations'], byId);
  if (typeof citations === 'string') return citations;
  if (score > 0 && citations.length === 0) return 'A score above 0 must cite the events that it rests on.';
  // Minus zero is a whole number too, but the store would return it as 0.
  const value = score === 0 ? 0 : score;
  return {
    dimensionId,
    terms: [{ signal: MODEL_SIGNAL, value, weight: 1, contribution: value, evidence: citations }],
    rationale,
  };
};

const citationsOf = (
  value: unknown,
  byId: ReadonlyMap<string, EvidenceEvent>,
): readonly Citation[] | string => {
  if (!Array.isArray(value) || value.length > MAX_CITATIONS)
    return `citations must be a list of at most ${MAX_CITATIONS} objects.`;
  const citations = new Map<string, Citation>();
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    const { eventId, quote } = exactObject(item, CITATION_FIELDS) ?? {};
    const what = `Citation ${index + 1}`;
    if (typeof eventId !== 'string' || typeof quote !== 'string')
      return `${what} must be an object with exactly the members ${CITATION_FIELDS.join(', ')}, both of them texts.`;
    const event = byId.get(eventId);
    if (event === undefined) return `${what} names an event that is not in the evidence.`;
    if ((event.work ? withoutPlace(quote) : quote).length > MAX_QUOTE_LENGTH)
      return `${what} quotes more than ${MAX_QUOTE_LENGTH} characters: choose a shorter part.`;
    if (!isQuoteOf(event, quote))
      return `${what} quotes what its event does not say: copy a part of one text of its payload letter by letter, or one "key":value of it${event.work ? ', or of a line of its work from its path on' : ''}.`;
    citations.set(JSON.stringify([eventId, quote]), { eventId, quote });
  }
  return [...citations.values()];
};

/** A stored answer as the scorer gave it; `null`: it can no longer be read. */
export const modelAnswerOf = ({ data, personal }: ModelAnswered): ModelAnswer | null => {
  if (personal === null) return null;
  const { dimensionId, attempt, model, promptVersion, parameters } = data;
  return { dimensionId, attempt, model, promptVersion, parameters, ...personal };
};

/**
 * Makes a generation's scores from the model's answers, when it is generated and at any later time: the same answers,
 * evidence and role give the same scores, without a call.
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
  const dimension = `"${truncateAtWord(name, 80)}"`;
  return wrong === null
    ? `The model gave no answer for ${dimension}.`
    : `The model gave no usable answer for ${dimension}, nor once it was told what was wrong. ${wrong}`;
};
