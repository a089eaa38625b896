import { Counter, Gauge, type Registry } from 'prom-client';
import { pendingChecks } from '../../projections/pending-checks.js';
import { pendingEvaluations } from '../../projections/pending-evaluations.js';
import { inTime } from '../core/backoff.js';
import { firstDeadline } from '../domain/evaluation/awaited.js';
import type { MailResult } from '../domain/mail/events.js';
import type { CheckedWork } from '../domain/session/check-events.js';
import type { AttemptResult } from '../domain/webhook/events.js';
import type { AnyView, DocumentOf } from '../engine/view.js';
import type { Stores } from '../process/stores.js';
import type { ReadStore } from '../stores/read-store.js';

/** The counted result of an attempt. `dropped`: a failure that does not matter, of a test or a deleted webhook. */
export type CountedResult = AttemptResult | 'dropped';

/** Counts of this process's work since its start, for metrics only. */
export interface WorkCounts {
  /** Recorded generations, by their result. */
  readonly evaluations: Record<'ready' | 'failed', number>;
  /** Recorded results of checks, by their outcome. */
  readonly checks: Record<CheckedWork['outcome'], number>;
  /** Attempts to deliver a notice, by their result. */
  readonly attempts: Record<CountedResult, number>;
  /** Attempts to send a mail, by their result. */
  readonly mails: Record<MailResult, number>;
  /** Attempts in progress. */
  attemptsUnderWay: number;
}

const counts = new WeakMap<ReadStore, WorkCounts>();

/** The counts of this process's work on these stores. */
export const workCountsOf = (readStore: ReadStore): WorkCounts => {
  const known = counts.get(readStore) ?? {
    evaluations: { ready: 0, failed: 0 },
    checks: { checked: 0, error: 0 },
    attempts: { delivered: 0, retrying: 0, failed: 0, dropped: 0 },
    mails: { sent: 0, retrying: 0, failed: 0 },
    attemptsUnderWay: 0,
  };
  counts.set(readStore, known);
  return known;
};

/** Where a metric finds the oldest pending document: the first one of an index, under a prefix of its keys. */
interface FirstOf<V extends AnyView> {
  readonly view: V;
  readonly index: string;
  readonly prefix: readonly string[];
  /** The time from which the age counts, ISO 8601; `null`: the document counts as none. */
  readonly sinceOf: (document: DocumentOf<V>) => string | null;
}

/** Registers the metrics of evaluations, checks, notices and mails. */
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
    'Number of attempts of this process to deliver a notice, by result.',
    work.attempts,
  );
  new Gauge({
    name: 'assay_webhook_attempts_under_way',
    help: 'Number of attempts to deliver a notice that this process is making now.',
    registers,
    collect() {
      this.set(work.attemptsUnderWay);
    },
  });
  countResults(
    'assay_mail_attempts_total',
    'Number of attempts of this process to send a mail to a candidate, by result.',
    work.mails,
  );
  countResults(
    'assay_evaluations_ended_total',
    'Number of generations of evaluations that this process has recorded, by result.',
    work.evaluations,
  );
  countResults(
    'assay_checks_ended_total',
    'Number of checks of work whose results this process has recorded, by result.',
    work.checks,
  );
  const timeSince = <V extends AnyView>(
    name: string,
    help: string,
    { view, sinceOf, ...first }: FirstOf<V>,
  ) =>
    new Gauge({
      name,
      help: `${help}. 0 if there is none. The same in every process.`,
      registers,
      async collect() {
        const found = await inTime(reader.page(view, { ...first, limit: 1 }));
        if (found === null) return;
        const since = found.items[0] && sinceOf(found.items[0].document);
        this.set(since ? Math.max(0, (Date.now() - Date.parse(since)) / 1000) : 0);
      },
    });
  const pending = { view: pendingEvaluations };
  timeSince(
    'assay_evaluation_oldest_pending_seconds',
    'Age of the oldest evaluation that was requested and has not ended',
    { ...pending, index: 'byState', prefix: ['requested'], sinceOf: ({ requestedAt }) => requestedAt },
  );
  timeSince(
    'assay_evaluation_oldest_waiting_seconds',
    'Age of the oldest evaluation that waits for late hand-ins or for checks of work',
    { ...pending, index: 'byState', prefix: ['awaiting'], sinceOf: ({ requestedAt }) => requestedAt },
  );
  timeSince(
    'assay_evaluation_wait_overdue_seconds',
    'Time since the deadline of the first late hand-in for which an evaluation still waits',
    { ...pending, index: 'byDeadline', prefix: [], sinceOf: ({ awaited }) => firstDeadline(awaited) },
  );
  timeSince('assay_check_oldest_waiting_seconds', 'Age of the oldest check of work without a result', {
    ...{ view: pendingChecks, index: 'bySince', prefix: [] },
    sinceOf: ({ waiting }) => waiting[0]?.askedAt ?? null,
  });
};
