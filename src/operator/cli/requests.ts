import { createCodec } from '../../core/codec.js';
import { unaskedContext } from '../../core/command-context.js';
import { accept, type Decision } from '../../core/decider.js';
import type { EventStore } from '../../core/event-store.js';
import { CommandStreams } from '../../core/handle.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import {
  decideOnHeldMails,
  operator,
  type OperatorState,
  pauseProjection,
  recordAction,
  request,
  resumeProjection,
  skipEvent,
} from '../../domain/operations/decider.js';
import type { Details, EventSkipped, OperationEnded, OperatorEvent } from '../../domain/operations/events.js';
import type { Operation } from '../../engine/generations/operations.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import type { Vault } from '../../vault/port.js';
import { OperatorError } from './program.js';

/**
 * Writes operators' requests to their stream, from which projectors read them. All methods throw what the event store
 * throws, and an `OperatorError` if the request is refused.
 */
export class OperatorRequests {
  constructor(private readonly streams: CommandStreams) {}

  /** The latest state of the stream. */
  async state(): Promise<OperatorState> {
    return (await this.#handle(() => accept())).state;
  }

  /**
   * @param beingBuilt the generation that is being built beside the live one and has not failed; `null`: none
   * @throws {OperatorError} another operation has to end first
   */
  async ask(asked: Operation, beingBuilt: string | null = null): Promise<void> {
    await this.#handle((state) => request(state, asked, beingBuilt), asked.id);
  }

  /** @returns false: it was paused already */
  async pause(view: string): Promise<boolean> {
    return (await this.#handle((state) => pauseProjection(state, view))).changed;
  }

  /** @returns false: it was not paused */
  async resume(view: string): Promise<boolean> {
    return (await this.#handle((state) => resumeProjection(state, view))).changed;
  }

  /** @throws {OperatorError} the reason is empty, or the event is skipped already */
  async skip(skip: EventSkipped['data']): Promise<void> {
    await this.#handle((state) => skipEvent(state, skip));
  }

  /** Records an action that changes no view; see `recordAction` for its effect on the operators’ state. */
  async record(action: string, details: Details): Promise<void> {
    await this.#handle(() => recordAction(action, details));
  }

  /**
   * Decides on the mails and notices that are held: see `MAIL_ACTIONS`.
   * @returns the time until which they were due
   * @throws {OperatorError} none are held
   */
  async decideOnHeldMails(action: string): Promise<string> {
    let until = '';
    await this.#handle((state) => {
      until = state.preRestoreMails?.until ?? '';
      return decideOnHeldMails(state, action);
    });
    return until;
  }

  /** The outcome of an operation; `null`: it is open, or unknown. */
  async outcome(operation: string): Promise<OperationEnded['data'] | null> {
    const state = await this.state();
    if (state.open.has(operation)) return null;
    for (const ended of state.ended.values()) {
      const { id, view, result, message, details } = ended;
      if (id === operation) return { operation, view, result, message, details };
    }
    // The state only has the last ended operation of each view: read the events.
    const events = await this.streams.events(operator, OPERATOR_LOG);
    const event = events.find(({ type, data }) => type === 'operation.ended' && data.operation === operation);
    return event?.type === 'operation.ended' ? event.data : null;
  }

  async #handle(
    decide: (state: OperatorState) => Decision<OperatorEvent>,
    correlationId = 'assay',
  ): Promise<{ readonly state: OperatorState; readonly changed: boolean }> {
    const context = unaskedContext({ type: 'operator', id: 'assay' }, correlationId);
    const handled = await this.streams.handle(operator, OPERATOR_LOG, context, decide);
    if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
    return handled;
  }
}

const noKey = (): Promise<never> => Promise.reject(new TypeError('The operator’s stream has no key.'));
const NO_KEYS: Pick<Vault, 'keys'> = { keys: { create: noKey, get: noKey, erase: noKey } };

/** A sealer for a process without keys, which can neither seal nor open. */
export const sealerWithoutKeys = (): Sealer => new Sealer(NO_KEYS);

/** The log's streams for a process without keys, which can use the operator's stream, since nothing in it is sealed. */
export const streamsWithoutKeys = (log: EventStore): CommandStreams =>
  new CommandStreams(log, createCodec(eventRegistry, sealerWithoutKeys()));

/** Operators' requests in a log. Needs no keys. */
export const requestsIn = (log: EventStore): OperatorRequests =>
  new OperatorRequests(streamsWithoutKeys(log));
