import Table from 'cli-table3';
import type { Figures, Signal } from './ledger.js';

const HEAD = ['Role', 'Completed', 'Outcomes', 'Awaiting', 'Passed', 'Failed', 'Hired', 'Declined'];

/** The signal as a table, totals last. */
export function signalTable({ roles, totals }: Signal): string {
  const table = new Table({
    head: HEAD,
    colAligns: ['left', ...HEAD.slice(1).map(() => 'right' as const)],
    // Colours and lines between rows would only be in the way of whoever pipes or pastes it.
    style: { head: [], border: [], compact: true },
  });
  for (const row of roles) table.push([row.roleName, ...cells(row)]);
  table.push(['Total', ...cells(totals)]);
  return table.toString();
}

const cells = (row: Figures): number[] => [
  row.trialCompletedCount,
  row.outcomeRecordedCount,
  row.awaitingOutcomeCount,
  row.humanRound.passed,
  row.humanRound.failed,
  row.disposition.hired,
  row.disposition.declined,
];
