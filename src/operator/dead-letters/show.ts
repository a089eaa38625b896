import type { AnyView } from '../../engine/view.js';
import type { Json } from '../../stores/read-store.js';
import type { Stores } from '../../process/stores.js';
import type { OperatorState } from '../../domain/operations/decider.js';
import { OperatorError } from '../program.js';
import { SEALED } from '../streams/shown-event.js';
import { deadLetter, type DeadLetter } from './dead-letter.js';
import { parkedDocument } from './parked.js';

export interface ShownDeadLetter extends DeadLetter {
  /** The document before the event, as it is stored, its personal part sealed; `null`: it had no content yet. */
  readonly content: Json;
}

/** @throws {OperatorError} that document of the view is not parked */
export async function showDeadLetter(
  stores: Pick<Stores, 'eventStore' | 'readStore' | 'codec' | 'documents'>,
  { skipped }: Pick<OperatorState, 'skipped'>,
  view: string,
  document: string,
  codes?: readonly AnyView[],
): Promise<ShownDeadLetter> {
  const parked = await parkedDocument(stores.readStore, view, document, codes);
  if (parked === null) throw notParked(view, document);
  const letter = await deadLetter(stores, parked, skipped.get(view) ?? new Set());
  return { ...letter, content: withoutPersonal(parked.document.body) };
}

export const notParked = (view: string, document: string): OperatorError =>
  new OperatorError(
    `No document ${JSON.stringify(document)} of "${view}" is parked. \`assay dead-letters list ${view}\` names those that are.`,
  );

const withoutPersonal = (body: Json): Json =>
  typeof body === 'object' && body !== null && 'personal' in body && body.personal !== null
    ? { ...body, personal: SEALED }
    : body;
