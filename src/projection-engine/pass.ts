import type { Stored } from '../event-store/event.js';
import { START, type Position } from '../event-store/port.js';
import { DocumentTooLarge } from '../read-store/errors.js';
import type {
  Checkpoint,
  ReadStore,
  StoredDocument,
  ViewCollection,
  WriteResult,
} from '../read-store/port.js';
import { reasonOf } from './errors.js';
import type { Batch, Feed } from './feed.js';
import { foldDocument, parkDocument, type FoldedDocument, type Parked } from './fold.js';
import type { DocumentSealer } from './sealer.js';
import { segmentOf } from './segments.js';
import type { AnyView } from './view.js';

/** One segment of one generation of a view: what a worker works on. */
export interface Segment {
  readonly view: AnyView;
  /** The types that the view handles. */
  readonly handled: ReadonlySet<string>;
  readonly collection: ViewCollection;
  /** The checkpoint's name. */
  readonly name: string;
  /** Counted from 0. */
  readonly index: number;
  readonly count: number;
}

export interface PassDependencies {
  readonly feed: Pick<Feed, 'pull'> & Partial<Pick<Feed, 'ahead'>>;
  readonly checkpoints: ReadStore['checkpoints'];
  readonly sealer: DocumentSealer;
}

export interface PassGuards {
  /** True once the worker should not go on: its lease is lost, or the process ends. */
  readonly interrupted: () => boolean;
  /** The segment had a checkpoint before. Without one now, its generation was dropped: never begin it anew. */
  readonly begun: boolean;
  /** What the last pass came to, to go on from. Only while nothing has failed since and the lease was kept. */
  readonly carried?: Standing | null;
  /** A pass that folds nothing may leave the checkpoint where it is: `settle` moves it. */
  readonly lazy?: boolean;
}

const UNGUARDED: PassGuards = { interrupted: () => false, begun: false };

/** Where a segment stands. */
export interface Standing {
  /** Everything up to here is in the documents. */
  readonly position: Position;
  /** As stored; behind `position` by nothing but events that are not the segment's. */
  readonly checkpoint: Checkpoint | null;
}

export type PassResult =
  /** It went on to `position`. */
  | ({
      readonly kind: 'advanced';
      readonly folded: number;
      readonly parked: readonly Parked[];
    } & Standing)
  /** Nothing stands beyond `position`. */
  | ({ readonly kind: 'idle' } & Standing)
  /** Somebody else was here, or the documents were read too old: start over from the store. */
  | { readonly kind: 'again'; readonly reason: 'document behind' | 'checkpoint moved' | 'interrupted' }
  | { readonly kind: 'dropped' }
  /** The next event cannot be dealt with by this process: nothing is skipped. */
  | {
      readonly kind: 'stopped';
      readonly position: Position;
      readonly reason: 'newer event' | 'unreadable event';
      readonly message: string;
    };

/** What is folded before the checkpoint follows, at most, where a segment is far behind. */
const PAGES_A_PASS = 8;

/**
 * One pass of a segment: its checkpoint, the documents, fold, guarded writes, checkpoint. Everything comes from the
 * store, so any number may run at once, be repeated, or die at any point: a document is replaced only where it stands
 * at exactly what was read, and the checkpoint moves only after the documents.
 *
 * With what the last pass came to, it reads on from there: that everything up to a position is in the documents stays
 * true, whoever else was at work. Before it writes it reads the checkpoint all the same.
 * Throws what the stores throw; the same call again, with nothing carried, is then right.
 */
