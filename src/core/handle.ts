import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Codec } from './codec.js';
import { type Decider, type Decision, refuse, type Refused } from './decider.js';
import { StoreUnavailable } from './errors.js';
import type { Actor, AnyEvent, Stored } from './event.js';
import {
  type Appended,
  type Conflict,
  type EncodedEvent,
  type EventStore,
  MAX_APPEND_BYTES,
  type Position,
  START,
  type StreamName,
} from './event-store.js';
import { Serial } from './concurrency.js';
import { appendBytes } from './port-checks.js';
import { type Aggregate, AggregateLoader, type Snapshot, type StreamOptions } from './aggregate.js';

/** Who asks, and by which id the same command is known when it is sent again. */
export interface CommandContext {
  readonly commandId: string;
  /** `null`: the command cannot be sent again under its id (no Idempotency-Key), so its id need not be remembered. */
  readonly requestHash: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly now: Date;
  /** The caller named a version (If-Match): a conflict is answered at once, never retried. */
  readonly conditional?: boolean;
}

export type Handled<S> =
  | {
      readonly kind: 'done';
      /** As the command left it; for a command sent again, as it had left it the first time. */
      readonly state: S;
      readonly changed: boolean;
      /** How many events the command recorded, at its first time where it was sent again. */
      readonly recorded: number;
      /** What a consistency token of the answer carries. */
      readonly position: Position;
    }
  | Refused;

const RETRIES = 3;
const RESENDS = 3;
/** Nothing is sent again later than this, so that a log that is away is reported in time. */
const RESEND_WITHIN_MS = 4_000;
/** Most commands whose events go into one append. */
const MOST_TOGETHER = 64;
const CACHED_STREAMS = 2_000;
/** Most bytes that cached states take, as their deciders weigh them; a state counts as this many at least. */
const CACHED_BYTES = 64 * 1024 * 1024;
const LEAST_BYTES = 1_024;
/** Since the last command on the stream: personal data in a state does not stay in memory for good. */
const CACHED_MS = 5 * 60_000;

/** A command on a stream: it waits there until those before it are handled. */
interface Pending<S, E extends AnyEvent> {
  readonly context: CommandContext;
  readonly decide: (state: S) => Decision<E> | Promise<Decision<E>>;
  /** Gives its result or throws, once its events were appended together with those of a command before it. */
  outcome: (() => Handled<S>) | null;
}

/** A command's events as they are appended, and the state that they lead to. */
interface Step<S, E extends AnyEvent> {
  readonly command: Pending<S, E>;
  readonly encoded: readonly EncodedEvent[];
  readonly state: S;
}

/**
 * Load, decide, append, with bounded retries: the one way that a command reaches a stream.
 *
 * State is cached by stream. A stale one may decide what will be appended, since the expected revision catches it;
 * a refusal or "nothing to do" is checked against the stream's tail before it is answered. Commands of one process
 * on one stream queue, so that only other processes cause conflicts. Those that wait are decided on the state that
 * the ones before them lead to, and all their events go into one append: a stream that many commands want at once
 * takes more of them than the store takes appends.
 */
export class CommandStreams {
  private readonly cache = new LRUCache<string, Aggregate<unknown>>({
    max: CACHED_STREAMS,
    maxSize: CACHED_BYTES,
    ttl: CACHED_MS,
    ttlAutopurge: true,
  });
  private readonly queue = new Serial();
  private readonly pending = new Map<StreamName, Set<unknown>>();
  private readonly loader: AggregateLoader;

  constructor(
    private readonly store: EventStore,
    private readonly codec: Codec,
  ) {
    this.loader = new AggregateLoader(store, codec);
  }

  /**
   * The stream's state at its end, read from the store: what a first decision needs of another stream. It waits for
   * no queue, so that two commands may each look at the other's stream.
   */
  async read<S, E extends AnyEvent>(decider: Decider<S, E>, stream: StreamName): Promise<Snapshot<S>> {
    const cached = this.cache.get(stream) as Aggregate<S> | undefined;
    if (cached) {
      // A copy: the cached one belongs to the command that runs in the stream's queue.
      const copy: Aggregate<S> = { ...cached, commands: new Map() };
      await this.loader.catchUp(decider, stream, copy);
      return copy;
    }
    const loaded = await this.loader.load(decider, stream);
    if (!this.cache.has(stream)) this.keep(decider, stream, loaded);
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
    const command: Pending<S, E> = { context, decide, outcome: null };
    const pending = this.pending.get(stream) ?? new Set();
    this.pending.set(stream, pending.add(command));
    return this.queue.run(stream, async () => {
      pending.delete(command);
      if (pending.size === 0) this.pending.delete(stream);
      if (command.outcome) return command.outcome();
      for (let attempt = 0; ; attempt++) {
        const handled = await this.attempt(decider, stream, command, chainFrom);
        if (handled !== 'conflict') return handled;
        if (context.conditional) {
          // The conflicting events may be of this very command, recorded by another process or by an append left unknown.
          const present = await this.loader.load(decider, stream);
          return (
            (await this.sentAgain(decider, stream, present, context)) ??
            refuse(
              'version_mismatch',
              'The record has changed since the version named by If-Match: read it again.',
            )
          );
        }
        if (attempt === RETRIES)
          return refuse(
            'conflict',
            'Others keep changing this record at the same time: send the request again.',
          );
        await sleep(Math.random() * 20 * (attempt + 1));
      }
    });
  }

