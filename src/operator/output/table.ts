import Table from 'cli-table3';
import { harmless } from '../streams/event-text.js';

/** Rows under their heads. Cells are shown as they are, but for what a terminal would take for an order. */
export const tableText = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(row.map((cell) => linesOf(String(cell))));
  return table.toString();
};

const linesOf = (cell: string): string => cell.split('\n').map(harmless).join('\n');
