import type { EvidenceEvent } from '../evidence.js';
import { countIn } from '../evidence.js';
import { quoteText } from '../quotes.js';
import type { ProcessSignal, RubricRules } from '../rule-sets.js';
import type { Measure } from './measure.js';
import { counted, shareOf } from './measure.js';
import { finishedTickets, quoteTicket, type TicketFinish } from './tickets.js';
import { measureTalk } from './talk.js';

/** How the work and the interview went, as far as changes, test runs, tickets, messages and answers show it. */
export function measureProcess(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
  rules: RubricRules,
): readonly Measure<ProcessSignal>[] {
  return [
    changesTested(evidence, rules.changesPerTestRun),
    smallSteps(evidence, rules.smallStepLines),
    ticketsStartedFirst(finishedTickets(evidence, tickets)),
    ...measureTalk(evidence, rules.substanceCharacters),
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
