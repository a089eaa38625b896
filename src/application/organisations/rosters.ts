import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Codec } from '../../core/codec.js';
import { gapless, WHILE_ASKED_FOR } from '../../core/aggregate.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { Stored } from '../../core/event.js';
import { type EventStore, type Position, START } from '../../core/event-store.js';
import { Slices } from '../../core/concurrency.js';
import { streamName } from '../../core/stream-name.js';
import { within } from '../../core/backoff.js';
import { organisation, type Member } from '../../domain/organisation/decider.js';
import type { OrganisationEvent } from '../../domain/organisation/events.js';
import { CODEC, EVENT_STORE } from '../tokens.js';

/** The members of one organisation, without their e-mail addresses, as its stream has them. */
export interface Roster {
  readonly members: readonly Member[];
  /** Of the stream's last event; `START` without one. */
  readonly position: Position;
}

interface Known {
  readonly state: typeof organisation.initial;
  /** Of the next event to read. */
  readonly next: number;
  readonly position: Position;
  /** When the read began that found this to be all, by `performance.now()`. */
  asOf: number;
}

/** A read may go by what was read so long ago: a removal ends reads within 1 s. */
const RECENT_MS = 500;
/** While the log is away a read waits for it no longer than this. */
const AWAY_WAIT_MS = 250;
const CACHED = 2_000;

/**
 * Who is a member of what, by the organisations' own streams: what callers are judged by, since no view need keep up
 * with the log for a removal to count.
 */
@Injectable()
export class Rosters {
  private readonly known = new LRUCache<string, Known>({ max: CACHED, ...WHILE_ASKED_FOR });
  private readonly running = new Map<string, Promise<Known>>();
  private readonly queued = new Map<string, Promise<Known>>();
  private away = false;

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: Codec,
  ) {}

  /**
   * As the stream is at the call.
   * @throws {StoreUnavailable}
   */
  async now(organisationId: string): Promise<Roster> {
    return rosterOf(await this.read(organisationId));
  }

  /**
   * As the stream stood at most so long ago; `null`: the log is away.
   * @param maxAgeMs 0: as it is at the call
   */
  async recent(organisationId: string, maxAgeMs = RECENT_MS): Promise<Roster | null> {
    const known = this.known.get(organisationId);
    if (known && performance.now() - known.asOf < maxAgeMs) return rosterOf(known);
    const reading = this.read(organisationId).catch(nullIfAway);
    const found = this.away ? await within(AWAY_WAIT_MS, reading, () => null) : await reading;
    return found && rosterOf(found);
  }

  /** What was read last, however long ago; `null`: nothing, or it is forgotten. */
  last(organisationId: string): Roster | null {
    const known = this.known.get(organisationId);
    return known ? rosterOf(known) : null;
  }

  /** One read at a time for each organisation; all who ask while it runs share the next one. */
  private read(organisationId: string): Promise<Known> {
    const queued = this.queued.get(organisationId);
    if (queued) return queued;
    const running = this.running.get(organisationId);
    if (!running) return this.begin(organisationId);
    const leave = () => this.queued.delete(organisationId);
    const next = running.then(
      () => {
        leave();
        return this.begin(organisationId);
      },
      (error: unknown) => {
        leave();
        throw error;
      },
    );
    this.queued.set(organisationId, next);
    return next;
  }

  private begin(organisationId: string): Promise<Known> {
    const running = this.catchUp(organisationId).finally(() => this.running.delete(organisationId));
    this.running.set(organisationId, running);
    return running;
  }

  private async catchUp(organisationId: string): Promise<Known> {
    const asOf = performance.now();
    const stream = streamName('organisation', organisationId);
    const from = this.known.get(organisationId);
    let { state, next, position } = from ?? { state: organisation.initial, next: 0, position: START };
    const slices = new Slices();
    try {
      for await (const recorded of gapless(this.store, stream, { from: next })) {
        const decoded = this.codec.outline(recorded);
        if (decoded.kind !== 'event')
          throw new StoreUnavailable(
            `The stream ${stream} holds an event of type ${decoded.type} that a newer version of this program wrote.`,
          );
        state = organisation.evolve(state, decoded.event as Stored<OrganisationEvent>);
        next = recorded.revision + 1;
        position = recorded.position;
        await slices.next();
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) this.away = true;
      throw error;
    }
    this.away = false;
    if (from && next === from.next) {
      from.asOf = asOf;
      return from;
    }
    const known: Known = { state, next, position, asOf };
    // What is asked for by ids of no organisation is not remembered.
    if (state !== null) this.known.set(organisationId, known);
    return known;
  }
}

const rosterOf = ({ state, position }: Known): Roster => ({ members: state?.members ?? [], position });

const nullIfAway = (error: unknown): null => {
  if (error instanceof StoreUnavailable) return null;
  throw error;
};
