import type { EvidenceEvent } from '../evidence.js';
import { countIn, isAnswer, textIn } from '../evidence.js';
import { quoteText } from '../quotes.js';
import type { ProcessSignal, RubricRules } from '../rule-sets.js';
import type { Measure } from './measure.js';
import { counted, shareOf } from './measure.js';

/** How the work went, as far as changes, test runs, tickets and messages show it. */
export function measureProcess(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
  rules: RubricRules,
): readonly Measure<ProcessSignal>[] {
  return [
    changesTested(evidence, rules.changesPerTestRun),
    smallSteps(evidence, rules.smallStepLines),
    ticketsStartedFirst(evidence, tickets),
    messagesWithSubstance(evidence, rules.substanceCharacters),
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

function ticketsStartedFirst(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): Measure<ProcessSignal> {
  const started = new Set<string>();
  const finished = new Map<string, { readonly event: EvidenceEvent; readonly startedFirst: boolean }>();
  for (const event of evidence) {
    if (event.eventType !== 'ticket.started' && event.eventType !== 'ticket.finished') continue;
    const ticket = textIn(event, 'ticketId');
    if (ticket === null || !tickets.has(ticket)) continue;
    if (event.eventType === 'ticket.started') started.add(ticket);
    else if (!finished.has(ticket)) finished.set(ticket, { event, startedFirst: started.has(ticket) });
  }
  const inOrder = [...finished.values()].filter(({ startedFirst }) => startedFirst).length;
  return {
    signal: 'tickets_started_first',
    share: shareOf(inOrder, finished.size),
    finding:
      finished.size === 0
        ? "None of the role's tickets was finished."
        : `Started before finished: ${inOrder} of ${counted(finished.size, 'finished ticket')} of the role.`,
    evidence: [...finished.values()].map(({ event }) => event),
    quote: (event) => quoteText(event, 'ticketId'),
  };
}

function messagesWithSubstance(
  evidence: readonly EvidenceEvent[],
  characters: number,
): Measure<ProcessSignal> {
  const messages = evidence.filter(isMessage);
  const substantial = messages.filter((event) => hasNonBlank(textIn(event, 'text') ?? '', characters)).length;
  return {
    signal: 'messages_with_substance',
    share: shareOf(substantial, messages.length),
    finding:
      messages.length === 0
        ? 'No messages were sent.'
        : `Of ${counted(messages.length, 'message')}, ${substantial} had at least ${characters} characters that are not blank.`,
    evidence: messages,
    quote: (event) => quoteText(event, 'text'),
  };
}

/** What the candidate wrote or spoke. A turn of the interview that was closed without a word holds no message. */
const isMessage = (event: EvidenceEvent): boolean => {
  const text = textIn(event, 'text');
  return isAnswer(event) ? text !== '' : event.eventType === 'message.sent' && text !== null;
};

function hasNonBlank(text: string, wanted: number): boolean {
  let found = 0;
  for (const character of text) {
    if (character.trim() !== '') found += 1;
    if (found >= wanted) return true;
  }
  return false;
}

const quotePath = (event: EvidenceEvent): string | null => quoteText(event, 'path');
