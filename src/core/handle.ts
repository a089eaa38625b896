import { setTimeout as sleep } from 'node:timers/promises';
import { type Aggregate, Aggregates, fold, revisionAfter } from './aggregate.js';
import type { CommandContext } from './command-context.js';
import { MAX_WAIT_MS, notBegun } from './concurrency.js';
import { type Decider, type Decision, refuse, type Refused } from './decider.js';
import { AppendTooLarge, StoreUnavailable } from './errors.js';
import {
  type Appended,
  type Conflict,
  type EncodedEvent,
  type Expected,
  MAX_APPEND_BYTES,
  type Position,
  START,
  type StreamName,
  appendBytes,
  streamName,
} from './event-store.js';
import type { AnyEvent, Stored } from './event.js';

/** The outcome of a command. A refusal is a value, not an error. */
export type Handled<S> =
  | {
      readonly kind: 'done';
      /** The stream's state after the command's events; for a command sent again, as it was after them the first time. */
      readonly state: S;
      /** Whether this call has appended events. */
      readonly changed: boolean;
      /** Whether the command has events in the stream, by this or a former sending. */
      readonly recorded: boolean;
      /** The position in the log that the answer's Consistency-Token names. */
      readonly position: Position;
    }
  | Refused;

/** How often a command begins again after a conflict. */
const MAX_RETRIES = 3;
/** How often an append is sent while its outcome is unknown. */
const MAX_SENDS = 3;
/** How long an append may be sent again: the caller learns in time that the log cannot be reached. */
const RESEND_WITHIN_MS = 4_000;
/** Most commands that join another one's append. */
const MAX_JOINED = 64;

/** A command on its stream. It is in the stream's queue until its turn comes or another command's append has stored it. */
interface Queued<S, E extends AnyEvent> {
  readonly decider: Decider<S, E>;
  readonly stream: StreamName;
  readonly context: CommandContext;
  readonly decide: (state: S) => Decision<E> | Promise<Decision<E>>;
  readonly chainFrom: string | null;
  readonly answer: (handled: Handled<S>) => void;
  readonly fail: (error: unknown) => void;
  /** Fails it after `MAX_WAIT_MS` in the queue; left out if its turn came at once. */
  readonly timer?: NodeJS.Timeout;
  /** The latest time for its turn to come, by `performance.now()`. */
  readonly deadline: number;
  /** Whether an append that is under way includes its events. */
  isJoined: boolean;
}

/** The commands that wait for their turn, in order of arrival. */
type Queue<S, E extends AnyEvent> = Set<Queued<S, E>>;

/** A command's encoded events, and the stream after them: `end.commands` has only the commands of this append. */
interface Step<S, E extends AnyEvent> {
  readonly command: Queued<S, E>;
  readonly encoded: readonly EncodedEvent[];
  readonly bytes: number;
  readonly end: Aggregate<S>;
}

/**
 * The command loop: every command reaches its stream by `handle`. The steps are in `carryOut`.
 *
 * Commands of one process on one stream queue, so that only other processes cause conflicts. Those that wait may join
 * the append of the one whose turn it is: all are stored or none is. So one append can take many commands.
 */
export class CommandStreams extends Aggregates {
  /** The streams on which a command has its turn, each with those that wait for theirs. */
  private readonly queues = new Map<StreamName, Queue<unknown, AnyEvent>>();
  /** Most bytes that commands append together; lowered when the store refuses an append as too large. */
  private maxBytes = MAX_APPEND_BYTES;

