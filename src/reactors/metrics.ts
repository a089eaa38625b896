import { Counter, Gauge, type Registry } from 'prom-client';
import { pendingEvaluations } from '../../projections/pending-evaluations.js';
import { inTime } from '../core/backoff.js';
import type { MailResult } from '../domain/mail/events.js';
import type { AttemptResult } from '../domain/webhook/events.js';
import type { Stores } from '../process/stores.js';
import type { ReadStore } from '../stores/read-store.js';

/** What an attempt is counted as. `dropped`: it failed and is of no concern, as a test or after its webhook was deleted. */
export type CountedResult = AttemptResult | 'dropped';

/** What this process has done since its start: for figures alone. */
export interface WorkCounts {
  /** Recorded generations, by their result. */
  readonly evaluations: Record<'ready' | 'failed', number>;
  /** Attempts to deliver a notice, by their result. */
  readonly attempts: Record<CountedResult, number>;
  /** Attempts to send a mail, by their result. */
  readonly mails: Record<MailResult, number>;
  /** Attempts in progress. */
  attemptsUnderWay: number;
}

const counts = new WeakMap<ReadStore, WorkCounts>();

/** The counts of the process that works on these stores. */
export const workCountsOf = (readStore: ReadStore): WorkCounts => {
  const known = counts.get(readStore) ?? {
    evaluations: { ready: 0, failed: 0 },
    attempts: { delivered: 0, retrying: 0, failed: 0, dropped: 0 },
    mails: { sent: 0, retrying: 0, failed: 0 },
    attemptsUnderWay: 0,
  };
  counts.set(readStore, known);
  return known;
};

/** Prometheus metrics of evaluations and notices. */
export const registerReactorMetrics = (
  registry: Registry,
  { readStore, reader }: Pick<Stores, 'readStore' | 'reader'>,
): void => {
  const registers = [registry];
  const work = workCountsOf(readStore);
  const countResults = (name: string, help: string, results: Readonly<Record<string, number>>) =>
    new Counter({
      name,
      help,
      labelNames: ['result'],
      registers,
      collect() {
        this.reset();
        for (const [result, count] of Object.entries(results)) this.inc({ result }, count);
      },
    });
  countResults(
    'assay_webhook_attempts_total',
    'Attempts of this process to deliver a notice, by what came of them.',
    work.attempts,
  );
  new Gauge({
    name: 'assay_webhook_attempts_under_way',
    help: 'Attempts that are under way in this process.',
    registers,
    collect() {
      this.set(work.attemptsUnderWay);
    },
  });
  countResults(
    'assay_mail_attempts_total',
    'Attempts of this process to send a mail to a candidate, by what came of them.',
    work.mails,
  );
  countResults(
    'assay_evaluations_ended_total',
    'Generations of evaluations that this process has recorded, by what came of them.',
    work.evaluations,
  );
  new Gauge({
    name: 'assay_evaluation_oldest_pending_seconds',
    help: 'Age of the oldest evaluation that is asked for and not there yet, 0 without any: the same in every process.',
    registers,
    async collect() {
      const oldest = await inTime(
        reader.page(pendingEvaluations, { index: 'byState', prefix: ['requested'], limit: 1 }),
      );
      if (oldest === null) return;
      const [first] = oldest.items;
      const since = first === undefined ? null : Date.parse(first.document.requestedAt);
      this.set(since === null ? 0 : Math.max(0, (Date.now() - since) / 1000));
    },
  });
};
