import { type ErasureNotices, NAME as ERASE } from '../application/applications/erase-candidate.js';
import { WebhookSecrets } from '../application/webhooks/secrets.js';
import type { Mailer } from '../clients/mail.js';
import type { MailQuota } from '../clients/mail-quota.js';
import { CommandContexts } from '../core/command-context.js';
import type { Position } from '../core/event-store.js';
import { longLived } from '../core/signals.js';
import type { InterviewEnding } from '../interview/watch/abandoned.js';
import { type ReactorOptions, startReactor } from '../engine/reactors/reactor.js';
import type { Looked, Projector } from '../engine/feeding/runner.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import type { AnyView } from '../engine/view.js';
import { startAbandonedInterviews } from '../interview/watch/abandoned.js';
import { finishInterviews } from '../interview/session/closing.js';
import { conductorOf, leasesOf, projectorOf } from '../process/conducting.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';
import { isGone } from '../process/owner.js';
import type { Stores } from '../process/stores.js';
import { AudioSweep } from '../reactors/audio-sweep.js';
import {
  EvaluationGenerator,
  generateEvaluations,
  NAME as GENERATE,
} from '../reactors/evaluation/generate.js';
import { NAME as SEND_MAILS } from '../reactors/mail/send.js';
import { startMails } from '../reactors/mail/worker.js';
import { workCountsOf } from '../reactors/metrics.js';
import { eraseCandidates, EXPIRE, expireTrials, installAll, installedAt } from '../reactors/reactions.js';
import { OverdueErasure, startRetention } from '../reactors/retention.js';
import { NAME as REQUEST_DELIVERIES, requestDeliveries } from '../reactors/webhooks/request-deliveries.js';
import { ErasureSweep, startSweep } from '../reactors/sweeps.js';
import { startDeliveries } from '../reactors/webhooks/worker.js';
import { createDetector, createScorer } from '../scoring/create.js';
import { BuildWorkerProcess } from './build-worker-process.js';

/** The background work of one process: the views' projector, the reactors, retention and sweeps. */
export interface Workers {
  readonly projector: Projector;
  /** Ends after the current steps. */
  stop(): Promise<void>;
}

export interface WorkersOptions {
  readonly log: Logger;
  /** Where views are rebuilt and operators' requests carried out: a child process keeps the speed of this one. */
  readonly buildWorker: 'this process' | 'child process';
  /** Ends interviews that no process holds. */
  readonly ending: InterviewEnding;
  /** `null`: no mails are sent. */
  readonly mailer: Mailer | null;
  readonly quota: MailQuota;
  readonly erasures: ErasureNotices;
  /** Where candidates reach the service. */
  readonly publicUrl: string;
  readonly timekeeper: Timekeeper;
}

type Reactor<V extends AnyView> = Omit<
  ReactorOptions<V>,
  'installedAt' | 'readStore' | 'reader' | 'leases' | 'timekeeper'
>;

export const startWorkers = (
  stores: Stores,
  configuration: Configuration,
  { log, buildWorker, ending, mailer, quota, erasures, publicUrl, timekeeper }: WorkersOptions,
): Workers => {
  const { readStore, streams, reader, hasher, vault } = stores;
  const { segments, automatic, graceMs } = configuration;
  const contexts = new CommandContexts(hasher);
  const alone = buildWorker === 'this process';
  const leases = leasesOf(stores, log);
  const building = { segments, automatic, graceMs, log };
  const builder = alone ? null : new BuildWorkerProcess({ ...building, readStore });
  const feeding = builder
    ? { feeds: 'serving' as const, onLook: (looked: Looked) => builder.consider(looked) }
    : { feeds: 'all' as const };
  const projector = projectorOf(stores, { leases, log, segments, ...feeding });
  const common = { readStore, leases, reader, log, timekeeper };
  const react = <V extends AnyView>(reactor: Reactor<V>) => {
    const { name } = reactor;
    // One that a process begins to take commands without would leave out what these ask for.
    if (!REACTORS.includes(name)) throw new Error(`The reactor ${name} is none of those that are installed.`);
    return startReactor({ ...common, installedAt: () => installedAt(streams, contexts, name), ...reactor });
  };
  const writing = { streams, contexts, quota, publicUrl, installedAt: () => installMails(stores) };
  const scorer = createScorer(configuration.scorer, log);
  const generator = new EvaluationGenerator(streams, scorer, createDetector(configuration, log), vault);
  const secrets = new WebhookSecrets(vault);
  const post = { allowPrivate: configuration.webhookAllowPrivate };
  const stopping = longLived();
  const others: readonly { stop(): Promise<void> }[] = [
    builder ?? conductorOf(stores, { ...building, leases, timekeeper }),
    react(generateEvaluations(generator, contexts, stopping.signal, workCountsOf(readStore).evaluations)),
    react(expireTrials(streams, contexts)),
    react(finishInterviews(ending)),
    react(eraseCandidates(stores, contexts)),
    react(requestDeliveries(streams, contexts)),
    startDeliveries({ ...common, streams, contexts, secrets, post }),
    ...(mailer ? [startMails({ ...common, ...writing, mailer })] : []),
    startAbandonedInterviews({ ...common, isGone, ending }),
    startSweep(new AudioSweep(stores), { vault, leases, log }),
    startSweep(new ErasureSweep(vault), { vault, leases, log }),
    startRetention({ ...common, erasure: new OverdueErasure(streams, vault, erasures), contexts }),
  ];
  return {
    projector,
    stop: async () => {
      stopping.abort();
      await Promise.all([projector.stop(), ...others.map((other) => other.stop())]);
      await Promise.all([generator.leave(), leases.stop()]);
    },
  };
};

/** The names of those that no setting leaves out. */
const REACTORS = [GENERATE, EXPIRE, 'finish-interview', ERASE, REQUEST_DELIVERIES];

/**
 * Records that this service has its reactors from now on, and with a mailer that it sends mails. Done before the first
 * command, so that nothing that a command asks for is left out.
 */
export const installWorkers = (
  { streams, hasher }: Pick<Stores, 'streams' | 'hasher'>,
  mailer: Mailer | null,
): Promise<void> =>
  installAll(streams, new CommandContexts(hasher), [...REACTORS, ...(mailer ? [SEND_MAILS] : [])]);

const installMails = ({ streams, hasher }: Pick<Stores, 'streams' | 'hasher'>): Promise<Position> =>
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
    installedAt: () => installMails(stores),
  });
  return {
    stop: async () => {
      await worker.stop();
      await leases.stop();
    },
  };
};
