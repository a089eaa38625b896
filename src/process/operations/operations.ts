import type { CommandContexts } from '../../core/command-context.js';
import { accept, type Decision } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import type { Ending, Operations, Promotion, OperatorIntent } from '../../engine/operations.js';
import {
  endOperation,
  operator,
  type OperatorState,
  recordPromotion,
} from '../../domain/operations/decider.js';
import type { OperatorEvent } from '../../domain/operations/events.js';

export const OPERATOR_STREAM = streamName('operator', 'log');

const CONDUCTOR = 'conductor';
const NONE: ReadonlySet<string> = new Set();

/** What the engine carries out and writes down, over the operator's stream. */
export class StreamOperations implements Operations {
  readonly stream = OPERATOR_STREAM;
  #seen: { readonly state: OperatorState; readonly intent: OperatorIntent } | null = null;
  readonly #skipped = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly streams: CommandStreams,
    private readonly contexts: CommandContexts,
  ) {}

  /** Reads what came since the last look. While nothing did, the very same object is answered. */
  async look(): Promise<OperatorIntent> {
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
   * A command in any case, also to look: that alone moves on the state which is kept of the stream.
   * @throws {StoreUnavailable} others keep writing to the stream
   */
  async #handle(
    decide: (state: OperatorState) => Decision<OperatorEvent>,
    correlationId = CONDUCTOR,
  ): Promise<OperatorState> {
    const context = this.contexts.forSystem({ type: 'system', id: CONDUCTOR }, correlationId);
    const handled = await this.streams.handle(operator, OPERATOR_STREAM, context, decide);
    if (handled.kind === 'refused') throw new StoreUnavailable(handled.refusal.message);
    return handled.state;
  }

  #intentOf({ open, paused, skipped }: OperatorState): OperatorIntent {
    for (const [view, ids] of skipped) {
      // What is skipped stays so: as many are the same ones, also where the stream was folded from its beginning.
      if (this.#skipped.get(view)?.size !== ids.size) this.#skipped.set(view, ids);
    }
    return { open: [...open.values()], paused, skipped: (view) => this.#skipped.get(view) ?? NONE };
  }
}
