import type { EvidenceEvent } from '../evidence.js';
import { candidateTextIn, countIn, hasNonBlank, isAnswer, isQuestion, textIn } from '../evidence.js';
import { quoteText } from '../quotes.js';
import type { ProcessSignal } from '../rule-sets.js';
import type { Measure } from './measure.js';
import { counted, shareOf } from './measure.js';

/**
 * What the candidate wrote to others and answered in the interview: how much of it there is, never what it means.
 * @param characters that are not blank: so many make a text one with substance
 */
export function measureTalk(
  evidence: readonly EvidenceEvent[],
  characters: number,
): readonly Measure<ProcessSignal>[] {
  // A turn of the interview that was closed without a word holds no answer.
  const all = evidence.filter((event) =>
    isAnswer(event) ? candidateTextIn(event) !== '' : candidateTextIn(event) !== null,
  );
  const sent = all.filter((event) => !isAnswer(event));
  const answers = all.filter(isAnswer);
  return [
    withSubstance('messages_with_substance', all, characters, ['message', 'No messages were sent.']),
    withSubstance('sent_messages_with_substance', sent, characters, [
      'message sent',
      'No messages were sent.',
      'messages sent',
    ]),
    questionsAnswered(evidence),
    withSubstance('answers_with_substance', answers, characters, [
      'answer in the interview',
      'No question of an interview was answered.',
      'answers in the interview',
    ]),
  ];
}

function withSubstance(
  signal: ProcessSignal,
  texts: readonly EvidenceEvent[],
  characters: number,
  [one, none, many = `${one}s`]: readonly [string, string, string?],
): Measure<ProcessSignal> {
  const substantial = texts.filter((event) => hasNonBlank(candidateTextIn(event) ?? '', characters)).length;
  return {
    signal,
    share: shareOf(substantial, texts.length),
    finding:
      texts.length === 0
        ? none
        : `Of ${counted(texts.length, one, many)}, ${substantial} had at least ${characters} characters that are not blank.`,
    evidence: texts,
    quote: quoteOfText,
  };
}

/** The plan is the same for every candidate of a role; what a model asks beyond it is not, and counts for nobody. */
function questionsAnswered(evidence: readonly EvidenceEvent[]): Measure<ProcessSignal> {
  const planned = new Map<number, EvidenceEvent>();
  const answered = new Map<number, EvidenceEvent>();
  for (const event of evidence) {
    const turn = isQuestion(event) || isAnswer(event) ? countIn(event, 'turn') : null;
    if (turn === null) continue;
    if (isQuestion(event)) {
      if (textIn(event, 'kind') === 'planned') planned.set(turn, event);
    } else if (planned.has(turn) && !answered.has(turn) && hasNonBlank(candidateTextIn(event) ?? '', 1)) {
      answered.set(turn, event);
    }
  }
  return {
    signal: 'questions_answered',
    share: shareOf(answered.size, planned.size),
    finding:
      planned.size === 0
        ? 'No planned question of an interview was asked.'
        : `Answered with at least a word: ${answered.size} of ${counted(planned.size, 'planned question')} that were asked.`,
    evidence: [...planned].map(([turn, question]) => answered.get(turn) ?? question),
    quote: quoteOfText,
  };
}

const quoteOfText = (event: EvidenceEvent): string | null => quoteText(event, 'text');
