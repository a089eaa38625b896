import { pendingChecks, type WaitingCheck } from '../../../projections/pending-checks.js';
import { handleEvaluation, readCompletion } from '../../application/applications/reading.js';
import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import { SharedLock } from '../../core/concurrency.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { PersonErased } from '../../core/vault/port.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import { isCheckAwaited, recordLateCheck } from '../../domain/evaluation/late-work-decider.js';
import { withLateWork } from '../../domain/evaluation/late-work.js';
import { type CheckReport, isToCheck, recordCheck } from '../../domain/session/check-decider.js';
import { type HandIn, handInById } from '../../domain/session/hand-ins.js';
import { type Trial, trial } from '../../domain/session/state.js';
import type { Found } from '../../engine/reads/reads.js';
import type { Timekeeper } from '../../engine/trusted-clock.js';
import type { DocumentOf } from '../../engine/view.js';
import type { Vault } from '../../vault/port.js';
import { type Attempts, MAX_ENDED_PROCESSES } from '../attempts.js';
import { untilErased } from '../evaluation/until-erased.js';
import type { WorkCounts } from '../metrics.js';
import type { CheckRun } from './check-run.js';

/** The commands of a reactor have ids made of its name: it must never change. */
export const NAME = 'run-checks';

export interface ChecksOptions {
  readonly streams: CommandStreams;
  readonly contexts: CommandContexts;
  readonly vault: Pick<Vault, 'keys'>;
  readonly run: CheckRun;
  readonly attempts: Attempts;
  /** Time after its request until a check that has begun and has no result is recorded as an error, in milliseconds. */
  readonly giveUpMs: number;
  /** For how many sessions checks run at the same time. */
  readonly atOnce: number;
  readonly counts: WorkCounts['checks'];
  readonly timekeeper: Timekeeper;
  /** By default the machine's clock. */
  readonly clock?: () => Date;
}

/**
 * The reactor that runs the waiting checks, one after the other for each session, and records their results. Every
 * check gets a result, since an evaluation waits for it: if it has none in time, an error is recorded.
 *
 * If a process ends during a check, another process begins it again, until `MAX_ENDED_PROCESSES` have ended. A check
 * during which a process has ended runs alone, so that no other check can be the cause if a process ends again.
 */
export const runChecks = (options: ChecksOptions) => {
  const runner = new CheckRunner(options);
  return {
    name: NAME,
    view: pendingChecks,
    index: 'bySince',
    concurrency: options.atOnce,
    act: async (
      { document }: Found<DocumentOf<typeof pendingChecks>>,
      _now: Date,
      ends: AbortSignal,
    ): Promise<void> => {
      const [next] = document.waiting;
      if (next !== undefined) await runner.check(document, next, ends);
    },
  };
};

type Document = DocumentOf<typeof pendingChecks>;
type Completed = Trial & { readonly evaluationId: string };

class CheckRunner {
  private readonly runs = new SharedLock();

  constructor(private readonly options: ChecksOptions) {}

  /**
   * Runs one check and records its result, unless the log shows that the check no longer waits.
   * @param stop ends the run: no result is recorded
   * @throws the reason of `stop`, or what the run throws
   */
  async check(document: Document, waiting: WaitingCheck, stop: AbortSignal): Promise<void> {
    const { streams, contexts, vault, run, attempts, counts } = this.options;
    const { trialSessionId, organisationId, generation } = document;
    const { handInId, scope, causedBy, correlationId } = waiting;
    const { state: session } = await streams.read(trial, trialSessionId);
    const handIn = session && (await this.awaitedHandIn(session, waiting));
    if (!session || !handIn) return;
    const toCheck = { session, handIn, scope };
    const tried = { organisationId, trialSessionId, handInId, generation };
    const before = await attempts.before(tried);
    // A process that has ended may have left its program running: end that before the next run.
    if (before.ended > 0) await run.sweep();
    const context = {
      // One event can request several checks.
      ...contexts.forReaction(NAME, `${causedBy}/${handInId}`, correlationId),
      causationId: causedBy,
    };
    const makeReport = () =>
      untilErased(vault, session.candidateId, stop, async (ending) => {
        ending.throwIfAborted();
        if (before.ended >= MAX_ENDED_PROCESSES) return run.error(toCheck, 'ended_processes');
        if (before.isBegun && (await this.isLate(waiting))) return run.error(toCheck, 'given_up');
        await attempts.begin(tried, context);
        return run.run(toCheck, ending);
      });
    const running = before.ended > 0 ? this.runs.exclusively(makeReport) : this.runs.run(makeReport);
    const report = await attempts.leaveIfStopped(stop, handInId, running);
    const isRecorded = report !== 'erased' && (await this.record(session, context, report));
    attempts.done(handInId);
    if (isRecorded) counts[report.work.outcome] += 1;
  }

  /** The hand-in, if its check still waits by the log; `null`: it does not, and the view is behind. */
  private async awaitedHandIn(session: Trial, { handInId, scope }: WaitingCheck): Promise<HandIn | null> {
    const { handIns, evaluationId } = session;
    if (scope === 'visible')
      return isToCheck(session, handInId) ? (handInById(handIns, handInId) ?? null) : null;
    if (evaluationId === null) return null;
    const { state } = await this.options.streams.read(evaluationDecider, evaluationId);
    if (!isCheckAwaited(state, session, handInId)) return null;
    return handInById(withLateWork(handIns, state.late), handInId) ?? null;
  }

  /** Whether the time for the check is over: never while the clock is not trusted. */
  private async isLate({ askedAt }: WaitingCheck): Promise<boolean> {
    const now = await this.options.timekeeper.nowIfTrusted('end');
    return now !== null && now.getTime() - Date.parse(askedAt) > this.options.giveUpMs;
  }

  /** @returns false: another process has recorded the result, or the candidate was erased meanwhile */
  private async record(session: Trial, context: RequestContext, report: CheckReport): Promise<boolean> {
    const { streams, clock = () => new Date() } = this.options;
    const at = { ...context, now: clock() };
    try {
      const handled: Handled<unknown> =
        report.work.scope === 'visible'
          ? await streams.handle(trial, session.trialSessionId, at, (state) => recordCheck(state, report))
          : await this.recordLate(session as Completed, at, report);
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
      return handled.changed;
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      return false;
    }
  }

  private async recordLate(
    session: Completed,
    context: RequestContext,
    report: CheckReport,
  ): Promise<Handled<unknown>> {
    const { streams } = this.options;
    const { evaluationId, trialSessionId } = session;
    const completed = await readCompletion(streams, trialSessionId);
    return handleEvaluation(streams, { evaluationId, completed }, context, (state) =>
      recordLateCheck(state, session, report),
    );
  }
}
