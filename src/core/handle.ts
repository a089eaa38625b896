import { setTimeout as sleep } from 'node:timers/promises';
import { type Aggregate, Aggregates, fold, revisionAfter } from './aggregate.js';
import type { CommandContext } from './command-context.js';
import { MAX_WAIT_MS, notBegun } from './concurrency.js';
import { type Decider, type Decision, refuse, type Refused } from './decider.js';
import { AppendTooLarge, StoreUnavailable } from './errors.js';
import type { AnyEvent, Stored } from './event.js';
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

export type Handled<S> =
  | {
      readonly kind: 'done';
      /** As the command left it; for a command sent again, as it had left it the first time. */
      readonly state: S;
      readonly changed: boolean;
      /** Whether the command has events in the stream, by this or a former sending. */
      readonly recorded: boolean;
      /** What a consistency token of the answer carries. */
      readonly position: Position;
    }
  | Refused;

const RETRIES = 3;
const RESENDS = 3;
/** Nothing is sent again later than this, so that a log that is away is reported in time. */
const RESEND_WITHIN_MS = 4_000;
/** Most commands that join another one's append. */
const MAX_JOINED = 64;

/** A command on its stream. It is in the stream's queue until its turn comes or another command's append includes it. */
interface Queued<S, E extends AnyEvent> {
  readonly decider: Decider<S, E>;
  readonly stream: StreamName;
  readonly context: CommandContext;
  readonly decide: (state: S) => Decision<E> | Promise<Decision<E>>;
  readonly chainFrom: string | null;
  readonly answer: (handled: Handled<S>) => void;
  readonly fail: (error: unknown) => void;
  /** Ends its time in the queue; left out on one whose turn came at once. */
  readonly timer?: NodeJS.Timeout;
  /** By `performance.now()`: its turn has to come before. */
  readonly deadline: number;
  /** Another command's append, which is running, includes its events. */
  isJoined: boolean;
}

/** In order of arrival. */
type Queue<S, E extends AnyEvent> = Set<Queued<S, E>>;

/** A command's encoded events, and the stream's state after them. Of commands it has only those of this append. */
interface Step<S, E extends AnyEvent> {
  readonly command: Queued<S, E>;
  readonly encoded: readonly EncodedEvent[];
  readonly bytes: number;
  readonly end: Aggregate<S>;
}

/**
 * The command loop: the one way that a command reaches a stream. `carryOut` has its steps.
 *
 * Commands of one process on one stream queue, so that only other processes cause conflicts. Those that wait may join
 * the append of the one whose turn it is: all are stored or none is. So a busy stream takes more commands a second than
 * its store takes appends.
 */
export class CommandStreams extends Aggregates {
  /** The streams on which a command has its turn, each with those that wait for theirs. */
  private readonly queues = new Map<StreamName, Queue<unknown, AnyEvent>>();
  /** Of the events of commands that are appended together: less once the store has refused so much at once. */
  private maxBytes = MAX_APPEND_BYTES;

  /**
   * Carries out a command on the decider's stream of that id.
   * @param decide called with the state; may read other streams, and may be called again after a conflict. It alone
   * compares the version that If-Match names: a record's version need not count all events of its stream
   * @param chainFrom for a chained stream without events: the hash that its chain goes on from
   * @throws {StoreUnavailable} the outcome stayed unknown, or the command was not begun in time: the caller may send it
   * again
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
      const given = { decider, stream, context, decide, chainFrom, answer, fail, deadline, isJoined: false };
      const queue = this.queues.get(stream) as Queue<S, E> | undefined;
      if (queue === undefined) {
        void this.takeTurns(given);
        return;
      }
      const timer = setTimeout(() => {
        // The outcome of an append that is under way is waited for.
        if (!command.isJoined && queue.delete(command)) fail(notBegun());
      }, MAX_WAIT_MS);
      const command: Queued<S, E> = { ...given, timer };
      queue.add(command);
    });
  }

  /** Carries out a stream's commands one after the other, until none waits. */
  private async takeTurns<S, E extends AnyEvent>(first: Queued<S, E>): Promise<void> {
    const queue: Queue<S, E> = new Set();
    this.queues.set(first.stream, queue as unknown as Queue<unknown, AnyEvent>);
    await this.carryOut(first, queue).then(first.answer, first.fail);
    for (const command of queue) {
      leave(queue, command);
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
    for (let attempt = 0; attempt <= RETRIES; attempt++) {
      if (attempt > 0) await sleep(Math.random() * 20 * attempt);

      // 1. The stream's state: as this process left it, or read.
      const kept = this.kept<S>(stream);
      const aggregate = kept ?? (await this.load(decider, stream));
      if (!kept) this.keep(stream, aggregate);

      let decision: Decision<E>;
      for (let isFresh = !kept; ; isFresh = true) {
        // 2. Sent before? Its answer is a function of its own stream, so it is not decided again.
        const seen = aggregate.commands.get(context.commandId);
        if (seen) return this.formerAnswer(command, aggregate, seen);

        // 3. Decide. A stale state may decide what will be appended, since the expected revision catches it. A refusal
        // or "nothing to do" is checked against the stream's end before it is answered.
        decision = await command.decide(aggregate.state);
        if (decision.kind === 'accepted' && decision.events.length > 0) break;
        if (!isFresh && (await this.catchUp(decider, stream, aggregate))) continue;
        return decision.kind === 'refused' ? decision : this.unchanged(aggregate.state, false);
      }

      // 4. Encode, and fold what will be stored.
      const lastHash = aggregate.lastHash ?? command.chainFrom;
      const before = { ...aggregate, lastHash, commands: new Map() };
      const own = await this.encode(command, before, decision.events);

      // 5. Commands that wait join.
      const joined = await this.join(own, aggregate, queue);

      // 6. Append at the revision that was read. After a conflict begin again, on the stream as it is by then.
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
   * nothing or fails is left in the queue: its own turn decides it on what is stored.
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

  /** Appends the steps, or as many of the first as the store takes at once, and answers all but the first. */
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
        return await this.append([own, ...joined.slice(0, Math.max(0, beyond))], aggregate, queue);
      }
      for (const { command } of joined) {
        leave(queue, command);
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
      leave(queue, step.command);
      step.command.answer(done(step));
    }
    return done(own);
  }

  /** A failed append is unknown, not "not written": the same ids and bytes go again. */
  private async send(
    stream: StreamName,
    expected: Expected,
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

/** Its turn has come, or it is answered. */
const leave = <S, E extends AnyEvent>(queue: Queue<S, E>, command: Queued<S, E>): void => {
  queue.delete(command);
  clearTimeout(command.timer);
};
