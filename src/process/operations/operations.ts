import type { Codec } from '../../core/codec.js';
import { unaskedContext } from '../../core/command-context.js';
import { accept, type Decision } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import { type EventStore, streamName } from '../../core/event-store.js';
import type { CommandStreams } from '../../core/handle.js';
import {
  endOperation,
  operator,
  type OperatorState,
  recordPromotion,
} from '../../domain/operations/decider.js';
import type { OperatorEvent } from '../../domain/operations/events.js';
import type { Ending, Operations, Promotion, OperatorIntent } from '../../engine/generations/operations.js';

/** The id of the operator's stream. All operators share one stream. */
export const OPERATOR_LOG = 'log';
export const OPERATOR_STREAM = streamName(operator.kind, OPERATOR_LOG);

/** The action that records a backup in the operator's stream. */
export const BACKUP = 'backup';

/**
 * Makes a function that passes each event of one type in the operator's stream to `take`, once. Each call reads from
 * where the last one ended, and throws what the event store throws. An event that cannot be decoded is left out.
 */
export const readerOf = <E extends OperatorEvent>(
  { eventStore, codec }: LogReading,
  type: E['type'],
  take: (data: E['data']) => void,
): (() => Promise<void>) => {
  let from = 0;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    for await (const recorded of eventStore.readStream(OPERATOR_STREAM, { from })) {
      if (recorded.type === type) {
        const decoded = await codec.decode(recorded);
        if (decoded.kind === 'event') take(decoded.event.data as E['data']);
      }
      from = recorded.revision + 1;
    }
  };
  // Calls at the same time share a reading, so that no event is taken twice.
  return () => (reading ??= read().finally(() => (reading = null)));
};

interface LogReading {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly codec: Pick<Codec, 'decode'>;
}

/** The actor of what the engine records. Also its correlation id, if no operation caused it. */
const CONDUCTOR = 'conductor';
const NONE: ReadonlySet<string> = new Set();

/** The engine's `Operations` on the operator's stream: reads operators' requests and records their results. */
export class StreamOperations implements Operations {
  readonly stream = OPERATOR_STREAM;
  #seen: { readonly state: OperatorState; readonly intent: OperatorIntent } | null = null;
  readonly #skipped = new Map<string, ReadonlySet<string>>();

  constructor(private readonly streams: CommandStreams) {}

  /** Reads the events since the last call. Returns the same object if there are none. */
  async readIntent(): Promise<OperatorIntent> {
    const state = await this.#handle(() => accept());
    if (this.#seen?.state !== state) this.#seen = { state, intent: this.#intentOf(state) };
    return this.#seen.intent;
  }

  async end(operation: string, { result, message, details }: Ending): Promise<void> {
    await this.#handle((state) => endOperation(state, { operation, result, message, details }), operation);
  }

  async promoted(promotion: Promotion): Promise<void> {
    await this.#handle((state) => recordPromotion(state, promotion), promotion.operation ?? CONDUCTOR);
  }

  /**
   * Handles a command, even to read, since only commands update the cached state of the stream.
   * @throws {StoreUnavailable} conflicts with other writers persist
   */
  async #handle(
    decide: (state: OperatorState) => Decision<OperatorEvent>,
    correlationId = CONDUCTOR,
  ): Promise<OperatorState> {
    const context = unaskedContext({ type: 'system', id: CONDUCTOR }, correlationId);
    const handled = await this.streams.handle(operator, OPERATOR_LOG, context, decide);
    if (handled.kind === 'refused') throw new StoreUnavailable(handled.refusal.message);
    return handled.state;
  }

  /** Each view keeps the same set until one of its events is skipped, even if the stream is folded again. */
  #intentOf({ open, paused, skipped }: OperatorState): OperatorIntent {
    for (const [view, ids] of skipped) {
      // Skipped events stay skipped, so sets of equal size have the same events.
      if (this.#skipped.get(view)?.size !== ids.size) this.#skipped.set(view, ids);
    }
    return { open: [...open.values()], paused, skipped: (view) => this.#skipped.get(view) ?? NONE };
  }
}
