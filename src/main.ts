import { AccessModule } from './api/access/access.module.js';
import { ID_TOKENS, IdTokens } from './api/access/identity.js';
import { announcement, publicUrlOf } from './process/addresses.js';
import { AppModule } from './wiring/app.module.js';
import { readConfiguration } from './process/config.js';
import { openApplication } from './api/application.js';
import { EdgeServer } from './api/http/edge-server.js';
import { RateLimits } from './api/http/rate-limits.js';
import { createLogger } from './process/log.js';
import { Metrics } from './process/metrics.js';
import { drainingHealth } from './api/status/draining.js';
import { Health } from './process/health.js';
import { statusPages } from './api/status/status-pages.js';
import { listenForOperators } from './api/status/status-server.js';
import { listenProblem, start } from './process/start.js';
import { whenReachable } from './process/when-reachable.js';
import { createDevelopmentIssuer } from './development-issuer/development-issuer.js';
import { DomainModule } from './wiring/domain.module.js';
import { createDetector, createScorer } from './scoring/create.js';
import { createInterviews } from './interview/create.js';
import { InterviewSocketModule } from './interview/socket/interview-socket.module.js';
import { InterviewGateway } from './interview/socket/interview.gateway.js';
import { SocketAdapter } from './interview/socket/socket.adapter.js';
import { operationsOf } from './process/conducting.js';
import { diskHealth, registerDiskMetrics } from './process/disk.js';
import { logHealth, registerViewMetrics, viewsHealth } from './process/service-health.js';
import { openStores } from './process/stores.js';
import { registerUpkeepMetrics } from './wiring/upkeep-metrics.js';
import { registerDeliveryMetrics } from './reactors/webhooks/metrics.js';
import { startWorkers } from './wiring/workers.js';

/** Requests in flight have so long to finish once the service is told to stop. */
const DRAIN_MS = 6_000;
/** Interviews have so long to come to rest. */
const INTERVIEW_DRAIN_MS = 3_000;

await start(async (lifecycle) => {
  const configuration = readConfiguration(process.env);
  const { host, port } = configuration;
  const logger = createLogger(configuration.logLevel);
  lifecycle.log(logger);
  const server = new EdgeServer({
    allowedOrigins: configuration.allowedOrigins,
    secure: configuration.publicUrl?.startsWith('https:') ?? false,
  });
  const address = await server.listen(host, port).catch((error: unknown) => {
    throw listenProblem(error, host, port);
  });
  const operators = await listenForOperators(configuration, lifecycle);
  const publicUrl = publicUrlOf(configuration, address);
  const open = () => openStores(configuration, (sentence) => logger.warn(sentence));
  const stores = configuration.servers ? await whenReachable(open, logger) : await open();
  lifecycle.onStop('stores', () => stores.close());
  const limits = new RateLimits(configuration.rateLimits);
  const { interviews, host: interviewHost } = createInterviews(stores, configuration, limits, logger);
  const { segments, automatic, graceMs } = configuration;
  const webhookTargets = { allowPrivate: configuration.webhookAllowPrivate };
  const workers =
    configuration.projector === 'embedded'
      ? startWorkers(stores, {
          scorer: createScorer(configuration.scorer, logger),
          detector: createDetector(configuration, logger),
          log: logger,
          ending: interviews.ending,
          webhookTargets,
          buildWorker: 'child process',
          segments,
          automatic,
          graceMs,
        })
      : null;
  lifecycle.onStop('workers', async () => workers?.stop());

  const { identity, dataDir } = configuration;
  const development = identity.kind === 'development';
  const issuer = development
    ? createDevelopmentIssuer({
        issuerUrl: `${publicUrl}/issuer`,
        folder: dataDir,
        audience: identity.audience,
        onError: (err) => logger.error({ err }, 'The development issuer failed.'),
      })
    : null;
  if (issuer) server.mount(issuer);
  const idTokens = new IdTokens({
    issuer: development ? `${publicUrl}/issuer` : identity.issuer,
    audience: identity.audience,
    ...(issuer && { fetchJson: (url: string) => issuer.fetchJson(url) }),
  });

  const metrics = new Metrics();
  const projector = workers?.projector ?? null;
  const operations = operationsOf(stores);
  registerViewMetrics(metrics, stores, projector, operations);
  registerDeliveryMetrics(metrics.registry, stores.readStore);
  if (!configuration.servers) registerDiskMetrics(metrics, dataDir);
  registerUpkeepMetrics(metrics.registry, stores, configuration.servers);
  const { historyEvents } = configuration;
  const url = () => publicUrl;
  const domain = DomainModule.forRoot(stores, interviews, url, historyEvents, webhookTargets);
  const access = AccessModule.forRoot({
    imports: [domain],
    providers: [{ provide: ID_TOKENS, useValue: idTokens }],
  });
  const sockets = InterviewSocketModule.forRoot({
    imports: [domain],
    server,
    idTokens,
    limits,
    metrics,
    logger,
    allowedOrigins: configuration.allowedOrigins,
    publicUrl,
  });
  const health = new Health([
    drainingHealth(server),
    ...(configuration.servers ? [] : [diskHealth(dataDir)]),
    logHealth(stores),
    viewsHealth(stores, projector, operations),
  ]);
  operators.open(statusPages(health, metrics));
  const module = AppModule.forRoot({
    modules: [access, domain, sockets],
    limits,
    publicUrl,
    metrics,
    health,
    docs: { tokenFor: development ? '/issuer/token-for' : null },
  });
  const { trustedProxies } = configuration;
  const common = { server, logger, metrics, limits, trustedProxies };
  const application = await openApplication({ ...common, module, sockets: SocketAdapter });
  // Stores are closed after the last request: what is added last is closed first.
  lifecycle.onStop('interviews', async () => {
    await interviews.stopped();
    await interviewHost.stop();
  });
  lifecycle.onStop('http', async () => {
    const drained = server.drain(DRAIN_MS);
    await application.get(InterviewGateway).drain(INTERVIEW_DRAIN_MS);
    await drained;
  });
  await projector?.ready;
  logger.info({ url: publicUrl, port: address.port }, 'serving');
  if (!configuration.production) process.stdout.write(announcement(publicUrl, development));
});
