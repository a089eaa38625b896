import type { ComponentHealth } from './health.js';
import type { GenerationHealth, SegmentHealth, ViewHealth } from '../engine/health.js';
import { viewNotices } from './view-notices.js';

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