  /**
   * Carries out a command on the decider's stream of that id.
   * @param decide called with the state; may read other streams, and may be called several times. The loop does not
   * compare the version that If-Match names, `decide` does: a record's version need not count all events of its stream
   * @param chainFrom for a chained stream without events: the hash that its chain continues. Default: a new chain
   * @throws {StoreUnavailable} the outcome is unknown, or the command was not begun in time: it may be sent again
   * @throws {AppendTooLarge} its own events are more than the store accepts at once; nothing was stored
   */
  handle<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    id: string,
    context: CommandContext,
    decide: (state: S) => Decision<E> | Promise<Decision<E>>,
    chainFrom: string | null = null,
  ): Promise<Handled<S>> {
    const stream = streamName(decider.kind, id);
    return new Promise((answer, fail) => {
      const deadline = performance.now() + MAX_WAIT_MS;
      const entry = { decider, stream, context, decide, chainFrom, answer, fail, deadline, isJoined: false };
      const queue = this.queues.get(stream) as Queue<S, E> | undefined;
      if (queue === undefined) {
        void this.takeTurns(entry);
        return;
      }
      const timer = setTimeout(() => {
        // The outcome of an append that is under way is waited for.
        if (!queued.isJoined && queue.delete(queued)) fail(notBegun());
      }, MAX_WAIT_MS);
      const queued: Queued<S, E> = { ...entry, timer };
      queue.add(queued);
    });
  }

  /** Carries out a stream's commands one after the other, until none waits. */
  private async takeTurns<S, E extends AnyEvent>(first: Queued<S, E>): Promise<void> {
    const queue: Queue<S, E> = new Set();
    this.queues.set(first.stream, queue as unknown as Queue<unknown, AnyEvent>);
    await this.carryOut(first, queue).then(first.answer, first.fail);
    for (const command of queue) {
      dequeue(queue, command);
      const isTooLate = command.context.isGone?.() || performance.now() > command.deadline;
      if (isTooLate) command.fail(notBegun());
      else await this.carryOut(command, queue).then(command.answer, command.fail);
    }
    this.queues.delete(first.stream);
  }

  /** The steps of a command whose turn it is. The commands of `queue` that join its append are answered too. */
  private async carryOut<S, E extends AnyEvent>(
    command: Queued<S, E>,
    queue: Queue<S, E>,
  ): Promise<Handled<S>> {
    const { decider, stream, context } = command;
    for (let attempt = 0; attempt <= MAX_RETRIES; attempt++) {
      if (attempt > 0) await sleep(Math.random() * 20 * attempt);

      // 1. The stream's state, from the cache or read.
      const kept = this.kept<S>(stream);
      const aggregate = kept ?? (await this.load(decider, stream));
      if (!kept) this.keep(stream, aggregate);

      let decision: Decision<E>;
      for (let isFresh = !kept; ; isFresh = true) {
        // 2. Sent before? The stream has its events: they give the answer, and it is not decided again.
        const seen = aggregate.commands.get(context.commandId);
        if (seen) return this.formerAnswer(command, aggregate, seen);

        // 3. Decide. The state may be stale: the append of events would then conflict. A refusal, or a decision without
        // events, is made again on the stream's end before it is answered.
        decision = await command.decide(aggregate.state);
        if (decision.kind === 'accepted' && decision.events.length > 0) break;
        if (!isFresh && (await this.catchUp(decider, stream, aggregate))) {
          this.keep(stream, { ...aggregate }); // A copy: LRUCache keeps the size of the same object.
          continue;
        }
        return decision.kind === 'refused' ? decision : this.unchanged(aggregate.state, false);
      }

      // 4. Encode, and fold what will be stored.
      const lastHash = aggregate.lastHash ?? command.chainFrom;
      const before = { ...aggregate, lastHash, commands: new Map() };
      const own = await this.encode(command, before, decision.events);

      // 5. Commands that wait join.
      const joined = await this.join(own, aggregate, queue);

      // 6. Append at the revision that was read. After a conflict, begin again on the stream's new state.
      const handled = await this.append([own, ...joined], aggregate, queue);
      if (handled !== 'conflict') return handled;
    }
    return refuse('conflict', 'Others keep changing this record at the same time: send the request again.');
  }

  /** The answer to a command that has events in the stream. */
  private async formerAnswer<S, E extends AnyEvent>(
    { decider, stream, context }: Queued<S, E>,
    aggregate: Aggregate<S>,
    seen: { readonly requestHash: string | null; readonly revision: number },
  ): Promise<Handled<S>> {
    // An erased hash (`null`) does not count as another request's.
    if (seen.requestHash !== null && seen.requestHash !== context.requestHash)
      return refuse(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request: use a new one.',
      );
    const isLast = seen.revision === aggregate.revision;
    const { state } = isLast ? aggregate : await this.load(decider, stream, seen.revision);
    return this.unchanged(state, true);
  }

  private async unchanged<S>(state: S, recorded: boolean): Promise<Handled<S>> {
    return { kind: 'done', state, changed: false, recorded, position: await this.store.head() };
  }

  /** Encodes a command's events and folds them onto `before`, which stays as it is. */
  private async encode<S, E extends AnyEvent>(
    command: Queued<S, E>,
    before: Aggregate<S>,
    events: readonly E[],
  ): Promise<Step<S, E>> {
    const { decider, stream, context } = command;
    const end = { ...before, commands: new Map(before.commands) };
    const { now, actor, commandId, requestHash, correlationId, causationId } = context;
    const recordedAt = now.toISOString();
    const common = { recordedAt, actor, commandId, requestHash, correlationId, causationId };
    const chain = decider.chained ? { previousHash: end.lastHash } : undefined;
    const { encoded, lastHash } = await this.codec.encode(events, common, chain);
    const first = revisionAfter(end.revision);
    const metadata = { ...common, schemaVersion: 0 };
    for (const [index, event] of events.entries()) {
      const stored: Stored<E> = {
        ...event,
        id: encoded[index]?.id ?? '',
        stream,
        revision: first + index,
        // Known once it is appended.
        position: START,
        metadata,
        chain: null,
      };
      fold(decider, end, stored);
    }
    end.lastHash = lastHash;
    return { command, encoded, bytes: appendBytes(encoded), end };
  }

  /**
   * Decides the waiting commands, each on the state that the one before it leads to. One that is refused, changes
   * nothing or fails stays in the queue: it is decided on what is stored when its turn comes.
   * @param own the step of the command whose turn it is
   */
  private async join<S, E extends AnyEvent>(
    own: Step<S, E>,
    { commands }: Aggregate<S>,
    queue: Queue<S, E>,
  ): Promise<readonly Step<S, E>[]> {
    const joined: Step<S, E>[] = [];
    let { end } = own;
    let room = this.maxBytes - own.bytes;
    for (const command of queue) {
      if (joined.length === MAX_JOINED || room <= 0) break;
      const { commandId, isGone } = command.context;
      if (commands.has(commandId) || end.commands.has(commandId) || isGone?.()) continue;
      // From here on the timer in `handle` no longer fails it.
      command.isJoined = true;
      const step = await this.joining(command, end).catch(() => null);
      if (step !== null) room -= step.bytes;
      command.isJoined = step !== null && room >= 0;
      if (step === null || room < 0) continue;
      ({ end } = step);
      joined.push(step);
    }
    return joined;
  }

  /** @returns `null`: the command is refused, or changes nothing */
  private async joining<S, E extends AnyEvent>(
    command: Queued<S, E>,
    before: Aggregate<S>,
  ): Promise<Step<S, E> | null> {
    const decision = await command.decide(before.state);
    if (decision.kind === 'refused' || decision.events.length === 0) return null;
    return this.encode(command, before, decision.events);
  }

  /**
   * Appends the steps; if the store refuses that many bytes at once, fewer of those that have joined. Answers the
   * commands whose steps it has appended, apart from the first: its answer is returned.
   */
  private async append<S, E extends AnyEvent>(
    steps: readonly [Step<S, E>, ...Step<S, E>[]],
    aggregate: Aggregate<S>,
    queue: Queue<S, E>,
  ): Promise<Handled<S> | 'conflict'> {
    const [own, ...joined] = steps;
    const { stream } = own.command;
    let result: Appended | Conflict;
    try {
      const encoded = steps.flatMap((step) => step.encoded);
      result = await this.send(stream, aggregate.revision, encoded);
    } catch (error) {
      if (error instanceof AppendTooLarge && joined.length > 0) {
        // Nothing was stored: a server may take less at once than the usual limit.
        this.maxBytes = steps.reduce((sum, { bytes }) => sum + bytes, 0) / 2;
        let room = this.maxBytes - own.bytes;
        const beyond = joined.findIndex(({ bytes }) => (room -= bytes) < 0);
        return await this.append([own, ...joined.slice(0, beyond)], aggregate, queue);
      }
      for (const { command } of joined) {
        dequeue(queue, command);
        command.fail(error);
      }
      throw error;
    } finally {
      // Those that are still in the queue are decided again when their turn comes.
      for (const { command } of joined) command.isJoined = false;
    }
    if (result.kind === 'conflict') {
      this.forget(stream);
      return 'conflict';
    }
    const { position } = result;
    const { end } = steps.at(-1) ?? own;
    const { commands } = aggregate;
    for (const [id, seen] of end.commands) commands.set(id, seen);
    this.keep(stream, { ...end, position, commands });
    const done = ({ end: { state } }: Step<S, E>): Handled<S> => ({
      kind: 'done',
      state,
      changed: true,
      recorded: true,
      position,
    });
    for (const step of joined) {
      dequeue(queue, step.command);
      step.command.answer(done(step));
    }
    return done(own);
  }

  /** Appends. While the outcome is unknown, sends the same ids and bytes again: the store does not store them twice. */
  private async send(
    stream: StreamName,
    expected: Expected,
    encoded: readonly EncodedEvent[],
  ): Promise<Appended | Conflict> {
    const deadline = performance.now() + RESEND_WITHIN_MS;
    for (let sent = 1; ; sent++) {
      try {
        return await this.store.append(stream, expected, encoded);
      } catch (error) {
        const isLast = sent === MAX_SENDS || performance.now() > deadline;
        if (!(error instanceof StoreUnavailable) || isLast) throw error;
        await sleep(Math.random() * 50 * sent);
      }
    }
  }
}

/** Takes a command out of the queue when its turn has come, or when it is answered. */
const dequeue = <S, E extends AnyEvent>(queue: Queue<S, E>, command: Queued<S, E>): void => {
  queue.delete(command);
  clearTimeout(command.timer);
};
