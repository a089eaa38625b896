import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Aggregate, AggregateLoader, type Snapshot, type StreamOptions } from './aggregate.js';
import { Appending, type CommandContext, type Handled, type Pending } from './appending.js';
import type { Codec } from './codec.js';
import { Serial, type TurnLimit } from './concurrency.js';
import { type Decider, type Decision, refuse } from './decider.js';
import type { AnyEvent, Stored } from './event.js';
import { memoryOf } from './json.js';
import { StoreUnavailable } from './errors.js';
import type { EventStore, StreamName } from './event-store.js';

export type { CommandContext, Handled } from './appending.js';

const RETRIES = 3;
/**
 * How long a command waits for its turn, in milliseconds. Each before it ends within its own time, but many of them may
 * hold a stream for minutes after its log did not answer.
 */
const WAIT_MS = 3_000;
const CACHED_STREAMS = 2_000;
/** Most bytes that cached states take; a state counts as this many at least. */
const CACHED_BYTES = 32 * 1024 * 1024;
const MIN_BYTES = 1_024;
/** What a command that has events takes: its id and the hash of its request. */
const COMMAND_BYTES = 250;
/** Nothing of the command was sent to the log. */
const waitedInVain = (): StoreUnavailable =>
  new StoreUnavailable('The command was not begun, since those before it on its record took too long.');

/** How long a command waits for those before it. */
export const TURN: TurnLimit = { ms: WAIT_MS, late: waitedInVain };

/**
 * How a cache keeps what may be personal: as long as it is asked for, not for good. Setting an entry again would cost a
 * timer, and telling the time more exactly another one.
 */
export const WHILE_ASKED_FOR = {
  ttl: 5 * 60_000,
  updateAgeOnGet: true,
  ttlAutopurge: true,
  ttlResolution: 1_000,
} as const;

/**
 * Load, decide, append, with bounded retries: the one way that a command reaches a stream.
 *
 * State is cached by stream. A stale one may decide what will be appended, since the expected revision catches it;
 * a refusal or "nothing to do" is checked against the stream's tail before it is answered. After a conflict the decider
 * sees the stream as it is by then: it alone compares the version that If-Match names, since a record's version need not
 * count all events of its stream. Commands of one process
 * on one stream queue, so that only other processes cause conflicts; those that wait may join an append.
 */
export class CommandStreams {
  private readonly cache = new LRUCache<string, Aggregate<unknown>>({
    max: CACHED_STREAMS,
    maxSize: CACHED_BYTES,
    ...WHILE_ASKED_FOR,
  });
  private readonly queue = new Serial();
  private readonly pending = new Map<StreamName, Set<unknown>>();
  private readonly loader: AggregateLoader;
  private readonly appending: Appending;

  constructor(
    private readonly store: EventStore,
    codec: Codec,
  ) {
    this.loader = new AggregateLoader(store, codec);
    this.appending = new Appending(store, codec, this.loader);
  }

  /**
   * The stream's state at its end, read from the store: what a first decision needs of another stream. It waits for
   * no queue, so that two commands may each look at the other's stream.
   */
  async read<S, E extends AnyEvent>(decider: Decider<S, E>, stream: StreamName): Promise<Snapshot<S>> {
    // Reads alone would keep what an erasure by another process has removed from the stream.
    const cached = this.cache.get(stream, { updateAgeOnGet: false }) as Aggregate<S> | undefined;
    if (cached) {
      // A copy: the cached one belongs to the command that runs in the stream's queue.
      const copy: Aggregate<S> = { ...cached, commands: new Map() };
      await this.loader.catchUp(decider, stream, copy);
      return copy;
    }
    const loaded = await this.loader.load(decider, stream);
    if (!this.cache.has(stream)) this.keep(stream, loaded);
    return { ...loaded };
  }

  /** A stream's events read from the store as they are asked for: a page of them is in memory. */
  each<E extends AnyEvent>(stream: StreamName, options?: StreamOptions): AsyncIterable<Stored<E>> {
    return this.loader.each<E>(stream, options);
  }

  /** All of a stream's events in order, in memory: for streams that stay short. */
  async events<E extends AnyEvent>(stream: StreamName): Promise<readonly Stored<E>[]> {
    const events: Stored<E>[] = [];
    for await (const event of this.each<E>(stream)) events.push(event);
    return events;
  }

