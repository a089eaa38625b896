import { CommandBus } from '@nestjs/cqrs';
import { openApplication } from '../api/application.js';
import type { DevelopmentPerson } from '../api/console/console.js';
import { logCommands } from '../api/cqrs/commands.js';
import type { Checker } from '../clients/checker/checker.js';
import { MailQuota } from '../clients/mail-quota.js';
import { openMails } from '../clients/smtp.js';
import type { Speech } from '../clients/speech.js';
import type { Reading } from '../engine/clock-judgement.js';
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

/** Time limit for requests in flight when the service stops, in milliseconds. */
const DRAIN_MS = 6_000;
/** Time limit for open interview connections when the service stops, in milliseconds. */
const INTERVIEW_DRAIN_MS = 3_000;

/** Parts of a service that a program may replace when it starts it, such as the demo or a test. No setting does. */
export interface ServiceParts {
  /** Reads the wall clock and the monotonic clock at the same moment. Default: the system's. */
  readonly readClocks?: () => Reading;
  /** Default: the configured scorer. */
  readonly scorer?: Scorer;
  /** Default: the configured checker. */
  readonly checker?: Checker;
  /** Default: the configured transcriber and synthesiser. */
  readonly speech?: Speech;
  /** The accounts that the console offers for a sign-in, in a development service only. Default: none. */
  readonly people?: readonly DevelopmentPerson[];
}

/** A service that answers requests until its lifecycle ends. */
export interface RunningService {
  readonly publicUrl: string;
  readonly stores: Stores;
  /** Whether the development issuer is on, at which anyone can sign in as anyone. */
  readonly development: boolean;
  /** Whether mails are shown at `/outbox` instead of being sent. */
  readonly outbox: boolean;
}

/**
 * Serves the API and the interview's socket and, unless PROJECTOR is off, does the background work too. When the
 * service stops, its parts are closed in reverse order: requests first, stores last.
 * @returns resolves once it answers requests
 * @throws {StartProblem | StoreUnusable} with a sentence for the operator
 */
export const serve = async (
  lifecycle: Lifecycle,
  configuration: Configuration,
  { readClocks, scorer, checker, speech, people = [] }: ServiceParts = {},
): Promise<RunningService> => {
  const { host, port, healthPort, allowedOrigins, trustedProxies } = configuration;
  if (healthPort === port && port !== 0)
    throw new StartProblem(
      `HEALTH_PORT and PORT are both ${port}: set HEALTH_PORT to another one. It is for operators, and no proxy may reach it.`,
    );
  const logger = createLogger(configuration.logLevel);
  lifecycle.log(logger);

  // Listen before the stores are open, so that operators see that the service is starting.
  const secure = configuration.publicUrl?.startsWith('https:') ?? false;
  const server = new EdgeServer({ allowedOrigins, secure });
  const address = await server.listen(host, port).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  const operators = await listenForOperators(configuration, lifecycle);
  const publicUrl = publicUrlOf(configuration, address);

  const stores = await openWhenReachable(configuration, logger, lifecycle);
  const limits = new RateLimits(
    configuration.rateLimits,
    signInRates(configuration.signInLimits.formsPerMinute),
  );
  const { interviews, host: interviewHost } = createInterviews(stores, configuration, limits, logger, speech);
  const mails = openMails(configuration.mail);
  const { mailer, outbox } = mails;
  // Recorded before the first command, so that the reactors handle the events of all commands.
  await whenReachable(() => installWorkers(stores, mailer), logger);
  const quota = new MailQuota(stores.vault, stores.hasher, mailer && configuration.mail.perDay);
  const erasures = new ErasureMails(stores.streams, mailer, quota, logger);
  const timekeeper = trustedClockOf(stores, logger, lifecycle, readClocks);

  // Background work.
  const shared = { log: logger, quota, publicUrl, timekeeper };
  const workers =
    configuration.projector === 'embedded'
      ? startWorkers(stores, configuration, {
          ...{ ...shared, ending: interviews.closer, mailer, erasures, scorer, checker },
          buildWorker: 'child process',
        })
      : null;
  lifecycle.onStop('erasure mails', () => erasures.stop());
  // Without a mail server this process shows the mails from its memory, so it must "send" them even without workers.
  const outboxWorker = workers === null && outbox ? startOutbox(stores, { ...shared, mailer: outbox }) : null;
  lifecycle.onStop('outbox', async () => outboxWorker?.stop());
  lifecycle.onStop('workers', async () => workers?.stop());

  // Sign-in, health and metrics.
  const outboxUrl = outbox && `${publicUrl}/outbox`;
  const signIn = { configuration, publicUrl, logger, stores, limits, mailer, timekeeper, people };
  const identity = identityOf({ ...signIn, outboxUrl });
  lifecycle.onStop('sign-in', () => identity.stop());
  const status = statusOf(stores, configuration, {
    projector: workers?.projector ?? null,
    clock: timekeeper,
    health: [drainingHealth(server), mailHealth(mailer)],
    sending: server.sending,
  });
  operators.open(statusPages(status.health, status.metrics));

  // The API and the interview's socket.
  const service = { configuration, publicUrl, server, logger, stores, limits, interviews, identity };
  const application = await openApplication({
    ...{ server, logger, limits, metrics: status.metrics, trustedProxies },
    module: AppModule.forRoot({ ...service, ...status, mails, quota, erasures }),
    routes: identity.routes,
    sockets: SocketAdapter,
  });
  logCommands(application.get(CommandBus), logger);
  lifecycle.onStop('interviews', async () => {
    await interviews.stopped();
    await interviewHost.stop();
  });
  lifecycle.onStop('http', async () => {
    // At once: one after the other, the waits for requests and for background work would exceed the time for a stop.
    workers?.beginStop();
    const drained = server.drain(DRAIN_MS);
    await application.get(InterviewGateway).drain(INTERVIEW_DRAIN_MS);
    await drained;
  });
  await workers?.projector.ready;
  logger.info({ url: publicUrl, port: address.port }, 'serving');
  return { publicUrl, stores, development: identity.development, outbox: outbox !== null };
};
