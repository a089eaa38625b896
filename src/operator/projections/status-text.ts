import type { EventCount, SegmentHealth } from '../../engine/health.js';
import { OPERATIONS } from '../../domain/operations/operations.js';
import { durationText, rateText } from '../cli/progress.js';
import { harmless, tableText } from '../cli/output.js';
import type { GenerationStanding, Standing } from './view-status.js';

/** A view in its lines: what is to be known of it, a row for each generation, what operators asked. */
export const statusText = (standing: Standing): string => {
  const { view, generations, codeVersion } = standing;
  const remarks = remarksOf(standing);
  return [
    `${view} (version ${codeVersion})${remarks.length === 0 ? '' : `: ${remarks.join('; ')}`}`,
    ...(generations.length === 0
      ? []
      : [
          tableText(
            HEAD,
            generations.map((generation) => rowOf(standing, generation)),
          ),
        ]),
    ...generations.flatMap(failureLines),
    ...generations.flatMap(inTheWayLines),
    ...operationLines(standing),
  ].join('\n');
};

const HEAD = ['role', 'generation', 'position', 'behind', 'rate', 'parked', 'segments: owner'];

const rowOf = (
  { rateUnit }: Standing,
  {
    role,
    generation,
    position,
    lagEvents,
    lagSeconds,
    rate,
    parked,
    segments,
    hold,
    feedable,
  }: GenerationStanding,
): readonly (string | number)[] => [
  [role, ...(hold ? ['held'] : []), ...(feedable ? [] : ['of other code'])].join(', '),
  generation,
  position === '' ? 'the beginning' : position,
  lagText(lagEvents, lagSeconds),
  lagSeconds === 0 ? '' : rateText(rate, rateUnit),
  parkedText(parked),
  ownersText(segments),
];

/** Health counts no further. */
const MOST_COUNTED = 100;

const parkedText = (parked: number): string => (parked === MOST_COUNTED ? `${parked} or more` : `${parked}`);

/** How much of the log is before a generation; `nothing` at the log's end. */
const lagText = (events: EventCount | null, seconds: number | null): string => {
  if (events === null || seconds === null) return 'not known';
  if (seconds === 0) return 'nothing';
  const count = `${events.exact ? '' : 'at least '}${events.count} ${events.count === 1 ? 'event' : 'events'}`;
  return `${count}, ${durationText(seconds)}`;
};

/** A line for each segment; one for all where they have the same owner. */
const ownersText = (segments: readonly SegmentHealth[]): string => {
  const said = segments.map(({ owner, alive }) =>
    owner === null ? 'none' : `${shortOwner(owner)}${alive ? '' : ' (gone?)'}`,
  );
  const [first = 'none'] = said;
  if (said.every((one) => one === first)) return `${said.length}: ${first}`;
  return said.map((owner, index) => `${index + 1} of ${said.length}: ${owner}`).join('\n');
};

/** An owner is `<host>/<process>/<run>`: the first two say who it is. */
const shortOwner = (owner: string): string => owner.split('/').slice(0, 2).join('/');

/** What is out of the ordinary with a view, in some words each. */
const remarksOf = (standing: Standing): readonly string[] => {
  const { generations, paused, behindCode, declined, freeze, version, codeVersion } = standing;
  if (generations.length === 0) return ['never built'];
  const next = generations.find(({ role }) => role === 'next');
  const old = version === codeVersion ? 'the same version with another fold' : `version ${version ?? '?'}`;
  return [
    ...(paused === true ? ['paused'] : []),
    ...(freeze === null ? [] : [`readers are switched to ${freeze.to}`]),
    ...(behindCode ? [`served as of ${old}${declined ? ', as an operator wants it' : ''}`] : []),
    ...(next === undefined ? [] : [buildingText(next)]),
  ];
};

const buildingText = ({ generation, failure, hold, caughtUp, progress }: GenerationStanding): string => {
  if (failure !== null) return `the rebuild to ${generation} has stopped`;
  if (caughtUp === true) return `${generation} has caught up${hold ? ' and is held' : ''}`;
  const share = progress === null ? '' : ` (${Math.floor(progress * 100)} %)`;
  return `${generation} is being built${share}`;
};

const failureLines = ({ generation, failure }: GenerationStanding): readonly string[] => {
  if (failure === null) return [];
  const { eventType, eventId, position, documentId, message } = failure;
  const of = documentId === null ? '' : `, document ${documentId}`;
  return [
    harmless(
      `  ${generation} stopped at the ${eventType} event ${eventId} (position ${position}${of}): ${message}`,
    ),
  ];
};

const inTheWayLines = ({ generation, inTheWay }: GenerationStanding): readonly string[] =>
  inTheWay === null ? [] : [harmless(`  ${generation} does not go on. ${inTheWay}`)];

const operationLines = ({ open, last }: Standing): readonly string[] => [
  ...open.map(
    ({ kind, id, requestedAt }) => `  open: ${OPERATIONS[kind].name} ${id}, asked for at ${requestedAt}`,
  ),
  ...(last === null
    ? []
    : [
        harmless(`  last: ${OPERATIONS[last.kind].name}, ${last.result} at ${last.endedAt}: ${last.message}`),
      ]),
];

/** All views in one table, and a sentence on those that are to be looked at. */
export const summaryText = (standings: readonly Standing[]): string =>
  [tableText(SUMMARY_HEAD, standings.map(summaryRow)), summarySentence(standings)].join('\n');

const SUMMARY_HEAD = ['view', 'version', 'generation', 'behind', 'parked', 'fed by', 'remarks'];

const summaryRow = (standing: Standing): readonly (string | number)[] => {
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
  if (first === undefined) return 'none';
  const who = owners.size === 1 ? shortOwner(first) : `${owners.size} processes`;
  return segments.every(({ alive }) => alive) ? who : `${who}, in part`;
};

const summarySentence = (standings: readonly Standing[]): string => {
  const odd = standings.filter((standing) => {
    const [live] = standing.generations;
    const isWell = live?.caughtUp === true && live.parked === 0 && live.segments.every(({ alive }) => alive);
    return !isWell || remarksOf(standing).length > 0;
  });
  const [first] = odd;
  if (first === undefined) return 'All views are up to date.';
  return `${odd.length} of ${standings.length} need attention. See the first: \`assay projections status ${first.view}\`.`;
};