  private keep<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
  ): void {
    const size = LEAST_BYTES + (decider.weigh?.(aggregate.state) ?? 0);
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
    this.keep(decider, stream, aggregate);
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
          recorded: 0,
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
    const recorded = seen.revision - seen.first + 1;
    return { kind: 'done', state, changed: false, recorded, position: await this.store.head() };
  }

  private async append<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
    command: Pending<S, E>,
    events: readonly E[],
    chainFrom: string | null,
  ): Promise<Handled<S> | 'conflict'> {
    /** The stream as it will be, with the commands of this append alone. */
    const end: Aggregate<S> = {
      ...aggregate,
      lastHash: aggregate.lastHash ?? chainFrom,
      commands: new Map(),
    };
    const own = await this.step(decider, stream, end, command, events);
    const steps = [own, ...(await this.join(decider, stream, aggregate, end, own))];
    const settle = (outcome: (step: Step<S, E>) => Handled<S>): void => {
      for (const step of steps) if (step.command !== command) step.command.outcome = () => outcome(step);
    };
    let result: Appended | Conflict;
    try {
      result = await this.send(
        stream,
        aggregate.revision,
        steps.flatMap(({ encoded }) => encoded),
      );
    } catch (error) {
      settle(() => {
        throw error;
      });
      throw error;
    }
    if (result.kind === 'conflict') {
      // The commands that joined are decided again when their turn comes.
      this.cache.delete(stream);
      return 'conflict';
    }
    const { position } = result;
    const { commands } = aggregate;
    for (const [id, seen] of end.commands) commands.set(id, seen);
    Object.assign(aggregate, { ...end, position, commands });
    this.keep(decider, stream, aggregate);
    const done = ({ encoded, state }: Step<S, E>): Handled<S> => ({
      kind: 'done',
      state,
      changed: true,
      recorded: encoded.length,
      position,
    });
    settle(done);
    return done(own);
  }

  /**
   * The events of commands that wait, after those of `own`. A command that is refused, changes nothing or fails has its
   * own turn later, where it meets what is stored.
   */
  private async join<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
    end: Aggregate<S>,
    own: Step<S, E>,
  ): Promise<readonly Step<S, E>[]> {
    const steps: Step<S, E>[] = [];
    let room = MAX_APPEND_BYTES - appendBytes(own.encoded);
    for (const command of (this.pending.get(stream) ?? []) as Iterable<Pending<S, E>>) {
      if (steps.length === MOST_TOGETHER) break;
      const { commandId } = command.context;
      if (command.outcome || aggregate.commands.has(commandId) || end.commands.has(commandId)) continue;
      try {
        const decision = await command.decide(end.state);
        if (decision.kind === 'refused' || decision.events.length === 0) continue;
        const after = { ...end, commands: new Map(end.commands) };
        const step = await this.step(decider, stream, after, command, decision.events);
        room -= appendBytes(step.encoded);
        if (room < 0) break;
        Object.assign(end, after);
        steps.push(step);
      } catch {
        continue;
      }
    }
    return steps;
  }

  /** Encodes a command's events and folds them into `end`. */
  private async step<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    end: Aggregate<S>,
    command: Pending<S, E>,
    events: readonly E[],
  ): Promise<Step<S, E>> {
    const { now, actor, commandId, requestHash, correlationId, causationId } = command.context;
    const recordedAt = now.toISOString();
    const metadata = { recordedAt, actor, commandId, requestHash, correlationId, causationId };
    const chain = decider.chained ? { previousHash: end.lastHash } : undefined;
    const { encoded, lastHash } = await this.codec.encode(events, metadata, chain);
    const first = end.revision === 'no-stream' ? 0 : end.revision + 1;
    const stored = events.map((event, index): Stored<E> => ({
      ...event,
      id: encoded[index]?.id ?? '',
      stream,
      revision: first + index,
      // Known once it is appended.
      position: START,
      metadata: { ...metadata, schemaVersion: 0 },
      chain: null,
    }));
    this.loader.fold(decider, end, stored);
    end.lastHash = lastHash;
    return { command, encoded, state: end.state };
  }

  /** A failed append is unknown, not "not written": the same ids and bytes go again. */
  private async send(
    stream: StreamName,
    expected: Aggregate<unknown>['revision'],
    encoded: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    const last = performance.now() + RESEND_WITHIN_MS;
    for (let sent = 1; ; sent++) {
      try {
        return await this.store.append(stream, expected, encoded);
      } catch (error) {
        const late = sent === RESENDS || performance.now() > last;
        if (!(error instanceof StoreUnavailable) || late) throw error;
        await sleep(Math.random() * 50 * sent);
      }
    }
  }
}
