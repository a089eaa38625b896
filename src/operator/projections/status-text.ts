import { OPERATIONS } from '../../domain/operations/operations.js';
import type { EventCount, SegmentHealth } from '../../engine/health/health.js';
import { processNameOf } from '../../process/owner.js';
import { counted } from '../cli/output.js';
import { durationText, rateText } from '../cli/progress.js';
import { tableLines } from '../cli/table.js';
import type { GenerationStatus, ViewStatus } from './view-status.js';
import { shortName } from './views.js';

/** A view in lines: remarks, a row for each generation, operators' requests. */
export const statusLines = (status: ViewStatus): readonly string[] => {
  const { view, generations, codeVersion } = status;
  const remarks = remarksOf(status);
  return [
    `${view} (version ${codeVersion})${remarks.length === 0 ? '' : `: ${remarks.join('; ')}`}`,
    ...(generations.length === 0
      ? []
      : tableLines(
          HEAD,
          generations.map((generation) => rowOf(status, generation)),
        )),
    ...(status.damage === undefined ? [] : [`  ${status.damage}`]),
    ...generations.flatMap(failureLines),
    ...generations.flatMap(inTheWayLines),
    ...operationLines(status),
  ];
};

const HEAD = ['role', 'generation', 'position', 'behind', 'parked', 'owner'];

const rowOf = (
  { rateUnit }: ViewStatus,
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
  }: GenerationStatus,
): readonly (string | number)[] => [
  [role, ...(hold ? ['held'] : []), ...(feedable ? [] : ['of other code'])].join(', '),
  generation,
  position === '' ? 'the beginning' : position,
  lagSeconds === 0 ? NO_LAG : `${lagText(lagEvents, lagSeconds)}; ${rateText(rate, rateUnit)}`,
  parkedText(parked),
  ownersText(segments),
];

/** Health stops counting here. */
const MAX_COUNTED = 100;

const parkedText = (parked: number): string => (parked === MAX_COUNTED ? `${parked} or more` : `${parked}`);

const NO_LAG = 'nothing';

const lagText = (events: EventCount | null, seconds: number | null): string => {
  if (events === null || seconds === null) return 'unknown';
  if (seconds === 0) return NO_LAG;
  const count = `${events.exact ? '' : 'at least '}${counted(events.count, 'event')}`;
  return `${count}, ${durationText(seconds)}`;
};

/** The owners of a view's segments: one line, or one for each segment if they have different owners. */
const ownersText = (segments: readonly SegmentHealth[]): string => {
  const owners = segments.map(({ owner, alive }) =>
    owner === null ? 'none' : `${processNameOf(owner)}${alive ? '' : ' (gone?)'}`,
  );
  const [first = 'none'] = owners;
  if (owners.length === 1) return first;
  if (owners.every((one) => one === first)) return `${first}, ${owners.length} segments`;
  return owners.map((owner, index) => `${index + 1} of ${owners.length}: ${owner}`).join('\n');
};

/** What is unusual about a view, in some words each. */
const remarksOf = (status: ViewStatus): readonly string[] => {
  const { generations, paused, behindCode, declined, freeze, version, codeVersion } = status;
  const broken = status.damage === undefined ? [] : ['the log is damaged'];
  if (generations.length === 0) return ['never built', ...broken];
  const next = generations.find(({ role }) => role === 'next');
  const old = version === codeVersion ? 'another fold of the same version' : `version ${version ?? '?'}`;
  return [
    ...broken,
    ...(paused === true ? ['paused'] : []),
    ...(freeze === null ? [] : [`switching to ${freeze.to}`]),
    ...(behindCode ? [`${old} is live${declined ? ', by an operator’s choice' : ''}`] : []),
    ...(next === undefined ? [] : [buildingText(next)]),
  ];
};

const buildingText = ({ generation, failure, hold, caughtUp, progress }: GenerationStatus): string => {
  if (failure !== null) return `the rebuild to ${generation} has stopped`;
  if (caughtUp === true) return `${generation} has caught up${hold ? ' and is held' : ''}`;
  const share = progress === null ? '' : ` (${Math.floor(progress * 100)} %)`;
  return `${generation} is being built${share}`;
};

const failureLines = ({ generation, failure }: GenerationStatus): readonly string[] => {
  if (failure === null) return [];
  if (failure.eventId === null) return [`  ${generation} stopped. ${failure.message}`];
  const { eventType, eventId, position, documentId, message } = failure;
  const of = documentId === null ? '' : `, document ${documentId}`;
  return [
    `  ${generation} stopped at the ${eventType} event ${eventId} (position ${position}${of}): ${message}`,
  ];
};

const inTheWayLines = ({ generation, inTheWay }: GenerationStatus): readonly string[] =>
  inTheWay === null ? [] : [`  ${generation} is blocked. ${inTheWay}`];

const operationLines = ({ open, last }: ViewStatus): readonly string[] => [
  ...open.map(
    ({ kind, id, requestedAt }) => `  open: ${OPERATIONS[kind].name} ${id}, requested at ${requestedAt}`,
  ),
  ...(last === null
    ? []
    : [`  last: ${OPERATIONS[last.kind].name}, ${last.result} at ${last.endedAt}: ${last.message}`]),
];

/** All views in one table, and how many need attention. */
export const summaryLines = (statuses: readonly ViewStatus[]): readonly string[] => [
  ...tableLines(SUMMARY_HEAD, statuses.map(summaryRow)),
  summarySentence(statuses),
];

const SUMMARY_HEAD = ['view', 'generation', 'behind', 'parked', 'fed by', 'remarks'];

const summaryRow = (status: ViewStatus): readonly (string | number)[] => {
  const [live] = status.generations;
  return [
    status.view,
    live === undefined ? '' : shortName(status.view, live.generation),
    live === undefined ? '' : lagText(live.lagEvents, live.lagSeconds),
    live === undefined ? '' : parkedText(live.parked),
    live === undefined ? '' : fedBy(live.segments),
    [...remarksOf(status), ...status.open.map(({ kind }) => `${kind} requested`)].join('; '),
  ];
};

const fedBy = (segments: readonly SegmentHealth[]): string => {
  const owners = new Set(segments.flatMap(({ owner, alive }) => (owner !== null && alive ? [owner] : [])));
  const [first] = owners;
  if (first === undefined) return 'none';
  const by = owners.size === 1 ? processNameOf(first) : `${owners.size} processes`;
  return segments.every(({ alive }) => alive) ? by : `${by}, in part`;
};

const summarySentence = (statuses: readonly ViewStatus[]): string => {
  const unusual = statuses.filter((status) => {
    const [live] = status.generations;
    const isFine = live?.caughtUp === true && live.parked === 0 && live.segments.every(({ alive }) => alive);
    return !isFine || remarksOf(status).length > 0;
  });
  const [first] = unusual;
  if (first === undefined) return 'All views are up to date.';
  return `${unusual.length} of ${statuses.length} need attention. See the first: \`assay projections status ${first.view}\`.`;
};
