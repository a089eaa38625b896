import type { Document, PeerEvent, View } from './domain.js';

/** What the peers' service needs of emmett and of the documents beside it. */
export interface PeerStore {
  /** @returns `null` where there is none */
  find<D extends Document>(view: View<D>, id: string): Promise<D | null>;
  /** @returns the documents of an organisation, in no order */
  ofOrganisation<D extends Document>(view: View<D>, organisationId: string): Promise<readonly D[]>;
  /**
   * Appends events and folds the views, in one transaction that is on disk before this resolves.
   * @param revision events that the stream must have
   * @returns whether it was so, and they are stored
   */
  append(stream: string, revision: number, events: readonly PeerEvent[]): Promise<boolean>;
  /** The key that a person's texts are sealed with, made when it is asked for first: 32 bytes. */
  keyOf(person: string): Promise<Buffer>;
  /** Folds a view again from the first event on, with emmett's own rebuild. @returns its documents */
  rebuild(view: View): Promise<number>;
  close(): Promise<void>;
}

/** The documents of these events, each folded over what `find` knows of it. */
export const fold = async <D extends Document>(
  view: View<D>,
  events: readonly PeerEvent[],
  find: (id: string) => Promise<D | null>,
): Promise<ReadonlyMap<string, { readonly before: D | null; readonly after: D }>> => {
  const folded = new Map<string, { readonly before: D | null; readonly after: D }>();
  for (const event of events) {
    if (!view.handles.includes(event.type)) continue;
    const id = view.idOf(event);
    const known = folded.get(id);
    const before = known ? known.before : view.ofEvents ? null : await find(id);
    folded.set(id, { before, after: view.evolve(known ? known.after : before, event) });
  }
  return folded;
};

/** Events that a rebuild reads at once. */
export const PAGE = 1_000;