export async function runPass(
  dependencies: PassDependencies,
  segment: Segment,
  { interrupted, begun, carried = null, lazy = false }: PassGuards = UNGUARDED,
): Promise<PassResult> {
  const { checkpoints, feed } = dependencies;
  const checkpoint = carried === null ? await checkpoints.get(segment.name) : carried.checkpoint;
  if (checkpoint === null && begun) return { kind: 'dropped' };
  const from = carried?.position ?? checkpoint?.position ?? START;
  let stillThere = carried === null ? null : (): Promise<boolean> => stands(checkpoints, segment, checkpoint);
  const parked: Parked[] = [];
  let position = from;
  let folded = 0;
  for (let page = 1, more = true; more && page <= PAGES_A_PASS; page++) {
    const batch = await feed.pull(position);
    if (batch.position <= position) break;
    const work = await sortOut(segment, batch, position);
    if (interrupted()) return { kind: 'again', reason: 'interrupted' };
    if (work.position <= from && work.blocked !== null) return { ...work.blocked, position: from };
    if (batch.more) feed.ahead?.(batch.position, segment.handled);
    const written = await foldAll(dependencies, segment, work.documents, stillThere);
    if (written === 'behind') return { kind: 'again', reason: 'document behind' };
    if (written === 'moved') return { kind: 'again', reason: 'checkpoint moved' };
    if (work.documents.size > 0) stillThere = null;
    parked.push(...written);
    position = work.position;
    folded += work.events;
    more = batch.more && work.blocked === null;
  }
  if (position <= from) return { kind: 'idle', position: from, checkpoint };
  if (interrupted()) return { kind: 'again', reason: 'interrupted' };
  const reached: Standing = { position, checkpoint };
  const settled = lazy && folded === 0 ? reached : await settle(dependencies, segment, reached);
  if (settled === null) return { kind: 'again', reason: 'checkpoint moved' };
  return { kind: 'advanced', ...settled, folded, parked };
}

/**
 * Moves the checkpoint to where the segment stands.
 * @returns `null` where it was moved meanwhile: start over from the store
 */
export async function settle(
  { checkpoints }: Pick<PassDependencies, 'checkpoints'>,
  { name }: Pick<Segment, 'name'>,
  { position, checkpoint }: Standing,
): Promise<Standing | null> {
  const epoch = checkpoint?.epoch ?? 0;
  const moved = await checkpoints.advance(name, epoch, checkpoint?.position ?? null, position);
  return moved ? { position, checkpoint: { position, epoch } } : null;
}

/** Whether something that the pass knows of is not in the checkpoint yet. */
export const isUnsettled = ({ position, checkpoint }: Standing): boolean =>
  position > (checkpoint?.position ?? START);

async function stands(
  checkpoints: ReadStore['checkpoints'],
  { name }: Segment,
  known: Checkpoint | null,
): Promise<boolean> {
  const standing = await checkpoints.get(name);
  return standing?.position === known?.position && standing?.epoch === known?.epoch;
}

interface Work {
  /** Their own events by document, in log order. */
  readonly documents: ReadonlyMap<string, readonly Stored[]>;
  readonly events: number;
  /** Where the segment stands once they are folded: short of the batch's end where an event is in the way. */
  readonly position: Position;
  readonly blocked: {
    readonly kind: 'stopped';
    readonly reason: 'newer event' | 'unreadable event';
    readonly message: string;
  } | null;
}

/** The segment's part of a batch. Events it ignores count too: the checkpoint must pass them. */
async function sortOut(segment: Segment, batch: Batch, from: Position): Promise<Work> {
  const { view, handled } = segment;
  const documents = new Map<string, Stored[]>();
  let events = 0;
  let position = from;
  const stop = (reason: 'newer event' | 'unreadable event', message: string): Work => ({
    documents,
    events,
    position,
    blocked: { kind: 'stopped', reason, message },
  });
  for (const shared of batch.events) {
    if (shared.mayBe(handled)) {
      try {
        const decoding = shared.decode();
        const decoded = decoding instanceof Promise ? await decoding : decoding;
        if (decoded.kind === 'event') {
          const id = handled.has(decoded.event.type) ? documentIdOf(view, decoded.event) : null;
          if (id !== null && segmentOf(id, segment.count) === segment.index) {
            const own = documents.get(id);
            if (own === undefined) documents.set(id, [decoded.event]);
            else own.push(decoded.event);
            events++;
          }
        } else if (handled.has(decoded.type)) {
          return stop('newer event', `A ${decoded.type} event was written by a newer version.`);
        }
      } catch (error) {
        return stop('unreadable event', `A ${shared.storedType} event cannot be read: ${reasonOf(error)}`);
      }
    }
    position = shared.position;
  }
  return { documents, events, position: batch.position, blocked: null };
}

