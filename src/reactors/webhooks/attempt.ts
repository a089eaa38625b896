import { messageOf, type WebhookSecrets } from '../../application/webhooks/secrets.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { Position } from '../../core/event-store.js';
import type { CommandStreams } from '../../core/handle.js';
import { hasCome } from '../../core/timestamp.js';
import { operator, preRestoreStatus } from '../../domain/operations/decider.js';
import { secretsAt, type Webhook, webhookOf, webhooksDecider } from '../../domain/webhook/decider.js';
import {
  type Answered,
  closeDelivery,
  type Delivery,
  deliveryDecider,
  dueSince,
  isFinal,
  MAX_AHEAD_MS,
  recordAttempt,
} from '../../domain/webhook/delivery-decider.js';
import { TEST_TYPE } from '../../domain/webhook/events.js';
import { targetProblem } from '../../domain/webhook/target.js';
import { ClockInDoubt, type Timekeeper } from '../../engine/trusted-clock.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import type { CountedResult } from '../metrics.js';
import { post, type PostOptions } from './post.js';

/** The actor of attempts in the log. */
const NAME = 'deliver-notices';

export interface AttemptOptions {
  readonly streams: CommandStreams;
  readonly contexts: CommandContexts;
  readonly secrets: WebhookSecrets;
  readonly post: PostOptions;
  /** By default the machine's clock. */
  readonly clock?: () => Date;
  readonly timekeeper: Timekeeper;
  /** Returns a number from 0 to below 1, to spread repeated attempts. By default `Math.random`. */
  readonly random?: () => number;
}

/** A due delivery in the view's list. */
export interface Due {
  readonly organisationId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** Position of the delivery's document in the list. An attempt that was made at a position is not repeated there. */
  readonly position: Position;
}

const NOT_SENT: Answered = { status: null, fault: 'webhook_deleted', retryAfterMs: null };
const NOT_ALLOWED: Answered = { status: null, fault: 'private_address', retryAfterMs: null };

/**
 * Makes the attempt that is due by the delivery's stream, and records its result.
 * @returns its result; `held`: an operator has to decide; `null`: none was due, or another process has recorded it
 * @throws the signal's reason, {StoreUnavailable}, or {ClockInDoubt} if the result depends on a clock that may be wrong.
 *   Nothing is recorded then, and the attempt is repeated
 */
export async function attempt(
  due: Due,
  options: AttemptOptions,
  signal: AbortSignal,
): Promise<CountedResult | 'held' | null> {
  const { streams, contexts, timekeeper, random = Math.random, clock = () => new Date() } = options;
  const { state } = await streams.read(deliveryDecider, due.deliveryId);
  if (state?.status !== 'pending' || !hasCome(state.nextAttemptAt, clock().getTime(), MAX_AHEAD_MS))
    return null;
  const context = contexts.forSystem({ type: 'system', id: NAME }, state.correlationId);
  const decided = preRestoreStatus((await streams.read(operator, OPERATOR_LOG)).state, dueSince(state));
  if (decided === 'held') return decided;
  if (decided !== null) {
    await streams.handle(deliveryDecider, due.deliveryId, context, (current) =>
      closeDelivery(current, decided === 'sent' ? 'delivered' : 'failed'),
    );
    return null;
  }
  const webhook = webhookOf((await streams.read(webhooksDecider, due.organisationId)).state, due);
  const answered = webhook ? await send(state, webhook, options, clock(), signal) : NOT_SENT;
  // By a wrong clock the delivery would fail for good, or would not be tried again for years.
  if (!isFinal(state, answered) && (await timekeeper.nowIfTrusted('end')) === null) throw new ClockInDoubt();
  const input = { attempt: state.attempts + 1, answered, now: clock().toISOString(), random: random() };
  const handled = await streams.handle(deliveryDecider, due.deliveryId, context, (current) =>
    recordAttempt(current, input),
  );
  if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  return handled.changed ? resultOf(handled.state) : null;
}

const send = async (
  delivery: Delivery,
  webhook: Webhook,
  { secrets, post: how }: AttemptOptions,
  now: Date,
  signal: AbortSignal,
): Promise<Answered> => {
  const { url, webhookId } = webhook;
  // Checked again: the rules may have changed since the webhook was created.
  if (targetProblem(url, how) !== null) return NOT_ALLOWED;
  const numbers = secretsAt(webhook, now.toISOString());
  const valid = await Promise.all(numbers.map((number) => secrets.secretOf(webhookId, number)));
  const message = messageOf(delivery, valid, now);
  return post(new URL(url), message, how, signal);
};

const resultOf = (state: Delivery | null): CountedResult | null => {
  if (state === null) return null;
  const isOfConcern = state.type !== TEST_TYPE && state.lastFault !== 'webhook_deleted';
  if (state.status === 'failed' && !isOfConcern) return 'dropped';
  return state.status === 'pending' ? 'retrying' : state.status;
};
