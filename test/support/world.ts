import { createHash } from 'node:crypto';
import { isBatchData, itemId } from '../../src/core/batch.js';
import type { Decider, Decision } from '../../src/core/decider.js';
import type { Actor, AnyEvent, ChainLink, ItemLink, Stored } from '../../src/core/event.js';
import type { StreamName } from '../../src/core/event-store.js';
import { after, NOW, stored, uuid } from './given-when-then.js';

/**
 * A log in memory with a clock of its own, that deciders write to as handlers would: everything in it follows from
 * what it is asked, so that the same questions give the same history, byte for byte.
 */
export class World {
  readonly log: Stored[] = [];
  private readonly streams = new Map<string, Stored[]>();
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

  /** The state of a stream, folded from its beginning. */
  read<S, E extends AnyEvent>(decider: Decider<S, E>, id: string): S {
    return this.streamOf(decider, id).reduce(
      (state, event) => decider.evolve(state, event as Stored<E>),
      decider.initial,
    );
  }

  /** Decides and appends. @returns the refusal's code, `null` where the command was carried out */
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

/** A link of the right form; the real chain is the codec's. */
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
