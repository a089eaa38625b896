import type { Codec } from '../../core/codec.js';
import type { AnyEvent, Stored } from '../../core/event.js';
import type { EventStore, Position, Revision, StreamName } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import type { EvaluationEvent, EvaluationGenerated, ModelAnswered } from '../../domain/evaluation/events.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { OperatorError } from '../program.js';

/** An evaluation's latest ready result, with all that it was made from. */
export interface StoredResult {
  readonly stored: Stored<EvaluationGenerated>;
  readonly answers: readonly Stored<ModelAnswered>[];
  readonly session: readonly Stored<TrialEvent>[];
}

/** Events between two steps of the progress. */
const EVENTS_A_STEP = 500;

interface Side {
  readonly log: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly codec: Codec;
}

/**
 * Where the latest ready result of each evaluation stands, in the order of the first ones. The log keeps no list of
 * them, so it is read from its beginning; no key is needed for that.
 * @param onProgress hears now and then how far it is
 */
export const latestReady = async (
  { log }: Pick<Side, 'log'>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (at: Position) => void },
): Promise<ReadonlyMap<StreamName, Revision>> => {
  const results = new Map<StreamName, Revision>();
  let read = 0;
  for await (const { type, stream, revision, position } of log.readAll()) {
    signal.throwIfAborted();
    if (++read % EVENTS_A_STEP === 0) onProgress(position);
    if (type === ('evaluation.generated' satisfies EvaluationEvent['type'])) results.set(stream, revision);
  }
  return results;
};

/**
 * @param revision of the result in the evaluation's stream
 * @throws {DamagedEvent | MissingKey} part of it cannot be read, and not because of an erasure
 */
export const storedResult = async (
  side: Side,
  stream: StreamName,
  revision: Revision,
): Promise<StoredResult> => {
  const events = await eventsOf<EvaluationEvent>(side, stream, revision + 1);
  const stored = events[revision];
  if (stored?.type !== 'evaluation.generated')
    throw new OperatorError(`There is no result in ${stream} at revision ${revision} any more.`);
  const { generation, trialSessionId, head } = stored.data;
  const answers = events.flatMap((event) =>
    event.type === 'evaluation.model_answered' && event.data.generation === generation ? [event] : [],
  );
  const session = streamName('trial', trialSessionId);
  return { stored, answers, session: await eventsOf<TrialEvent>(side, session, head.sequenceNumber) };
};

const eventsOf = async <E extends AnyEvent>(
  { log, codec }: Side,
  stream: StreamName,
  limit: number,
): Promise<readonly Stored<E>[]> => {
  const events: Stored<E>[] = [];
  for await (const recorded of log.readStream(stream, { limit })) {
    const decoded = await codec.decode(recorded);
    if (decoded.kind !== 'event')
      throw new OperatorError(
        `${stream} holds an event of type ${decoded.type} that a newer version of this program wrote: use that version.`,
      );
    events.push(decoded.event as Stored<E>);
  }
  return events;
};
