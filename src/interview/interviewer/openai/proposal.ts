import { parsedObject } from '../../../clients/openai/exact-object.js';
import type { InterviewSoFar } from '../interviewer.js';
import type { Move, Moves } from '../moves.js';
import { isSpeakable, MAX_QUESTION, oneLine } from '../../../clients/openai/speakable.js';

/** What a model may word of a question, in characters. */
export const MAX_MODEL_TEXT = 2_000;

const FIELDS = ['kind', 'planned', 'dimensionIds', 'text'];

/** What a model may answer, as JSON Schema: only what the rules allow next. */
export const answerSchema = (moves: Moves): object => ({
  type: 'object',
  additionalProperties: false,
  required: FIELDS,
  properties: {
    kind: { type: 'string', enum: [...new Set(moves.map(({ kind }) => kind))] },
    planned: { type: ['integer', 'null'] },
    dimensionIds: { type: 'array', items: { type: 'string' } },
    text: { type: 'string' },
  },
});

/**
 * A model's answer as the move that it stands for, in the model's words.
 * @returns a sentence for the model where the answer is none of the moves, or cannot be said; it quotes nothing of it
 */
export const moveFrom = (content: string, moves: Moves, soFar: InterviewSoFar): Move | string => {
  const answer = parsedObject(content, FIELDS);
  if (answer === null)
    return `The answer must be one JSON object with exactly the members ${FIELDS.join(', ')}.`;
  const { kind, planned, dimensionIds, text: said } = answer;
  const move = moves.find((one) => one.kind === kind && one.planned === planned);
  if (!move) return 'kind and planned must be those of one of the allowed moves.';
  if (!isListOfStrings(dimensionIds) || !sameIds(dimensionIds, move.dimensionIds))
    return 'dimensionIds must be exactly those of the chosen move.';
  if (typeof said !== 'string') return 'text must be a string.';
  const text = oneLine(said);
  const { verbatim } = move;
  const most = Math.min(MAX_QUESTION, verbatim.length + MAX_MODEL_TEXT);
  if (text === '' || text.length > most) return `text must have 1 to ${most} characters.`;
  if (!text.includes(verbatim)) return 'text must hold the words of verbatim exactly as they are.';
  // The role's own words may be anything; the model's must be plain speech.
  const own = verbatim === '' ? text : text.replace(verbatim, '');
  if (own.trim() !== '' && !isSpeakable(own))
    return 'text is spoken aloud: plain sentences only, without markup, symbols, code, lists or addresses.';
  if (verbatim === '' && soFar.questions.some((question) => question.text === text))
    return 'text must not be a question that was asked already: word it anew.';
  return { ...move, text };
};

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const sameIds = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set(a).size === a.length && a.every((id) => b.includes(id));