/** Without a document there is nothing to park: an event that cannot be assigned stops the segment. */
function documentIdOf(view: AnyView, event: Stored): string | null {
  const id = view.documentId(event);
  if (id === '' || (id !== null && typeof id !== 'string')) {
    throw new TypeError(`The view "${view.name}" gives it no usable document id.`);
  }
  return id;
}

/** @param stillThere asked, beside reading the documents, before anything is written */
async function foldAll(
  { sealer }: PassDependencies,
  segment: Segment,
  documents: Work['documents'],
  stillThere: (() => Promise<boolean>) | null,
): Promise<readonly Parked[] | 'behind' | 'moved'> {
  if (documents.size === 0) return [];
  try {
    return await foldTogether(sealer, segment, documents, stillThere);
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await foldOneByOne(sealer, segment, documents);
  }
}

async function foldTogether(
  sealer: DocumentSealer,
  { view, collection }: Segment,
  documents: Work['documents'],
  stillThere: (() => Promise<boolean>) | null,
): Promise<readonly Parked[] | 'behind' | 'moved'> {
  const ids = [...documents.keys()];
  const [standing, unmoved] = await Promise.all([readStanding(collection, ids), stillThere?.() ?? true]);
  if (!unmoved) return 'moved';
  const folded: FoldedDocument[] = [];
  for (const [id, events] of documents) {
    const next = await foldDocument(view, sealer, id, standing.get(id) ?? null, events);
    if (next !== null) folded.push(next);
  }
  const results = folded.length === 0 ? [] : await collection.apply(folded.map(({ write }) => write));
  return results.some(isBehind) ? 'behind' : folded.flatMap(({ parked }) => parked ?? []);
}

/**
 * The same, an event at a time: the only way to know after which one a document could no longer be stored, and thus
 * to park it at the same event whatever the pages.
 */
async function foldOneByOne(
  sealer: DocumentSealer,
  { view, collection }: Segment,
  documents: Work['documents'],
): Promise<readonly Parked[] | 'behind'> {
  const parked: Parked[] = [];
  for (const [id, events] of documents) {
    let before: StoredDocument | null = await collection.get(id);
    for (const event of events) {
      const next = await storeOne(sealer, view, collection, id, before, event);
      if (next === null) continue;
      // Somebody else is at it: whether they dealt with the later events too is not known here.
      if (next.result !== 'written') return 'behind';
      before = next.folded.write.document;
      if (next.folded.parked !== null) parked.push(next.folded.parked);
    }
  }
  return parked;
}

async function storeOne(
  sealer: DocumentSealer,
  view: AnyView,
  collection: ViewCollection,
  id: string,
  before: StoredDocument | null,
  event: Stored,
): Promise<{ folded: FoldedDocument; result: WriteResult | undefined } | null> {
  const apply = async (folded: FoldedDocument) => ({
    folded,
    result: (await collection.apply([folded.write]))[0],
  });
  try {
    const folded = await foldDocument(view, sealer, id, before, [event]);
    return folded && (await apply(folded));
  } catch (error) {
    if (!(error instanceof DocumentTooLarge)) throw error;
    return await apply(await parkDocument(view, sealer, id, before, event, error));
  }
}

async function readStanding(
  collection: ViewCollection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredDocument>> {
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) return await collection.getMany(ids);
  const document = await collection.get(only);
  return new Map(document === null ? [] : [[only, document]]);
}

const isBehind = (result: WriteResult): boolean => result === 'behind';
