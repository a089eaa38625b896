import {
  candidateTextIn,
  countIn,
  type EvidenceEvent,
  hasNonBlank,
  isAnswer,
  isQuestion,
  isRequest,
  textIn,
  quoteText,
} from '../evidence/evidence.js';
import {
  counted,
  finishedTickets,
  type Measure,
  quoteTicket,
  shareOf,
  type TicketFinish,
  type ProcessSignal,
  type RubricRules,
} from './measure.js';

/**
 * How the work and the interview went, as far as changes, test runs, tickets, messages and answers show it.
 * @param evidence in the order in which it was recorded
 * @param tickets the ids of the tickets whose marks as finished count
 */
export function measureProcess(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
  rules: RubricRules,
): readonly Measure<ProcessSignal>[] {
  return [
    changesTested(evidence, rules.changesPerTestRun),
    smallSteps(evidence, rules.smallStepLines),
    ticketsStartedFirst(finishedTickets(evidence, tickets)),
    ...measureConversation(evidence, rules),
  ];
}

function changesTested(evidence: readonly EvidenceEvent[], window: number): Measure<ProcessSignal> {
  const changes: EvidenceEvent[] = [];
  let sinceRun = 0;
  let tested = 0;
  for (const event of evidence) {
    if (event.eventType === 'file.changed') {
      changes.push(event);
      sinceRun += 1;
    } else if (event.eventType === 'test.run') {
      tested += Math.min(sinceRun, window);
      sinceRun = 0;
    }
  }
  return {
    signal: 'changes_tested',
    share: shareOf(tested, changes.length),
    finding:
      changes.length === 0
        ? 'No files were changed.'
        : `Followed by a test run before ${window} more changes: ${tested} of ${counted(changes.length, 'file change')}.`,
    evidence: changes,
    quote: quotePath,
  };
}

function smallSteps(evidence: readonly EvidenceEvent[], lines: number): Measure<ProcessSignal> {
  const changes: EvidenceEvent[] = [];
  let small = 0;
  for (const event of evidence) {
    if (event.eventType !== 'file.changed') continue;
    const added = countIn(event, 'linesAdded');
    const removed = countIn(event, 'linesRemoved');
    if (added === null || removed === null) continue;
    changes.push(event);
    if (added + removed <= lines) small += 1;
  }
  return {
    signal: 'small_steps',
    share: shareOf(small, changes.length),
    finding:
      changes.length === 0
        ? 'No changes with line counts were made.'
        : `Of ${counted(changes.length, 'file change')} with line counts, ${small} touched at most ${lines} lines.`,
    evidence: changes,
    quote: quotePath,
  };
}

function ticketsStartedFirst(finishes: readonly TicketFinish[]): Measure<ProcessSignal> {
  const finished = finishes.filter(({ again }) => !again);
  const inOrder = finished.filter(({ startedFirst }) => startedFirst).length;
  return {
    signal: 'tickets_started_first',
    share: shareOf(inOrder, finished.length),
    finding:
      finished.length === 0
        ? "None of the role's tickets was finished."
        : `Started before finished: ${inOrder} of ${counted(finished.length, 'finished ticket')} of the role.`,
    evidence: finished.map(({ event }) => event),
    quote: quoteTicket,
  };
}

const quotePath = (event: EvidenceEvent): string | null => quoteText(event, 'path');

/**
 * What the candidate wrote to others and answered in the interview: how much of it there is, never what it means.
 * @param rules `substanceCharacters`: a text has substance from that many non-blank characters. `leavesOutRequests`: a
 *   request to repeat or explain a question counts as no answer
 */
function measureConversation(
  recorded: readonly EvidenceEvent[],
  { substanceCharacters: characters, leavesOutRequests }: RubricRules,
): readonly Measure<ProcessSignal>[] {
  const evidence = leavesOutRequests ? recorded.filter((event) => !isRequest(event)) : recorded;
  // An empty answer closes a turn in which the candidate said nothing: it does not count.
  const texts = evidence.filter((event) =>
    isAnswer(event) ? candidateTextIn(event) !== '' : candidateTextIn(event) !== null,
  );
  const sent = texts.filter((event) => !isAnswer(event));
  const answers = texts.filter(isAnswer);
  return [
    // Counts answers as messages too. A rubric weighs either this signal, or messages and answers each by its own.
    withSubstance('messages_with_substance', texts, characters, ['message', 'No messages were sent.']),
    withSubstance('sent_messages_with_substance', sent, characters, [
      'message sent',
      'No messages were sent.',
      'messages sent',
    ]),
    questionsAnswered(leavesOutRequests ? withClarifications(evidence) : evidence),
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

/** The evidence with each answer to a clarification as an answer to the planned question that it is about. */
function withClarifications(evidence: readonly EvidenceEvent[]): readonly EvidenceEvent[] {
  const plannedOf = new Map<number, number>();
  let planned: number | null = null;
  return evidence.map((event) => {
    const turn = countIn(event, 'turn');
    if (turn === null) return event;
    if (isQuestion(event)) {
      const kind = textIn(event, 'kind');
      if (kind === 'planned') planned = turn;
      else if (kind === 'closing') planned = null;
      else if (kind === 'clarification' && planned !== null) plannedOf.set(turn, planned);
      return event;
    }
    const about = isAnswer(event) ? plannedOf.get(turn) : undefined;
    return about === undefined ? event : { ...event, payload: { ...event.payload, turn: about } };
  });
}

/** Only the plan counts: it is the same for every candidate of a role, unlike a model's further questions. */
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
