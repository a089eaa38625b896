import { CandidateDirectory } from '../application/applications/directory.js';
import { type ErasureAnnouncer, NAME as ERASE } from '../application/applications/erase-candidate.js';
import { InviteCandidateHandler } from '../application/applications/invite-candidate.js';
import { HandInChanges } from '../application/hand-ins/hand-in-changes.js';
import { WorkComparison } from '../application/hand-ins/work-comparison.js';
import { ImportRows, NAME as IMPORT } from '../application/imports/rows.js';
import { FileSets } from '../application/tickets/file-sets.js';
import { Uploads } from '../application/uploads/uploads.js';
import { WebhookSecrets } from '../application/webhooks/secrets.js';
import type { Checker } from '../clients/checker/checker.js';
import { createChecker } from '../clients/checker/command.js';
import type { MailQuota } from '../clients/mail-quota.js';
import type { Mailer } from '../clients/mail.js';
import { CommandContexts } from '../core/command-context.js';
import type { Position } from '../core/event-store.js';
import { longLived } from '../core/signals.js';
import type { PolledViews, Projector } from '../engine/feeding/runner.js';
import { type ReactorOptions, startReactor } from '../engine/reactors/reactor.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import type { AnyView } from '../engine/view.js';
import { finishInterviews } from '../interview/session/interview-closer.js';
import type { InterviewEnding } from '../interview/watch/abandoned.js';
import { startAbandonedInterviews } from '../interview/watch/abandoned.js';
import { conductorOf, leasesOf, projectorOf } from '../process/conducting.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';
import { isGone } from '../process/owner.js';
import type { Stores } from '../process/stores.js';
import { Attempts } from '../reactors/attempts.js';
import { AudioSweep } from '../reactors/audio-sweep.js';
import { CheckRun, startRunSweep } from '../reactors/checks/check-run.js';
import { NAME as RUN_CHECKS, runChecks } from '../reactors/checks/run-checks.js';
import {
  EvaluationGenerator,
  generateEvaluations,
  NAME as GENERATE,
} from '../reactors/evaluation/generate.js';
import { DROP_ROWS, dropImportedRows, inviteRows } from '../reactors/imports.js';
import { NAME as SEND_MAILS } from '../reactors/mail/send.js';
import { startMails } from '../reactors/mail/worker.js';
import { workCountsOf } from '../reactors/metrics.js';
import {
  END_WAIT,
  endWaits,
  eraseCandidates,
  EXPIRE,
  expireTrials,
  installAll,
  installedAt,
} from '../reactors/reactions.js';
import { OverdueErasure, startRetention } from '../reactors/retention.js';
import { ErasureSweep, startSweep } from '../reactors/sweeps.js';
import { UploadSweep } from '../reactors/upload-sweep.js';
import { NAME as REQUEST_DELIVERIES, requestDeliveries } from '../reactors/webhooks/request-deliveries.js';
import { startDeliveries } from '../reactors/webhooks/worker.js';
import { createDetector, createScorer } from '../scoring/create.js';
import type { Scorer } from '../scoring/scores/scorer.js';
import { BuildWorkerProcess } from './build-worker-process.js';

/** The background work of a process: the projector, the reactors, retention and sweeps. */
export interface Workers {
  readonly projector: Projector;
  /** Begins nothing further, but for the projector: requests that are still answered may wait for it. */
  beginStop(): void;
  /** Resolves once the steps under way are done. */
  stop(): Promise<void>;
}

export interface WorkersOptions {
  readonly log: Logger;
  /** Where views are rebuilt and operators' requests are carried out. A child process does not slow down requests. */
  readonly buildWorker: 'this process' | 'child process';
  /** Ends interviews without a connection. */
  readonly ending: InterviewEnding;
  /** `null`: no mails are sent. */
  readonly mailer: Mailer | null;
  readonly quota: MailQuota;
  readonly erasures: ErasureAnnouncer;
  /** The address of the service for candidates. */
  readonly publicUrl: string;
  readonly timekeeper: Timekeeper;
  /** Default: the configured scorer. */
  readonly scorer?: Scorer | undefined;
  /** Default: the configured checker. */
  readonly checker?: Checker | undefined;
}

type Reactor<V extends AnyView> = Omit<
  ReactorOptions<V>,
  'installedAt' | 'readStore' | 'reader' | 'leases' | 'timekeeper'
>;

