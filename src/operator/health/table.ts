import type { ComponentHealth } from '../../process/health.js';
import { tableText } from '../output/table.js';

/** Every part of the service in a row: whether it is ready, what is wrong with it, its figures. */
export const healthTable = (components: readonly ComponentHealth[]): string =>
  tableText(
    ['part', 'ready', 'what is known'],
    components.map(({ name, ready, problem, figures = {} }) => [
      name,
      ready ? 'yes' : 'NO',
      [...(problem === undefined ? [] : [problem]), ...Object.entries(figures).flatMap(figure)].join('\n'),
    ]),
  );

/** What is not there says nothing. */
const figure = ([what, value]: [string, number | string | boolean | null]): readonly string[] =>
  value === null || value === '' ? [] : [`${what} ${String(value)}`];
