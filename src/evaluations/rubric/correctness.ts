import type { EvidenceEvent } from '../evidence.js';
import { countIn, textIn } from '../evidence.js';
import { quoteCount, quoteText } from '../quotes.js';
import type { CorrectnessSignal } from '../rule-sets.js';
import type { Measure } from './measure.js';
import { counted, shareOf } from './measure.js';

interface TestRun {
  readonly event: EvidenceEvent;
  readonly passed: bigint;
  readonly failed: bigint;
}

/** Whether what was built works, as far as test runs and finished tickets show it. */
export function measureCorrectness(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): readonly Measure<CorrectnessSignal>[] {
  const runs = evidence.map(testRun).filter((run) => run !== null);
  return [lastRunPassed(runs), failuresFixed(runs), ticketsFinished(evidence, tickets)];
}

/** A run of at least one test; others say nothing. */
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

/** Failing first is how tests are meant to be used, so a failure counts only if nothing passed after it. */
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
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): Measure<CorrectnessSignal> {
  const finished = new Map<string, EvidenceEvent>();
  for (const event of evidence) {
    const ticket = event.eventType === 'ticket.finished' ? textIn(event, 'ticketId') : null;
    if (ticket !== null && tickets.has(ticket) && !finished.has(ticket)) finished.set(ticket, event);
  }
  return {
    signal: 'tickets_finished',
    share: shareOf(finished.size, tickets.size),
    finding: `Marked as finished: ${finished.size} of the role's ${counted(tickets.size, 'ticket')}.`,
    evidence: [...finished.values()],
    quote: (event) => quoteText(event, 'ticketId'),
  };
}
