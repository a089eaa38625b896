import type { GenerationHealth, SegmentHealth, ViewHealth } from '../engine/health/health.js';
import type { ComponentHealth } from './health.js';
import { asTyped } from './installation.js';
import { processNameOf } from './owner.js';

/** A view that is further behind makes the process unready: callers would miss their own changes. */
const MAX_LAG_SECONDS = 30;

/**
 * A view as a component of the health. The figure `notice` contains what needs an operator's attention. A view with
 * parked documents, or one that an operator has paused, is ready.
 */
export const viewComponent = (view: ViewHealth): ComponentHealth => {
  const { view: name, generation, version, codeVersion, position, caughtUp, lagSeconds, parked } = view;
  const problem = problemOf(view);
  const notices = viewNotices(view);
  const unknown = 'The lag is unknown: the event store does not answer.';
  const reason = view.reason ?? (lagSeconds === null ? unknown : null);
  const next = view.generations.find(({ role }) => role === 'next');
  const former = view.generations.find(({ role }) => role === 'former');
  return {
    name: `view ${name}`,
    ready: problem === null,
    ...(problem !== null && {
      problem: [problem, ...(reason === null ? [] : [reason]), ...notices].join(' '),
    }),
    figures: {
      generation,
      ...(version !== codeVersion && { version, codeVersion }),
      position,
      caughtUp,
      lagSeconds,
      parked,
      owner: view.owners.map(processNameOf).join(', '),
      ...(view.paused === true && { paused: true }),
      reason,
      notice: notices.length === 0 ? null : notices.join(' '),
      ...(next && { next: progressLine(next) }),
      ...(former && { former: former.generation }),
      ...(view.segments.length > 1 && Object.fromEntries(view.segments.map(segmentLine))),
    },
  };
};

/** Why a process that reads this view should get no requests; `null`: it is ready. */
function problemOf({ view, generation, lagSeconds, paused, damage, segments }: ViewHealth): string | null {
  if (damage !== undefined) return `The view ${view} cannot go on, since the log is damaged: ${damage}`;
  if (generation === null) return `The view ${view} was never built: is a projector running?`;
  // A pause by an operator must not make the service unready.
  if (paused === true || lagSeconds === null || lagSeconds <= MAX_LAG_SECONDS) return null;
  const lag = `The view ${view} is ${Math.round(lagSeconds)} s behind`;
  return segments.length > 0 && segments.every(({ alive }) => alive)
    ? `${lag}, though it is being fed: the log of the process that feeds it shows why.`
    : `${lag}: is a projector running?`;
}

/** Describes a segment in a line: owner, lag and position. */
const segmentLine = ({ segment, owner, position, caughtUp, lagSeconds }: SegmentHealth): [string, string] => {
  const behind = caughtUp === true ? 'caught up' : `${lagSeconds?.toFixed(1) ?? '?'} s behind`;
  const who = owner === null ? 'none' : processNameOf(owner);
  return [`segment ${segment}`, `${who}, ${behind}, at ${position === '' ? 'the beginning' : position}`];
};

const progressLine = ({ generation, progress, caughtUp }: GenerationHealth): string => {
  if (caughtUp === true) return `${generation}, caught up`;
  return `${generation}, ${progress === null ? '?' : Math.floor(progress * 100)} % of the log`;
};

/** Parked documents are counted up to this number. */
const MAX_PARKED = 100;

/** What needs an operator's attention, each in a sentence with the command to run. */
export const viewNotices = (view: ViewHealth): readonly string[] => {
  const next = view.generations.find(({ role }) => role === 'next');
  return [
    pausedOf(view),
    parkedOf(view),
    next ? nextOf(view, next) : null,
    codeOf(view),
    unfedOf(view),
  ].flatMap((notice) => (notice === null ? [] : [asTyped(notice)]));
};

const pausedOf = ({ view, paused }: ViewHealth): string | null =>
  paused === true ? `The view ${view} is paused by an operator: \`assay projections resume ${view}\`.` : null;

const parkedOf = ({ view, parked }: ViewHealth): string | null => {
  if (parked === 0) return null;
  const most = parked >= MAX_PARKED ? 'At least ' : '';
  const documents =
    parked === 1 ? `1 document of ${view} waits` : `${most}${parked} documents of ${view} wait`;
  return `${documents} behind an event that could not be folded: \`assay dead-letters list ${view}\`.`;
};

const nextOf = ({ view }: ViewHealth, next: GenerationHealth): string | null => {
  const { failure, generation, hold, caughtUp } = next;
  if (failure !== null) {
    if (failure.eventId === null)
      return `The rebuild ${generation} has stopped. ${failure.message} Then \`assay projections cancel ${view}\` and \`assay projections rebuild ${view}\`.`;
    const event = `the event ${failure.eventId} (${failure.eventType}), which it cannot fold`;
    return `The rebuild ${generation} has stopped at ${event}: \`assay projections status ${view}\` shows why, \`assay projections cancel ${view}\` cancels it.`;
  }
  if (!hold || caughtUp !== true) return null;
  return `The rebuild ${generation} has caught up and waits: \`assay projections promote ${view}\`.`;
};

const codeOf = ({ view, version, codeVersion, behindCode, declined }: ViewHealth): string | null => {
  if (!behindCode) return null;
  const live = version === codeVersion ? `version ${codeVersion} of other code` : `version ${version ?? '?'}`;
  const wanted = declined ? ', by an operator’s choice' : '';
  return `The code folds version ${codeVersion} of ${view}, but ${live} is live${wanted}: \`assay projections rebuild ${view}\`.`;
};

/** A notice that no process folds the live generation; `null`: one does, this code can, or the view is paused. */
const unfedOf = (view: ViewHealth): string | null => {
  const [live] = view.generations;
  if (live === undefined || live.feedable || view.paused === true) return null;
  if (live.segments.some(({ alive }) => alive)) return null;
  const next = view.generations.find(({ role, failure }) => role === 'next' && failure === null);
  const until = next
    ? `until ${next.generation} is live.`
    : `until the version that built it runs again, or \`assay projections rebuild ${view.view}\`.`;
  return `No running code folds ${live.generation}, which is live: it is not updated ${until}`;
};
