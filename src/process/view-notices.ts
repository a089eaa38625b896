import { asTyped } from './installation.js';
import type { GenerationHealth, ViewHealth } from '../engine/health.js';

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
