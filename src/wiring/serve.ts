import { CommandBus } from '@nestjs/cqrs';
import { openApplication } from '../api/application.js';
import type { DevelopmentPerson } from '../api/console/console.js';
import { logCommands } from '../api/cqrs/commands.js';
import { MailQuota } from '../clients/mail-quota.js';
import type { Checker } from '../clients/checker/checker.js';
import type { Speech } from '../clients/speech.js';
import { openMails } from '../clients/smtp.js';
import type { Reading } from '../engine/trusted-clock.js';
import { EdgeServer } from '../http/edge-server.js';
import { RateLimits, signInRates } from '../http/rate-limits.js';
import { drainingHealth, listenForOperators, statusPages } from '../http/status-pages.js';
import { createInterviews } from '../interview/create.js';
import { InterviewGateway } from '../interview/socket/interview.gateway.js';
import { SocketAdapter } from '../interview/socket/socket.adapter.js';
import { trustedClockOf } from '../process/clock.js';
import type { Configuration } from '../process/config.js';
import { createLogger } from '../process/log.js';
import { mailHealth } from '../process/service-health.js';
import {
  type Lifecycle,
  listenProblem,
  openWhenReachable,
  publicUrlOf,
  StartProblem,
  whenReachable,
} from '../process/start.js';
import type { Stores } from '../process/stores.js';
import { ErasureMails } from '../reactors/mail/erasure.js';
import type { Scorer } from '../scoring/scores/scorer.js';
import { AppModule } from './app.module.js';
import { identityOf } from './identity.js';
import { statusOf } from './status.js';
import { installWorkers, startOutbox, startWorkers } from './workers.js';

/** How long requests in flight have to finish when the service stops. */
const DRAIN_MS = 6_000;
/** How long interviews have to come to rest. */
const INTERVIEW_DRAIN_MS = 3_000;

/** Parts of a service that no setting can change: another program that composes it brings them. */
export interface ServiceParts {
  /** Both clocks of the process at one moment, by which the wall clock is judged. Default: the system's. */
  readonly readClocks?: () => Reading;
  /** Default: the scorer that is configured. */
  readonly scorer?: Scorer;
  /** Default: the checker that is configured. */
  readonly checker?: Checker;
  /** Default: the transcriber and the synthesiser that are configured. */
  readonly speech?: Speech;
  /** Whom the console offers to sign in as, where anybody may. Default: nobody. */
  readonly people?: readonly DevelopmentPerson[];
}

/** A service that answers requests until its lifecycle ends. */
export interface RunningService {
  readonly publicUrl: string;
  readonly stores: Stores;
  /** Whether anybody signs in as anybody. */
  readonly development: boolean;
  /** Whether mails are shown at `/outbox` in place of being sent. */
  readonly outbox: boolean;
}

/**
 * Serves the API and the interview's socket and, unless PROJECTOR is off, does the background work too.
 * @returns once it answers requests
 * @throws {StartProblem | StoreUnusable} with a sentence for the operator
 */
export const serve = async (
  lifecycle: Lifecycle,
  configuration: Configuration,
  { readClocks, scorer, checker, speech, people = [] }: ServiceParts = {},
): Promise<RunningService> => {
  const { host, port, healthPort, allowedOrigins } = configuration;
  if (healthPort === port && port !== 0)
    throw new StartProblem(
      `HEALTH_PORT and PORT are both ${port}: set HEALTH_PORT to another one. It is for operators, and no proxy may reach it.`,
    );
  const logger = createLogger(configuration.logLevel);
  lifecycle.log(logger);
  const secure = configuration.publicUrl?.startsWith('https:') ?? false;
  const server = new EdgeServer({ allowedOrigins, secure });
  const address = await server.listen(host, port).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  const operators = await listenForOperators(configuration, lifecycle);
  const publicUrl = publicUrlOf(configuration, address);
  const stores = await openWhenReachable(configuration, logger, lifecycle);
  const { formsPerMinute } = configuration.signInLimits;
  const limits = new RateLimits(configuration.rateLimits, signInRates(formsPerMinute));
  const { interviews, host: interviewHost } = createInterviews(stores, configuration, limits, logger, speech);
  const ending = interviews.closer;
  const mails = openMails(configuration.mail);
  const { mailer, outbox } = mails;
  await whenReachable(() => installWorkers(stores, mailer), logger);
  const quota = new MailQuota(stores.vault, stores.hasher, mailer && configuration.mail.perDay);
  const erasures = new ErasureMails(stores.streams, mailer, quota, logger);
  const timekeeper = trustedClockOf(stores, logger, lifecycle, readClocks);
  const working = { log: logger, ending, mailer, quota, erasures, publicUrl, timekeeper, scorer, checker };
  const workers =
    configuration.projector === 'embedded'
      ? startWorkers(stores, configuration, { ...working, buildWorker: 'child process' })
      : null;
  lifecycle.onStop('erasure mails', () => erasures.stop());
  // Whoever sends the mails has them in its memory: without a mail server that is the process that shows them.
  const outboxWorker =
    workers === null && outbox ? startOutbox(stores, { ...working, mailer: outbox }) : null;
  lifecycle.onStop('outbox', async () => outboxWorker?.stop());
  lifecycle.onStop('workers', async () => workers?.stop());
  const outboxUrl = outbox && `${publicUrl}/outbox`;
  const signIn = { configuration, publicUrl, logger, stores, limits, mailer, timekeeper, people };
  const identity = identityOf({ ...signIn, outboxUrl });
  lifecycle.onStop('sign-in', () => identity.stop());
  const own = {
    projector: workers?.projector ?? null,
    clock: timekeeper,
    health: [drainingHealth(server), mailHealth(mailer)],
    sending: server.sending,
  };
  const status = statusOf(stores, configuration, own);
  operators.open(statusPages(status.health, status.metrics));
  const opened = { configuration, publicUrl, server, logger, stores, limits, interviews, identity };
  const module = AppModule.forRoot({ ...opened, ...status, mails, quota, erasures });
  const { trustedProxies } = configuration;
  const edge = { server, logger, limits, metrics: status.metrics, trustedProxies };
  const { routes } = identity;
  const application = await openApplication({ ...edge, module, routes, sockets: SocketAdapter });
  logCommands(application.get(CommandBus), logger);
  // Stores close after the last request: what is added last closes first.
  lifecycle.onStop('interviews', async () => {
    await interviews.stopped();
    await interviewHost.stop();
  });
  lifecycle.onStop('http', async () => {
    const drained = server.drain(DRAIN_MS);
    await application.get(InterviewGateway).drain(INTERVIEW_DRAIN_MS);
    await drained;
  });
  await workers?.projector.ready;
  logger.info({ url: publicUrl, port: address.port }, 'serving');
  return { publicUrl, stores, development: identity.development, outbox: outbox !== null };
};