/** Starts the background work of a process. If the process handles commands, call `installWorkers` before. */
export const startWorkers = (
  stores: Stores,
  configuration: Configuration,
  options: WorkersOptions,
): Workers => {
  const { log, buildWorker, ending, mailer, quota, erasures, publicUrl, timekeeper } = options;
  const { readStore, streams, reader, hasher, vault } = stores;
  const { segments, automatic, graceMs } = configuration;
  const contexts = new CommandContexts(hasher);
  const alone = buildWorker === 'this process';
  const leases = leasesOf(stores, log);
  const building = { segments, automatic, graceMs, log };
  // Views are rebuilt by a child process, or by a conductor in this one.
  const builder = alone ? null : new BuildWorkerProcess({ ...building, readStore, configuration });
  // With a child process, this one feeds only live generations: the child feeds those that are being built.
  const feeding = builder
    ? { feeds: 'serving' as const, onPoll: (polled: PolledViews) => builder.consider(polled) }
    : { feeds: 'all' as const };
  const projector = projectorOf(stores, { leases, log, segments, ...feeding });
  const common = { readStore, leases, reader, log, timekeeper };
  const react = <V extends AnyView>(reactor: Reactor<V>) => {
    const { name } = reactor;
    // A reactor must be installed before the first command: else it would miss that command's events.
    if (!REACTORS.includes(name))
      throw new Error(`The reactor ${name} is not in the list of reactors to install.`);
    return startReactor({ ...common, installedAt: () => installedAt(streams, contexts, name), ...reactor });
  };
  const mailing = { streams, contexts, quota, publicUrl, installedAt: () => mailsInstalledAt(stores) };
  const scorer = options.scorer ?? createScorer(configuration.scorer, log);
  const stopping = longLived();
  // These reads are queued in the background: no request waits for them.
  const uploads = new Uploads(vault, stopping.signal);
  const sets = new FileSets(streams, vault, uploads);
  const comparison = new WorkComparison(stores, uploads, sets);
  const detector = createDetector(configuration, log);
  const attempts = new Attempts(streams);
  const handIns = { comparison, changes: new HandInChanges(streams, uploads, sets) };
  const generator = new EvaluationGenerator(streams, scorer, detector, vault, handIns, attempts);
  const checker = options.checker ?? createChecker(configuration.checker, log);
  const checkRun = new CheckRun(streams, uploads, sets, checker);
  const secrets = new WebhookSecrets(vault);
  const post = { allowPrivate: configuration.webhookAllowPrivate };
  const inviting = new InviteCandidateHandler(streams, new CandidateDirectory(vault, hasher), quota);
  const imported = new ImportRows(streams, vault, contexts, inviting);
  const counts = workCountsOf(readStore);
  const checking = {
    ...{ streams, contexts, vault, attempts, timekeeper },
    counts: counts.checks,
  };
  const others: readonly { stop(): Promise<void> }[] = [
    builder ?? conductorOf(stores, { ...building, leases, timekeeper }),
    react(generateEvaluations(generator, contexts, counts.evaluations)),
    react(runChecks({ ...checking, run: checkRun, ...limitsOf(configuration) })),
    react(expireTrials(streams, contexts)),
    react(endWaits(streams, contexts)),
    react(finishInterviews(ending)),
    react(eraseCandidates(stores, contexts)),
    react(inviteRows(imported)),
    react(dropImportedRows(imported)),
    react(requestDeliveries(streams, contexts)),
    startDeliveries({ ...common, streams, contexts, secrets, post }),
    ...(mailer ? [startMails({ ...common, ...mailing, mailer })] : []),
    startAbandonedInterviews({ ...common, isGone, ending }),
    startRunSweep(checkRun),
    startSweep(new AudioSweep(stores), { vault, leases, log }),
    startSweep(new UploadSweep(stores, timekeeper), { vault, leases, log }),
    startSweep(new ErasureSweep(vault), { vault, leases, log }),
    startRetention({ ...common, erasure: new OverdueErasure(streams, vault, erasures), contexts }),
  ];
  let othersStopped: Promise<unknown> | null = null;
  const beginStop = (): Promise<unknown> => {
    stopping.abort();
    return (othersStopped ??= Promise.all(others.map((other) => other.stop())));
  };
  return {
    projector,
    beginStop: () => void beginStop().catch(() => undefined),
    stop: async () => {
      const stopped = Promise.all([projector.stop(), beginStop()]);
      // After the others begin to stop: for them, an interview that cannot be finished is no failure then.
      ending.stop();
      await stopped;
      await Promise.all([attempts.leave(), leases.stop()]);
    },
  };
};

/** The limits of checks. Without a checker none is needed: each check is an error at once. */
const limitsOf = ({ checker }: Configuration) =>
  checker.kind === 'none'
    ? { giveUpMs: Infinity, atOnce: 1 }
    : { giveUpMs: checker.giveUpMs, atOnce: checker.atOnce };

/** The reactors that a service has with any settings. */
const REACTORS = [
  ...[GENERATE, RUN_CHECKS, END_WAIT, EXPIRE, 'finish-interview', ERASE, REQUEST_DELIVERIES],
  ...[IMPORT, DROP_ROWS],
];

/**
 * Records that this service has its reactors from now on and, if it has a mailer, sends mails. Call it before the first
 * command, so that the reactors handle the events of all commands.
 */
export const installWorkers = (
  { streams, hasher }: Pick<Stores, 'streams' | 'hasher'>,
  mailer: Mailer | null,
): Promise<void> =>
  installAll(streams, new CommandContexts(hasher), [...REACTORS, ...(mailer ? [SEND_MAILS] : [])]);

/** The position from which mails are sent. */
const mailsInstalledAt = ({ streams, hasher }: Pick<Stores, 'streams' | 'hasher'>): Promise<Position> =>
  installedAt(streams, new CommandContexts(hasher), SEND_MAILS);

/** Sends mails to the outbox of a process that has no other workers. */
export const startOutbox = (
  stores: Stores,
  {
    log,
    mailer,
    quota,
    publicUrl,
    timekeeper,
  }: Pick<WorkersOptions, 'log' | 'quota' | 'publicUrl' | 'timekeeper'> & { readonly mailer: Mailer },
): { stop(): Promise<void> } => {
  const { readStore, streams, reader, hasher } = stores;
  const leases = leasesOf(stores, log);
  const contexts = new CommandContexts(hasher);
  const worker = startMails({
    ...{ readStore, reader, streams, contexts, leases, log, mailer, quota, publicUrl, timekeeper },
    installedAt: () => mailsInstalledAt(stores),
  });
  return {
    stop: async () => {
      await worker.stop();
      await leases.stop();
    },
  };
};
