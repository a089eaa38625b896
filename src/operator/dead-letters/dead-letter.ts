import type { Codec } from '../../core/codec.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import { freezeJson } from '../../core/json.js';
import type { OperatorState } from '../../domain/operations/decider.js';
import { fits } from '../../engine/documents/replay.js';
import { discreetReason, placesOf } from '../../engine/errors.js';
import { TimedFoldGuard } from '../../engine/fold/fold-guard.js';
import { Folding, foldTogether } from '../../engine/fold/folding.js';
import { folds } from '../../engine/generations/generations.js';
import type { AnyView, ViewDocument, DocumentSealer } from '../../engine/view.js';
import type { Stores } from '../../process/stores.js';
import type { Json } from '../../stores/read-store.js';
import { OperatorError } from '../cli/program.js';
import { recordedAtOf, SEALED, shownEvent, type ShownEvent } from '../streams/shown-event.js';
import { type Parked, parkedDocument } from './parked.js';

/** A parked document, for an operator. */
export interface DeadLetter {
  readonly view: string;
  readonly generation: string;
  readonly role: Parked['role'];
  readonly document: string;
  /** Position of the event that could not be folded. */
  readonly position: Position;
  /** The stored event; `null`: the log has none at that position. */
  readonly event: ShownEvent | null;
  /** When that event was recorded; `null`: unknown. */
  readonly since: string | null;
  readonly why: Why;
}

type Needed = Pick<Stores, 'eventStore' | 'codec' | 'documents'>;

/**
 * The dead letter of a parked document. Reads the event and folds it again, without writing.
 * @param skipped ids of the events that are skipped in the view's folds
 * @throws {VaultUnavailable} a key cannot be read
 */
export async function deadLetter(
  { eventStore, codec, documents }: Needed,
  parked: Parked,
  skipped: ReadonlySet<string>,
): Promise<DeadLetter> {
  const { view, generation, role, document } = parked;
  const event = await eventAt(eventStore, document.parkedAt);
  const shown = event && shownEvent(event);
  const since = shown && recordedAtOf(shown);
  return {
    ...{ view, role, since },
    generation: generation.name,
    document: document.id,
    position: document.parkedAt,
    event: shown,
    why: await whyParked({ codec, sealer: documents }, parked, event, skipped),
  };
}

/** `null`: the log has no event at exactly that position. */
async function eventAt(
  eventStore: Pick<EventStore, 'readAll'>,
  position: Position,
): Promise<RecordedEvent | null> {
  for await (const event of eventStore.readAll({ from: position, limit: 1 }))
    return event.position === position ? event : null;
  return null;
}

/** A dead letter with the document that it would change. */
export interface ShownDeadLetter extends DeadLetter {
  /** The stored document before the event, with its sealed personal part; `null`: it had no content. */
  readonly content: Json;
}

/**
 * @param codes the code of views that may fold the document. Default: this program's
 * @throws {OperatorError} the document is not parked
 * @throws {VaultUnavailable} a key cannot be read
 */
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

/** The error of a document that is not parked. */
export const notParked = (view: string, document: string): OperatorError =>
  new OperatorError(
    `No document ${JSON.stringify(document)} of "${view}" is parked. \`assay dead-letters list ${view}\` names those that are.`,
  );

const withoutPersonal = (body: Json): Json =>
  typeof body === 'object' && body !== null && 'personal' in body && body.personal !== null
    ? { ...body, personal: SEALED }
    : body;

/** Why an event cannot be folded. Found out by folding it again, without writing. */
interface Why {
  /** `mended`: it can be folded now. */
  readonly kind: 'failed' | 'mended' | 'skipped' | 'unknown';
  /** A sentence, or the error in a line, without personal data. */
  readonly reason: string;
  /** The place of the error in the view's code; `null`: unknown. */
  readonly stack: string | null;
}

/** Short limits, in milliseconds, so that a list ends soon even if the folds of many events never end. */
const guard = new TimedFoldGuard([500, 1000]);

/**
 * Folds the event at which a document is parked again, into the document before it.
 * @param event `null`: the log has none at that position
 * @param skipped ids of the events that are skipped in the view's folds
 * @throws {VaultUnavailable} a key cannot be read
 */
async function whyParked(
  { codec, sealer }: { readonly codec: Pick<Codec, 'decode'>; readonly sealer: DocumentSealer },
  { code, generation, document }: Pick<Parked, 'code' | 'generation' | 'document'>,
  event: RecordedEvent | null,
  skipped: ReadonlySet<string>,
): Promise<Why> {
  if (event === null) return unknown(`The log holds no event at ${document.parkedAt}.`);
  if (skipped.has(event.id))
    return { kind: 'skipped', reason: 'It is skipped: the next retry leaves it out.', stack: null };
  if (code === null)
    return unknown(
      `Only version ${generation.version} of the view folds ${generation.name}: this command has another version.`,
    );
  let stack: string | null = null;
  let personal: readonly unknown[] = [];
  const because = (reason: string): Why => ({ kind: 'failed', reason, stack });
  const watched = watching(code, (error) => (stack = placesOf(error)));
  try {
    const decoded = await codec.decode(event);
    if (decoded.kind !== 'event')
      return because(`A ${decoded.type} event of a newer version of this program.`);
    const content = document.body === null ? null : freezeJson(await sealer.open(document.body));
    personal = [decoded.event.personal, content?.personal];
    const folding = new Folding(watched, document.id, content, [decoded.event]);
    await foldTogether(guard, [folding]);
    if (folding.refusal !== null) return because(folding.refusal.reason);
    if (!(await fits(sealer, document.id, folding.content)))
      return because('The document would be larger than 16 MiB.');
    const reason = folds(code, generation)
      ? 'It can be folded now: retry it.'
      : `It can be folded now, by changed code, which does not feed ${generation.name}: rebuild the view (\`assay projections rebuild ${code.name}\`).`;
    return { kind: 'mended', reason, stack: null };
  } catch (error) {
    if (error instanceof VaultUnavailable) throw error;
    return because(discreetReason(error, personal));
  }
}

const unknown = (reason: string): Why => ({ kind: 'unknown', reason, stack: null });

/** The view, with a hook for its errors, since a fold stores only one line of an error. */
const watching = (view: AnyView, onError: (error: unknown) => void): AnyView =>
  Object.assign(Object.create(view) as AnyView, {
    evolve: (document: ViewDocument, event: Stored): ViewDocument => {
      try {
        return view.evolve(document, event);
      } catch (error) {
        onError(error);
        throw error;
      }
    },
  });
