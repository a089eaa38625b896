import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregate, AggregateLoader } from './aggregate.js';
import type { Codec } from './codec.js';
import type { Decider, Decision, Refused } from './decider.js';
import { AppendTooLarge, StoreUnavailable } from './errors.js';
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
import { appendBytes } from './port-checks.js';

/** Who asks, and by which id the same command is known when it is sent again. */
export interface CommandContext {
  readonly commandId: string;
  /** `null`: the command cannot be sent again under its id (no Idempotency-Key), so its id need not be remembered. */
  readonly requestHash: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly now: Date;
  /** Whether nobody waits for the answer any more; left out where that cannot be told. */
  readonly isGone?: () => boolean;
}

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

const RESENDS = 3;
/** Nothing is sent again later than this, so that a log that is away is reported in time. */
const RESEND_WITHIN_MS = 4_000;
/** Most commands whose events go into one append. */
const MAX_TOGETHER = 64;

/** A command on a stream: it waits there until those before it are handled. */
export interface Pending<S, E extends AnyEvent> {
  readonly context: CommandContext;
  readonly decide: (state: S) => Decision<E> | Promise<Decision<E>>;
  /** Its events are in an append that is under way, together with those of a command before it. */
  joined: boolean;
  /** Gives its result or throws, once its events were appended together with those of a command before it. */
  outcome: (() => Handled<S>) | null;
}

/** A command's events as they are appended, and the stream as they leave it, with the commands of this append alone. */
interface Step<S, E extends AnyEvent> {
  readonly command: Pending<S, E>;
  readonly encoded: readonly EncodedEvent[];
  readonly bytes: number;
  readonly end: Aggregate<S>;
}

/**
 * Appends what a command decided, together with what commands that wait for it decide on the state that it leads to:
 * all are stored or none is. So a stream that many commands want at once takes more of them than its store takes
 * appends.
 */
export class Appending {
  /** Of the events of commands that are appended together: less once the store has refused so much at once. */
  private mostBytes = MAX_APPEND_BYTES;

  constructor(
    private readonly store: EventStore,
    private readonly codec: Codec,
    private readonly loader: AggregateLoader,
  ) {}

