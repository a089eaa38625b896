import { DamagedEvent } from '../../core/codec-errors.js';
import type { Codec } from '../../core/codec.js';
import { StoreUnusable } from '../../core/errors.js';
import type { EventStore } from '../../core/event-store.js';
import { recompute } from '../../scoring/recompute/recompute.js';
import type { RuleSet } from '../../scoring/rule-sets.js';
import { BrokenSeal, MissingKey } from '../../core/vault/errors.js';
import type { Unit } from '../output/amounts.js';
import type { Progress } from '../output/progress.js';
import { amountOf } from '../projections/building.js';
import { type RecomputeReport, Tally } from './report.js';
import { latestReady, storedResult } from './stored-results.js';

export interface RecomputeOptions {
  readonly ruleSet: RuleSet;
  /** At most so many examples of each sort. */
  readonly examples: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** One that is damaged keeps no other from being looked at. Their messages hold places and ids alone. */
const UNREADABLE = [DamagedEvent, StoreUnusable, BrokenSeal, MissingKey] as const;

interface Side {
  readonly log: Pick<EventStore, 'readAll' | 'readStream' | 'head' | 'ordinal'>;
  readonly codec: Codec;
  readonly unit: Unit;
}

/** Results between two steps of the progress: few ones are recomputed before anybody has read a line. */
const RESULTS_A_STEP = 50;

/**
 * Computes the latest ready result of every evaluation again, as the log stood when it was asked for, and counts what
 * would be another one. Nothing is written.
 * @throws the signal's reason, where it was aborted before the end
 */
export const recomputeAll = async (
  side: Side,
  { ruleSet, examples, progress, signal }: RecomputeOptions,
): Promise<RecomputeReport> => {
  const { log, unit } = side;
  progress.begin('log', amountOf(log, await log.head()), unit);
  const results = await latestReady(side, {
    signal,
    onProgress: (position) => progress.to(amountOf(log, position)),
  }).finally(() => progress.end());

  const tally = new Tally(ruleSet.name, examples);
  let done = 0;
  progress.begin('results', results.size);
  try {
    for (const [stream, revision] of results) {
      signal.throwIfAborted();
      try {
        const result = await storedResult(side, stream, revision);
        tally.add(result.stored.data, await recompute({ ...result, ruleSet }));
      } catch (error) {
        if (!UNREADABLE.some((kind) => error instanceof kind)) throw error;
        tally.addUnreadable(stream.slice(stream.indexOf('-') + 1), (error as Error).message);
      }
      if (++done % RESULTS_A_STEP === 0) progress.to(done);
    }
  } finally {
    progress.end();
  }
  return tally.report;
};
