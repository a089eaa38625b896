import type { OperatorState } from '../../domain/operations/decider.js';
import { type FoldStores, ownEvents, CannotFold } from '../../engine/documents/reading.js';
import type { AnyView } from '../../engine/view.js';
import type { Stores } from '../../process/stores.js';
import { deadLetter, type DeadLetter } from './dead-letter.js';
import { type Parked, parkedOf } from './parked.js';
import { stoppedRebuild, type StoppedRebuild } from './skip.js';

/** A dead letter in the list. */
export interface ListedDeadLetter extends DeadLetter {
  /** How many later events of the document wait; `null`: unknown. */
  readonly waiting: number | null;
}

/** The dead letters that `assay dead-letters list` prints. */
export interface DeadLetters {
  readonly deadLetters: readonly ListedDeadLetter[];
  /** There are more than the limit. */
  readonly more: boolean;
  /** Rebuilds that stopped at an event. */
  readonly stopped: readonly StoppedRebuild[];
}

interface ListOptions {
  readonly views: readonly string[];
  /** The code of views that may fold the documents. Default: this program's. */
  readonly codes?: readonly AnyView[];
  readonly limit: number;
  readonly signal: AbortSignal;
}

type Needed = Pick<Stores, 'eventStore' | 'readStore' | 'codec' | 'documents'>;

/** Lists parked documents with their reasons. Writes nothing. */
export async function listDeadLetters(
  stores: Needed,
  state: Pick<OperatorState, 'ended' | 'skipped'>,
  { views, codes, limit, signal }: ListOptions,
): Promise<DeadLetters> {
  const groups = new Map<string, Parked[]>();
  const stopped: StoppedRebuild[] = [];
  let found = 0;
  for (const view of views) {
    for await (const parked of parkedOf(stores.readStore, view, codes)) {
      // One more than is shown, to know whether there are more.
      if (++found > limit) break;
      const { name } = parked.generation;
      const group = groups.get(name);
      if (group) group.push(parked);
      else groups.set(name, [parked]);
    }
    const rebuild = await stoppedRebuild(stores.readStore, state, view);
    if (rebuild !== null) stopped.push(rebuild);
    if (found > limit) break;
  }
  const deadLetters: ListedDeadLetter[] = [];
  for (const group of groups.values())
    for (const letter of await describe(stores, state, group, signal)) deadLetters.push(letter);
  return { deadLetters, more: found > limit, stopped };
}

/** @param group of one generation */
async function describe(
  stores: Needed,
  { skipped }: Pick<OperatorState, 'skipped'>,
  group: readonly Parked[],
  signal: AbortSignal,
): Promise<readonly ListedDeadLetter[]> {
  const [first] = group;
  if (first === undefined) return [];
  const left = skipped.get(first.view) ?? new Set<string>();
  const documents = group.map(({ document }) => document);
  const waiting = first.code && (await waitingBehind(stores, first.code, documents, left, signal));
  const letters: ListedDeadLetter[] = [];
  for (const one of group) {
    signal.throwIfAborted();
    const letter = await deadLetter(stores, one, left);
    letters.push({ ...letter, waiting: waiting?.get(one.document.id) ?? null });
  }
  return letters;
}

/**
 * How many events wait after the one at which each document is parked, by the document's id. Reads the log once, from
 * the first of those events. `null`: an event in that part of the log cannot be read or assigned.
 * @param documents of one generation
 * @param skipped ids of the events that the view's folds skip
 */
async function waitingBehind(
  stores: Pick<FoldStores, 'eventStore' | 'codec'>,
  view: AnyView,
  documents: readonly Parked['document'][],
  skipped: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | null> {
  const [first] = documents;
  if (first === undefined) return new Map();
  const counts = new Map(documents.map(({ id }) => [id, 0]));
  const byId = new Map(documents.map((document) => [document.id, document]));
  const after = documents.reduce((a, { parkedAt: b }) => (a < b ? a : b), first.parkedAt);
  const upTo = documents.reduce((a, { position: b }) => (a > b ? a : b), first.position);
  try {
    for await (const page of ownEvents(stores, view, { after, upTo }, { skipped, signal })) {
      for (const [id, events] of page) {
        const document = byId.get(id);
        if (document === undefined) continue;
        const { parkedAt, position } = document;
        const behind = events.filter((event) => event.position > parkedAt && event.position <= position);
        counts.set(id, (counts.get(id) ?? 0) + behind.length);
      }
    }
    return counts;
  } catch (error) {
    if (error instanceof CannotFold) return null;
    throw error;
  }
}