  /**
   * @param aggregate the stream as it is; moved on by what is appended
   * @param command whose turn it is; it was decided to record `events`
   * @param waiting the commands that wait for it: the outcome of those that joined is set
   * @param chainFrom for a chained stream without events: the hash that its chain goes on from
   * @throws {StoreUnavailable} the outcome stayed unknown
   */
  async append<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    aggregate: Aggregate<S>,
    command: Pending<S, E>,
    events: readonly E[],
    waiting: Iterable<Pending<S, E>>,
    chainFrom: string | null,
  ): Promise<Handled<S> | 'conflict'> {
    const lastHash = aggregate.lastHash ?? chainFrom;
    const begin: Aggregate<S> = { ...aggregate, lastHash, commands: new Map() };
    const own = await this.step(decider, stream, begin, command, events);
    const joined = await this.join(decider, stream, aggregate, own, waiting);
    try {
      return await this.appendTogether(stream, aggregate, [own, ...joined]);
    } finally {
      // Those whose outcome is not known by now are decided again when their turn comes.
      for (const { command: other } of joined) other.joined = false;
    }
  }

  /** Appends the steps, or as many of the first of them as the store takes in one append. */
  private async appendTogether<S, E extends AnyEvent>(
    stream: StreamName,
    aggregate: Aggregate<S>,
    steps: readonly Step<S, E>[],
  ): Promise<Handled<S> | 'conflict'> {
    const [own, ...joined] = steps;
    if (own === undefined) throw new Error('An append has a command.');
    const settle = (outcome: (step: Step<S, E>) => Handled<S>): void => {
      for (const step of joined) step.command.outcome = () => outcome(step);
    };
    let result: Appended | Conflict;
    try {
      result = await this.send(
        stream,
        aggregate.revision,
        steps.flatMap(({ encoded }) => encoded),
      );
    } catch (error) {
      if (error instanceof AppendTooLarge && joined.length > 0) {
        // Nothing was stored: a server may take less at once than the usual limit.
        this.mostBytes = bytesOf(steps) / 2;
        return this.appendTogether(stream, aggregate, fitting(steps, this.mostBytes));
      }
      settle(() => {
        throw error;
      });
      throw error;
    }
    if (result.kind === 'conflict') return 'conflict';
    const { position } = result;
    const { commands } = aggregate;
    const { end } = joined.at(-1) ?? own;
    for (const [id, seen] of end.commands) commands.set(id, seen);
    Object.assign(aggregate, { ...end, position, commands });
    const done = ({ end: { state } }: Step<S, E>): Handled<S> => ({
      kind: 'done',
      state,
      changed: true,
      recorded: true,
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
    own: Step<S, E>,
    waiting: Iterable<Pending<S, E>>,
  ): Promise<readonly Step<S, E>[]> {
    const steps: Step<S, E>[] = [];
    let { end } = own;
    let room = this.mostBytes - own.bytes;
    for (const command of waiting) {
      if (steps.length === MAX_TOGETHER || room <= 0) break;
      const { commandId, isGone } = command.context;
      if (command.outcome || aggregate.commands.has(commandId) || end.commands.has(commandId)) continue;
      if (isGone?.()) continue;
      // From here on its time cannot end unnoticed.
      command.joined = true;
      const step = await this.joining(decider, stream, end, command).catch(() => null);
      if (step !== null) room -= step.bytes;
      command.joined = step !== null && room >= 0;
      if (step === null) continue;
      if (room < 0) break;
      ({ end } = step);
      steps.push(step);
    }
    return steps;
  }

  /** `null`: the command is refused, or changes nothing. */
  private async joining<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    end: Aggregate<S>,
    command: Pending<S, E>,
  ): Promise<Step<S, E> | null> {
    const decision = await command.decide(end.state);
    if (decision.kind === 'refused' || decision.events.length === 0) return null;
    return this.step(decider, stream, end, command, decision.events);
  }

  /** Encodes a command's events and folds them onto `before`, which stays as it is. */
  private async step<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    stream: StreamName,
    before: Aggregate<S>,
    command: Pending<S, E>,
    events: readonly E[],
  ): Promise<Step<S, E>> {
    const end = { ...before, commands: new Map(before.commands) };
    const { now, actor, commandId, requestHash, correlationId, causationId } = command.context;
    const recordedAt = now.toISOString();
    const common = { recordedAt, actor, commandId, requestHash, correlationId, causationId };
    const chain = decider.chained ? { previousHash: end.lastHash } : undefined;
    const { encoded, lastHash } = await this.codec.encode(events, common, chain);
    const first = end.revision === 'no-stream' ? 0 : end.revision + 1;
    const metadata = { ...common, schemaVersion: 0 };
    const stored = events.map((event, index): Stored<E> => ({
      ...event,
      id: encoded[index]?.id ?? '',
      stream,
      revision: first + index,
      // Known once it is appended.
      position: START,
      metadata,
      chain: null,
    }));
    this.loader.fold(decider, end, stored);
    end.lastHash = lastHash;
    return { command, encoded, bytes: appendBytes(encoded), end };
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

const bytesOf = (steps: readonly Pick<Step<unknown, AnyEvent>, 'bytes'>[]): number =>
  steps.reduce((sum, { bytes }) => sum + bytes, 0);

/** The first of the steps that take so many bytes at most: one at least, and fewer than there are. */
const fitting = <T extends { readonly bytes: number }>(
  steps: readonly T[],
  mostBytes: number,
): readonly T[] => {
  let room = mostBytes;
  const beyond = steps.findIndex(({ bytes }) => (room -= bytes) < 0);
  return steps.slice(0, Math.max(1, beyond));
};
