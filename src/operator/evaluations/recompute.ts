import { gapless } from '../../core/aggregate.js';
import type { Codec } from '../../core/codec.js';
import { DamagedEvent, StoreUnusable } from '../../core/errors.js';
import {
  type EventStore,
  type Position,
  type Revision,
  type StreamName,
  streamName,
} from '../../core/event-store.js';
import type { AnyEvent, Stored } from '../../core/event.js';
import { BrokenSeal, MissingKey } from '../../core/vault/port.js';
import { outcome } from '../../domain/application/decider.js';
import type { ApplicationEvent } from '../../domain/application/events.js';
import type { EvaluationEvent, EvaluationGenerated, ModelAnswered } from '../../domain/evaluation/events.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { type EvidenceEvent, lateEvidence } from '../../scoring/evidence/evidence.js';
import { recompute } from '../../scoring/recompute.js';
import type { RuleSet } from '../../scoring/rule-sets.js';
import { OperatorError } from '../cli/program.js';
import type { Progress, Unit } from '../cli/progress.js';
import { amountOf } from '../cli/stores.js';
import { type RecomputeReport, Tally } from './report.js';

interface RecomputeOptions {
  readonly ruleSet: RuleSet;
  /** How many examples of each kind are kept. */
  readonly examples: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Errors in one evaluation's data, after which the others are still recomputed. Messages contain positions and ids
 * only.
 */
const UNREADABLE = [DamagedEvent, StoreUnusable, BrokenSeal, MissingKey] as const;

/** The log whose results are recomputed. */
interface SourceLog {
  readonly log: Pick<EventStore, 'readAll' | 'readStream' | 'head' | 'ordinal'>;
  /** Opens personal parts: the candidates' texts are needed. */
  readonly codec: Codec;
  /** The unit of the log's ordinals. */
  readonly unit: Unit;
}

/** Results between two updates of the progress. */
const RESULTS_A_STEP = 50;

/**
 * Computes the latest ready result of each evaluation in the log again, and counts the results that differ. Writes
 * nothing.
 * @throws the signal's reason, if it was aborted before the end
 */
export const recomputeAll = async (
  source: SourceLog,
  { ruleSet, examples, progress, signal }: RecomputeOptions,
): Promise<RecomputeReport> => {
  const { log, unit } = source;
  progress.begin('log', amountOf(log, await log.head()), unit);
  const results = await latestReady(log, {
    signal,
    onProgress: (position) => progress.update(amountOf(log, position)),
  }).finally(() => progress.end());

  const tally = new Tally(ruleSet.name, examples);
  let done = 0;
  progress.begin('results', results.size);
  try {
    for (const [stream, revision] of results) {
      signal.throwIfAborted();
      try {
        const result = await storedResult(source, stream, revision);
        tally.add(result.stored.data, await recompute({ ...result, ruleSet }));
      } catch (error) {
        if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
        tally.addUnreadable(stream.slice(stream.indexOf('-') + 1), (error as Error).message);
      }
      if (++done % RESULTS_A_STEP === 0) progress.update(done);
    }
  } finally {
    progress.end();
  }
  return tally.report;
};

/** An evaluation's latest ready result, with everything from which it was made. */
interface StoredResult {
  readonly stored: Stored<EvaluationGenerated>;
  /** What a model answered for it. */
  readonly answers: readonly Stored<ModelAnswered>[];
  /** The session's stream, at least up to its completion. */
  readonly session: readonly Stored<TrialEvent>[];
  /** Evidence that came after the completion. */
  readonly later: readonly EvidenceEvent[];
  /** How many times the usual time the candidate had. */
  readonly timeFactor: number;
}

/** Events between two updates of the progress. */
const EVENTS_A_STEP = 500;

type EventSource = Pick<SourceLog, 'log' | 'codec'>;

/**
 * The revision of the latest ready result in each evaluation's stream, in the order of the first results. The log has no
 * list of them, so it is read from its beginning; nothing is decrypted for that.
 * @param onProgress called from time to time with the progress
 */
const latestReady = async (
  log: SourceLog['log'],
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
 * Reads a result with everything from which it was made. If the candidate was erased, events have no personal part.
 * @param revision the result's, in the evaluation's stream
 * @throws one of `UNREADABLE`: an event cannot be read
 */
const storedResult = async (
  source: EventSource,
  stream: StreamName,
  revision: Revision,
): Promise<StoredResult> => {
  const events = await eventsOf<EvaluationEvent>(source, stream, revision + 1);
  const stored = events[revision];
  if (stored?.type !== 'evaluation.generated')
    throw new OperatorError(`There is no result in ${stream} at revision ${revision} any more.`);
  const { generation, trialSessionId, head } = stored.data;
  const answers = events.flatMap((event) =>
    event.type === 'evaluation.model_answered' && event.data.generation === generation ? [event] : [],
  );
  const later = events.map(lateEvidence).filter((one) => one !== null);
  const sessionStream = streamName('trial', trialSessionId);
  const applicationStream = streamName('application', stored.data.applicationId);
  const { accommodations } = (await eventsOf<ApplicationEvent>(source, applicationStream)).reduce(
    (state, event) => outcome.evolve(state, event),
    outcome.initial,
  );
  return {
    stored,
    answers,
    // Each event takes one sequence number or more, so the head's number is at least the number of events up to it.
    session: await eventsOf<TrialEvent>(source, sessionStream, head.sequenceNumber),
    later,
    timeFactor: accommodations.timeFactor,
  };
};

const eventsOf = async <E extends AnyEvent>(
  { log, codec }: EventSource,
  stream: StreamName,
  limit?: number,
): Promise<readonly Stored<E>[]> => {
  const events: Stored<E>[] = [];
  for await (const recorded of gapless(log, stream, limit === undefined ? {} : { limit })) {
    const decoded = await codec.decode(recorded);
    if (decoded.kind !== 'event')
      throw new OperatorError(
        `${stream} holds an event of type ${decoded.type} that a newer version of this program wrote: use that version.`,
      );
    events.push(decoded.event as Stored<E>);
  }
  return events;
};
