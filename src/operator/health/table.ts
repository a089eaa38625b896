import Table from 'cli-table3';
import type { ComponentHealth } from '../../app/operations/health.js';
import { harmless } from '../streams/event-text.js';

/** Every part of the service in a row: whether it is ready, what is wrong with it, its figures. */
export const healthTable = (components: readonly ComponentHealth[]): string => {
  const table = new Table({ head: ['part', 'ready', 'what is known'], style: { head: [], border: [] } });
  for (const { name, ready, problem, figures = {} } of components) {
    const known = Object.entries(figures)
      .filter(([, value]) => value !== null && value !== '')
      .map(([what, value]) => `${what} ${String(value)}`);
    table.push([
      name,
      ready ? 'yes' : 'NO',
      [...(problem ? [problem] : []), ...known].map(harmless).join('\n'),
    ]);
  }
  return table.toString();
};
