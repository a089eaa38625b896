/*
 * documents/: documents replayed from the log apart from the feed, to compare, verify and repair them. It promises that
 * a document is compared at exactly the position where it is stored, and that a repair writes over exactly what it
 * read. It may assume that the log holds every event of a document up to its position. Order: `reading` reads the log
 * up to a position, `replay` folds, `comparison` and `diff` find differences, `refold` writes, `verify` compares whole
 * generations; `work` adapts them to the conductor.
 */
import type { EventStore } from '../../core/event-store.js';
import type { Generation, ReadStore } from '../../stores/read-store.js';
import type { Operations, Ending } from '../generations/operations.js';
import type { Difference } from '../generations/promotion.js';
import type { DocumentWork } from '../generations/view-conductor.js';
import type { EventDecoder } from '../live/ring.js';
import type { Throttle } from '../live/throttle.js';
import type { DocumentSealer, AnyView } from '../view.js';
import { compareDocuments, diffGenerations, type Comparison } from './diff.js';
import { changedSince } from './reading.js';
import { refold, type Refolded } from './refold.js';

export interface WorkStores {
  readonly eventStore: Pick<EventStore, 'readAll'>;
  readonly readStore: ReadStore;
  readonly codec: EventDecoder;
  readonly documents: DocumentSealer;
}

/**
 * Compares and repairs documents for the conductor. `all` compares what is stored; `since` and `refold` read the log, and
 * leave out the events that operators skip at the time of the call.
 * @param throttle slows `all`. `since` is never slowed: its last call runs while reads are frozen. Default: none
 */
export function documentWork(
  { eventStore, readStore, codec, documents: sealer }: WorkStores,
  operations: Pick<Operations, 'readIntent'>,
  throttle?: Pick<Throttle, 'wait'>,
): DocumentWork {
  const stores = { eventStore, readStore, codec, sealer };
  const skippedIn = async (view: AnyView) => (await operations.readIntent()).skipped(view.name);
  return {
    comparing: (view, live, next, signal) => {
      const left = { view, generation: live };
      const right = { view, generation: next };
      return {
        all: async () =>
          differenceIn(await diffGenerations(stores, left, right, { signal, throttle }), left.generation),
        since: async (after, upTo) => {
          const skipped = await skippedIn(view);
          const ids = await changedSince(stores, [view], { after, upTo }, { skipped, signal });
          return differenceIn(await compareDocuments(stores, left, right, ids, { signal }), left.generation);
        },
      };
    },
    refold: async (view, generation, { documents, parkedOnly }, signal) => {
      const options = { skipped: await skippedIn(view), signal };
      return endingOf(await refold(stores, view, generation, { documents, parkedOnly }, options), generation);
    },
  };
}

/**
 * The end of the conductor's sentence about two generations. A document whose positions differ is not counted as
 * different.
 */
function differenceIn({ compared, different, first }: Comparison, { name }: Generation): Difference {
  if (different === 0) return null;
  const ids = first.map(({ id }) => id).join(', ');
  const others = different > first.length ? ` and ${different - first.length} more` : '';
  return `of ${compared} documents compared with ${name}, ${different} differ: ${ids}${others}.`;
}

type Outcome = Refolded['outcome'];

function endingOf(refolded: readonly Refolded[], { name }: Generation): Ending {
  const counts: Record<Outcome, number> = {
    repaired: 0,
    unchanged: 0,
    parked: 0,
    'not parked': 0,
    'not there': 0,
    moving: 0,
  };
  for (const { outcome } of refolded) counts[outcome]++;
  const undone = refolded.filter(({ outcome }) => FAILED.has(outcome));
  const details = { generation: name, documents: refolded.length, ...detailsOf(counts) };
  if (undone.length === 0) {
    const message = `${name}: ${counts.repaired} of ${refolded.length} documents repaired, ${counts.unchanged} unchanged.`;
    return { result: 'done', message, details };
  }
  const why = undone.slice(0, SHOWN).map(sentenceOf).join(' ');
  const others = undone.length > SHOWN ? ` ${undone.length - SHOWN} more failed likewise.` : '';
  const message = `${name}: ${undone.length} of ${refolded.length} documents not repaired. ${why}${others}`;
  return { result: 'failed', message, details };
}

const FAILED: ReadonlySet<Outcome> = new Set<Outcome>(['parked', 'not there', 'moving']);
/** How many failures a message has. */
const SHOWN = 5;

const detailsOf = (counts: Readonly<Record<Outcome, number>>): Ending['details'] => ({
  repaired: counts.repaired,
  unchanged: counts.unchanged,
  parked: counts.parked,
  notParked: counts['not parked'],
  notThere: counts['not there'],
  moving: counts.moving,
});

function sentenceOf(refolded: Refolded): string {
  const { id } = refolded;
  switch (refolded.outcome) {
    // Without the error's message: it may quote personal data, and an ending is stored for good.
    case 'parked':
      return `The event ${refolded.failure.eventId} (${refolded.failure.eventType}) cannot be folded into ${id}.`;
    case 'moving':
      return `${id} changed faster than it could be written: repeat the command.`;
    default:
      return `There is no document ${id}.`;
  }
}
