import Table from 'cli-table3';
import { harmlessLines } from './harmless.js';

/** Rows under their heads. Cells are shown as they are, but for what a terminal would take for an order. */
export const tableText = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const table = new Table({ head: [...head], style: { head: [], border: [], compact: true } });
  for (const row of rows) table.push(row.map((cell) => harmlessLines(String(cell))));
  return table.toString();
};