  /** Whether the stream holds events of that command. */
  async knows<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    commandId: string,
  ): Promise<boolean> {
    return (await this.loader.load(decider, stream)).commands.has(commandId);
  }

  /**
   * @param decide called with the state; may read other streams, and may be called again after a conflict
   * @param chainFrom for a chained stream without events: the hash that its chain goes on from
   * @throws {StoreUnavailable} the outcome stayed unknown: the caller may send the same command again
   */
  async handle<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    context: CommandContext,
    decide: (state: S) => Decision<E> | Promise<Decision<E>>,
    chainFrom: string | null = null,
  ): Promise<Handled<S>> {
    const command: Pending<S, E> = { context, decide, joined: false, outcome: null };
    const pending = this.pending.get(stream) ?? new Set();
    this.pending.set(stream, pending.add(command));
    const leave = (): void => {
      pending.delete(command);
      if (pending.size === 0 && this.pending.get(stream) === pending) this.pending.delete(stream);
    };
    const until = performance.now() + WAIT_MS;
    /** False for one whose turn comes at once. */
    let waited = false;
    const late = (): Error | null => {
      // Of what is under way, and what has ended, the outcome tells.
      if (command.joined || command.outcome) return null;
      leave();
      return waitedInVain();
    };
    const turn = async (): Promise<Handled<S>> => {
      leave();
      if (command.outcome) return command.outcome();
      if (waited && (context.isGone?.() || performance.now() > until)) throw waitedInVain();
      for (let attempt = 0; ; attempt++) {
        const handled = await this.attempt(decider, stream, command, chainFrom);
        if (handled !== 'conflict') return handled;
        if (attempt === RETRIES)
          return refuse(
            'conflict',
            'Others keep changing this record at the same time: send the request again.',
          );
        await sleep(Math.random() * 20 * (attempt + 1));
      }
    };
    const answer = this.queue.run(stream, turn, { ms: WAIT_MS, late });
    waited = true;
    return answer;
  }

  private keep(stream: StreamName, aggregate: Aggregate<unknown>): void {
    const { state, commands } = aggregate;
    const size = MIN_BYTES + COMMAND_BYTES * commands.size + memoryOf(state);
    // What is only set again keeps the size that it had.
    this.cache.delete(stream);
    this.cache.set(stream, aggregate, { size });
  }

  private async attempt<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    command: Pending<S, E>,
    chainFrom: string | null,
  ): Promise<Handled<S> | 'conflict'> {
    const cached = this.cache.get(stream) as Aggregate<S> | undefined;
    const aggregate = cached ?? (await this.loader.load(decider, stream));
    if (!cached) this.keep(stream, aggregate);
    for (let fresh = cached === undefined; ; fresh = true) {
      const known = await this.sentAgain(decider, stream, aggregate, command.context);
      if (known) return known;
      const decision = await command.decide(aggregate.state);
      if (decision.kind === 'accepted' && decision.events.length > 0)
        return this.append(decider, stream, aggregate, command, decision.events, chainFrom);
      if (fresh || !(await this.loader.catchUp(decider, stream, aggregate))) {
        if (decision.kind === 'refused') return decision;
        return {
          kind: 'done',
          state: aggregate.state,
          changed: false,
          recorded: false,
          position: await this.store.head(),
        };
      }
    }
  }

  /** A command whose id is in the folded state is not decided again: its answer is a function of its own stream. */
  private async sentAgain<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
    context: CommandContext,
  ): Promise<Handled<S> | null> {
    const seen = aggregate.commands.get(context.commandId);
    if (!seen) return null;
    // A hash that can no longer be read is not taken for that of another request.
    if (seen.requestHash !== null && seen.requestHash !== context.requestHash)
      return refuse(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request: use a new one.',
      );
    const state =
      seen.revision === aggregate.revision
        ? aggregate.state
        : (await this.loader.load(decider, stream, seen.revision)).state;
    return { kind: 'done', state, changed: false, recorded: true, position: await this.store.head() };
  }

  private async append<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
    command: Pending<S, E>,
    events: readonly E[],
    chainFrom: string | null,
  ): Promise<Handled<S> | 'conflict'> {
    const waiting = (this.pending.get(stream) ?? []) as Iterable<Pending<S, E>>;
    const args = [decider, stream, aggregate, command, events, waiting, chainFrom] as const;
    const handled = await this.appending.append(...args);
    if (handled === 'conflict') this.cache.delete(stream);
    else this.keep(stream, aggregate);
    return handled;
  }
}
