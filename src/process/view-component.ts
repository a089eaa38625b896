import type { ComponentHealth } from './health.js';
import type { GenerationHealth, SegmentHealth, ViewHealth } from '../engine/health.js';
import { asTyped } from './installation.js';

/** A view this far behind no longer shows callers what they did. */
const MOST_LAG_SECONDS = 30;

/**
 * A view as a part of the service. What an operator has to look at stands in the figure `notice`, also of a view that
 * is ready: parked documents keep no other from being read, and a paused one stands still because somebody wants it to.
 */
export const viewComponent = (view: ViewHealth): ComponentHealth => {
  const { view: name, generation, version, codeVersion, position, caughtUp, lagSeconds, parked } = view;
  const problem = problemOf(view);
  const notices = viewNotices(view);
  const unknown = 'How far it is behind is not known: the event store does not answer.';
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
      owner: view.owners.map(processOf).join(', '),
      ...(view.paused === true && { paused: true }),
      reason,
      notice: notices.length === 0 ? null : notices.join(' '),
      ...(next && { next: progressLine(next) }),
      ...(former && { former: former.generation }),
      ...(view.segments.length > 1 && Object.fromEntries(view.segments.map(segmentLine))),
    },
  };
};

/** A lease's owner without what makes it unique to the run. */
export const processOf = (owner: string): string => owner.replace(/\/[0-9a-f-]{36}$/, '');

/** Why requests should not be sent to whoever reads this view; `null`: they can be. */
function problemOf({ view, generation, lagSeconds, paused }: ViewHealth): string | null {
  if (generation === null) return `The view ${view} was never built: is a projector running?`;
  // An operator who stops a view for a while does not mean to take the service away.
  if (paused === true || lagSeconds === null || lagSeconds <= MOST_LAG_SECONDS) return null;
  return `The view ${view} is ${Math.round(lagSeconds)} s behind: is a projector running?`;
}

/** A segment in a line: who, how far, where. */
const segmentLine = ({ segment, owner, position, caughtUp, lagSeconds }: SegmentHealth): [string, string] => {
  const behind = caughtUp === true ? 'caught up' : `${lagSeconds?.toFixed(1) ?? '?'} s behind`;
  const who = owner === null ? 'nobody' : processOf(owner);
  return [`segment ${segment}`, `${who}, ${behind}, at ${position === '' ? 'the beginning' : position}`];
};

const progressLine = ({ generation, progress, caughtUp }: GenerationHealth): string => {
  if (caughtUp === true) return `${generation}, caught up`;
  return `${generation}, ${progress === null ? '?' : Math.floor(progress * 100)} % of the log`;
};

/** Counting ends here. */
const MOST_PARKED = 100;

/** What an operator has to know of a view, each in a sentence that names the command for it. */
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
  const most = parked >= MOST_PARKED ? 'At least ' : '';
  const documents =
    parked === 1 ? `1 document of ${view} waits` : `${most}${parked} documents of ${view} wait`;
  return `${documents} behind an event that could not be folded: \`assay dead-letters list ${view}\`.`;
};

const nextOf = ({ view }: ViewHealth, next: GenerationHealth): string | null => {
  const { failure, generation, hold, caughtUp } = next;
  if (failure !== null) {
    const event = `the event ${failure.eventId} (${failure.eventType}), which it cannot fold`;
    return `The rebuild ${generation} has stopped at ${event}: \`assay projections status ${view}\` says why, \`assay projections cancel ${view}\` gives it up.`;
  }
  if (!hold || caughtUp !== true) return null;
  return `The rebuild ${generation} has caught up and waits: \`assay projections promote ${view}\`.`;
};

const codeOf = ({ view, version, codeVersion, behindCode, declined }: ViewHealth): string | null => {
  if (!behindCode) return null;
  const live =
    version === codeVersion ? 'what other code of that version has folded' : `version ${version ?? '?'}`;
  const wanted = declined ? ', as an operator wants it' : '';
  return `The code folds version ${codeVersion} of ${view}, readers are served ${live}${wanted}: \`assay projections rebuild ${view}\`.`;
};

/** Where other processes still fold it with their own code there is nothing to say. */
const unfedOf = (view: ViewHealth): string | null => {
  const [live] = view.generations;
  if (live === undefined || live.feedable || view.paused === true) return null;
  if (live.segments.some(({ alive }) => alive)) return null;
  const next = view.generations.find(({ role, failure }) => role === 'next' && failure === null);
  const until = next
    ? `until ${next.generation} serves.`
    : `until the version that built it runs again, or \`assay projections rebuild ${view.view}\`.`;
  return `No code that runs can fold ${live.generation}, which serves: it stands still ${until}`;
};
