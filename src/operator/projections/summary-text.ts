import type { SegmentHealth } from '../../engine/health.js';
import { tableText } from '../output/table.js';
import type { Standing } from './standing.js';
import { lagText, parkedText, remarksOf, shortOwner } from './status-text.js';

/** All views in one table, and a sentence on those that are to be looked at. */
export const summaryText = (standings: readonly Standing[]): string =>
  [tableText(HEAD, standings.map(rowOf)), sentenceOf(standings)].join('\n');

const HEAD = ['view', 'version', 'generation', 'behind', 'parked', 'fed by', 'remarks'];

const rowOf = (standing: Standing): readonly (string | number)[] => {
  const [live] = standing.generations;
  return [
    standing.view,
    standing.codeVersion,
    live?.generation ?? '',
    live === undefined ? '' : lagText(live.lagEvents, live.lagSeconds),
    live === undefined ? '' : parkedText(live.parked),
    live === undefined ? '' : fedBy(live.segments),
    [...remarksOf(standing), ...standing.open.map(({ kind }) => `${kind} asked for`)].join('; '),
  ];
};

const fedBy = (segments: readonly SegmentHealth[]): string => {
  const owners = new Set(segments.flatMap(({ owner, alive }) => (owner !== null && alive ? [owner] : [])));
  const [first] = owners;
  if (first === undefined) return 'nobody';
  const who = owners.size === 1 ? shortOwner(first) : `${owners.size} processes`;
  return segments.every(({ alive }) => alive) ? who : `${who}, in part`;
};

const sentenceOf = (standings: readonly Standing[]): string => {
  const odd = standings.filter((standing) => {
    const [live] = standing.generations;
    const isWell = live?.caughtUp === true && live.parked === 0 && live.segments.every(({ alive }) => alive);
    return !isWell || remarksOf(standing).length > 0;
  });
  const [first] = odd;
  if (first === undefined) return 'All are fed and at the log’s end.';
  return `${odd.length} of ${standings.length} are to be looked at, the first by \`assay projections status ${first.view}\`.`;
};
