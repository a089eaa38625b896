import { countIn, type EvidenceEvent, quoteCount } from '../evidence/evidence.js';
import {
  counted,
  finishedTickets,
  type Measure,
  quoteTicket,
  shareOf,
  type TicketFinish,
  type CorrectnessSignal,
} from './measure.js';

interface TestRun {
  readonly event: EvidenceEvent;
  readonly passed: bigint;
  readonly failed: bigint;
}

/**
 * Measures, by test runs and finished tickets, whether what the candidate built works. One measure for each signal.
 * @param evidence in the order of the session
 * @param tickets ids of the role's
 */
export function measureCorrectness(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): readonly Measure<CorrectnessSignal>[] {
  const runs = evidence.map(testRun).filter((run) => run !== null);
  const finishes = finishedTickets(evidence, tickets);
  return [
    lastRunPassed(runs),
    failuresFixed(runs),
    ticketsFinished(finishes, tickets),
    ticketsFinishedGreen(finishes, tickets, runs),
  ];
}

/** A run of at least one test; others do not count. */
function testRun(event: EvidenceEvent): TestRun | null {
  if (event.eventType !== 'test.run') return null;
  const passed = countIn(event, 'passed');
  const failed = countIn(event, 'failed');
  if (passed === null || failed === null || passed + failed === 0) return null;
  return { event, passed: BigInt(passed), failed: BigInt(failed) };
}

function lastRunPassed(runs: readonly TestRun[]): Measure<CorrectnessSignal> {
  const last = runs.at(-1);
  const all = last === undefined ? 0n : last.passed + last.failed;
  return {
    signal: 'last_run_passed',
    share: shareOf(last?.passed ?? 0n, all),
    finding:
      last === undefined
        ? 'No tests were run.'
        : `In the last of ${counted(runs.length, 'test run')}, ${last.passed.toString()} of ${counted(all, 'test')} passed.`,
    evidence: last === undefined ? [] : [last.event],
    quote: (event) => quoteCount(event, 'passed'),
  };
}

/** Tests are meant to fail first: a run with failures lowers the share only if no run without failures came after it. */
function failuresFixed(runs: readonly TestRun[]): Measure<CorrectnessSignal> {
  const lastGreen = runs.findLastIndex((run) => run.failed === 0n);
  const failing = runs.filter((run) => run.failed > 0n);
  const fixed = runs.filter((run, index) => run.failed > 0n && index < lastGreen).length;
  const clean = runs.length > 0 && failing.length === 0;
  return {
    signal: 'failures_fixed',
    share: clean ? shareOf(1, 1) : shareOf(fixed, failing.length),
    finding:
      failing.length === 0
        ? `No test run had failures${runs.length === 0 ? ', as there was none' : ''}.`
        : `Of ${counted(failing.length, 'test run')} with failures, ${fixed} came before a run without any.`,
    evidence: clean ? runs.map((run) => run.event) : failing.map((run) => run.event),
    quote: (event) => quoteCount(event, 'failed'),
  };
}

function ticketsFinished(
  finishes: readonly TicketFinish[],
  tickets: ReadonlySet<string>,
): Measure<CorrectnessSignal> {
  const first = finishes.filter(({ again }) => !again);
  return {
    signal: 'tickets_finished',
    share: shareOf(first.length, tickets.size),
    finding: `Marked as finished: ${first.length} of the role's ${counted(tickets.size, 'ticket')}.`,
    evidence: first.map(({ event }) => event),
    quote: quoteTicket,
  };
}

/** Marking a ticket as finished proves little; a test run without failures before it supports it. */
function ticketsFinishedGreen(
  finishes: readonly TicketFinish[],
  tickets: ReadonlySet<string>,
  runs: readonly TestRun[],
): Measure<CorrectnessSignal> {
  const green = new Map<string, EvidenceEvent>();
  // One pass over both lists, in the order of the session: a candidate may send a hundred thousand of each.
  let runsBefore = 0;
  for (const { ticket, event } of finishes) {
    while ((runs[runsBefore]?.event.sequenceNumber ?? Infinity) < event.sequenceNumber) runsBefore += 1;
    if (runs[runsBefore - 1]?.failed === 0n && !green.has(ticket)) green.set(ticket, event);
  }
  return {
    signal: 'tickets_finished_green',
    share: shareOf(green.size, tickets.size),
    finding: `Marked as finished while the last test run had no failures: ${green.size} of the role's ${counted(tickets.size, 'ticket')}.`,
    evidence: [...green.values()],
    quote: quoteTicket,
  };
}
