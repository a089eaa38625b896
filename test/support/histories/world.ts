import { createHash } from 'node:crypto';
import { isBatchData, itemId } from '../../../src/core/batch.js';
import type { Decider, Decision } from '../../../src/core/decider.js';
import type { StreamName } from '../../../src/core/event-store.js';
import type { Actor, AnyEvent, ChainLink, ItemLink, Stored } from '../../../src/core/event.js';
import type { AnyView, DocumentOf } from '../../../src/engine/view.js';
import { after, NOW, stored, uuid } from '../given-when-then.js';

/** Every personal text begins with this. */
export const SECRET = 'secret~';

/** The first owner of each organisation. */
export const STAFF: Actor = { type: 'staff', id: 'sub-0' };
export const SYSTEM: Actor = { type: 'system', id: 'test' };

/**
 * A log in memory with a clock of its own, to which deciders append as the service's handlers do. It has no randomness:
 * the same calls give the same history, byte for byte.
 */
export class World {
  readonly log: Stored[] = [];
  private readonly streams = new Map<string, Stored[]>();
  private readonly states = new Map<Stored[], { decider: unknown; state: unknown; revision: number }>();
  private readonly views = new Map<AnyView, { documents: Map<string, object>; position: number }>();
  private clock = NOW;
  private ids = 0;

  get now(): string {
    return this.clock;
  }

  pass(ms: number): void {
    this.clock = after(ms, this.clock);
  }

  newId(): string {
    return uuid(`i${++this.ids}`);
  }

  /** The state of a stream. It is cached, since a history reads its streams thousands of times. */
  read<S, E extends AnyEvent>(decider: Decider<S, E>, id: string): S {
    const stream = this.streamOf(decider, id);
    const kept = this.states.get(stream);
    const [from, known] = kept?.decider === decider ? [kept.revision, kept.state as S] : [0, decider.initial];
    const state = stream
      .slice(from)
      .reduce((before, event) => decider.evolve(before, event as Stored<E>), known);
    this.states.set(stream, { decider, state, revision: stream.length });
    return state;
  }

  /** The document of a view; `undefined` if it has no events. Cached as in `read`. */
  document<V extends AnyView>(view: V, id: string): DocumentOf<V> | undefined {
    const kept = this.views.get(view) ?? { documents: new Map<string, object>(), position: 0 };
    this.views.set(view, kept);
    const { documents } = kept;
    for (const event of this.log.slice(kept.position)) {
      const of = view.handles.includes(event.type) ? view.documentId(event) : null;
      if (of !== null) documents.set(of, view.evolve(documents.get(of) ?? view.initial(of), event));
    }
    kept.position = this.log.length;
    return documents.get(id) as DocumentOf<V> | undefined;
  }

  /** Decides and appends. @returns the refusal's code; `null` if the command was accepted */
  submit<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    id: string,
    actor: Actor,
    decide: (state: S) => Decision<E>,
  ): string | null {
    const decision = decide(this.read(decider, id));
    if (decision.kind === 'refused') return decision.refusal.code;
    for (const event of decision.events) this.append(decider, id, actor, event);
    return null;
  }

  private append(
    decider: Pick<Decider<unknown, AnyEvent>, 'kind' | 'chained'>,
    id: string,
    actor: Actor,
    event: AnyEvent,
  ): void {
    const stream = this.streamOf(decider, id);
    const at = {
      stream: `${decider.kind}-${id}`,
      revision: stream.length,
      index: this.log.length,
      recordedAt: this.clock,
      actor,
    };
    const plain: Stored = stored(event, at);
    const previous = stream.at(-1)?.chain?.hash ?? '';
    const whole = decider.chained ? { ...plain, chain: link(previous, plain) } : plain;
    stream.push(whole);
    this.log.push(whole);
  }

  private streamOf(decider: { readonly kind: string }, id: string): Stored[] {
    const name = `${decider.kind}-${id}` as StreamName;
    const stream = this.streams.get(name) ?? [];
    this.streams.set(name, stream);
    return stream;
  }
}

/** A chain link of the right form. Only the codec makes real ones. */
const link = (previousHash: string, { id, data, personal }: Stored): ChainLink => {
  const linked = (place: number): ItemLink => ({
    commitment: personal === null ? null : sha256(itemId(id, place)),
    hash: sha256(previousHash + itemId(id, place)),
  });
  if (!isBatchData(data)) return { previousHash, ...linked(0) };
  const items = data.items.map((_, place) => linked(place));
  return { previousHash, commitment: null, hash: items.at(-1)?.hash ?? '', items };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
