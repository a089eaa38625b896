import { v7 as uuidV7 } from 'uuid';
import type { Details } from '../../domain/operations/events.js';
import type { Screen } from '../cli/output.js';
import { Interrupted, OperatorError } from '../cli/program.js';
import type { Engine } from '../cli/stores.js';
import { type Outcome, watch, type Watched } from '../projections/watch.js';
import { deadLetter, type DeadLetter, notParked } from './dead-letter.js';
import { type Parked, parkedDocument, parkedOf } from './parked.js';

/** The outcome of folding parked documents again. */
export interface Retried {
  readonly view: string;
  /** `null`: nothing was parked, so nothing was requested. */
  readonly operation: string | null;
  readonly message: string;
  readonly details: Details;
  /** The first of the documents that stay parked. */
  readonly stillParked: readonly DeadLetter[];
  /** Whether there are more. */
  readonly more: boolean;
}

/** How many of the documents that stay parked are reported with their reason. */
const MAX_REPORTED = 20;

/**
 * Requests that parked documents are folded again, and waits for the outcome.
 * @param documents of the view; all that are parked if left out
 * @throws {OperatorError} one of them is not parked, or the request failed
 * @throws {Interrupted} the signal ended the wait
 */
export async function retry(
  engine: Engine,
  view: string,
  documents: readonly string[] | 'parked',
  screen: Screen,
  signal: AbortSignal,
): Promise<Retried> {
  const { stores, requests } = engine;
  if (documents === 'parked') {
    if ((await parkedAmong(engine, view, documents, 1)).length === 0) return nothingParked(view);
  } else {
    for (const id of documents)
      if ((await parkedDocument(stores.readStore, view, id)) === null) throw notParked(view, id);
  }
  const earlier = [...(await requests.state()).open.values()].find(
    (one) => one.view === view && one.kind === 'refold',
  );
  if (earlier !== undefined) {
    screen.say(`Waiting for another repair of "${view}", requested at ${earlier.requestedAt}.`);
    await endOf(engine, earlier, screen, signal);
  }
  const id = uuidV7();
  await requests.ask({ id, view, kind: 'refold', documents, parkedOnly: true });
  const outcome = await endOf(engine, { id, view, kind: 'refold' }, screen, signal);
  const left = await parkedAmong(engine, view, documents, MAX_REPORTED + 1);
  const { result, message, details } = outcome;
  // If documents stay parked, each is reported instead of the failure.
  if (result === 'cancelled' || (result === 'failed' && left.length === 0)) throw new OperatorError(message);
  const skipped = (await requests.state()).skipped.get(view) ?? new Set<string>();
  const stillParked: DeadLetter[] = [];
  for (const parked of left.slice(0, MAX_REPORTED))
    stillParked.push(await deadLetter(stores, parked, skipped));
  return { view, operation: id, message, details, stillParked, more: left.length > MAX_REPORTED };
}

const nothingParked = (view: string): Retried => ({
  ...{ view, operation: null, message: `Nothing of "${view}" is parked.` },
  ...{ details: {}, stillParked: [], more: false },
});

/** @throws {Interrupted} the signal came first */
async function endOf(
  engine: Engine,
  operation: Watched,
  screen: Screen,
  signal: AbortSignal,
): Promise<Outcome> {
  const { outcomes, alone } = await watch(engine, [operation], screen, signal);
  const [outcome] = outcomes;
  if (outcome !== undefined && outcome.result !== 'open') return outcome;
  throw new Interrupted(
    alone
      ? `The repair (operation ${operation.id}) is not finished: the next projector, or this command again, continues it.`
      : `The repair (operation ${operation.id}) continues without this command.`,
  );
}

/** The first of the documents that are still parked. */
async function parkedAmong(
  { stores: { readStore } }: Engine,
  view: string,
  documents: readonly string[] | 'parked',
  limit: number,
): Promise<readonly Parked[]> {
  const found: Parked[] = [];
  if (documents !== 'parked') {
    for (const id of documents) {
      const parked = await parkedDocument(readStore, view, id);
      if (parked !== null) found.push(parked);
      if (found.length === limit) break;
    }
    return found;
  }
  for await (const parked of parkedOf(readStore, view)) if (found.push(parked) === limit) break;
  return found;
}
