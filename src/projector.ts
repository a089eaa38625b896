import { MailQuota } from './clients/mail-quota.js';
import { openMails } from './clients/smtp.js';
import { listenForOperators, statusPages } from './http/status-pages.js';
import { createInterviewCloser } from './interview/create.js';
import { trustedClockOf } from './process/clock.js';
import { readConfiguration } from './process/config.js';
import { createLogger } from './process/log.js';
import { mailHealth, projectorHealth } from './process/service-health.js';
import { publicUrlOf, start, openWhenReachable } from './process/start.js';
import { ErasureMails } from './reactors/mail/erasure.js';
import { statusOf } from './wiring/status.js';
import { startWorkers } from './wiring/workers.js';

/**
 * The process that feeds the views and does the service's background work, beside API processes without a projector.
 */
await start(async (lifecycle) => {
  const configuration = readConfiguration(process.env);
  const { dataDir, servers } = configuration;
  const log = createLogger(configuration.logLevel);
  lifecycle.log(log);
  const operators = await listenForOperators(configuration, lifecycle);
  const stores = await openWhenReachable(configuration, log, lifecycle);
  const ending = createInterviewCloser(stores, configuration, log);
  const mails = openMails(configuration.mail);
  // The outbox is in the memory of the API process that shows it.
  const mailer = mails.outbox ? null : mails.mailer;
  const quota = new MailQuota(stores.vault, stores.hasher, mailer && configuration.mail.perDay);
  const erasures = new ErasureMails(stores.streams, mailer, quota, log);
  const publicUrl = publicUrlOf(configuration, configuration);
  const timekeeper = trustedClockOf(stores, log, lifecycle);
  const working = { log, ending, mailer, quota, erasures, publicUrl, timekeeper };
  const workers = startWorkers(stores, configuration, { ...working, buildWorker: 'this process' });
  lifecycle.onStop('workers', () => workers.stop());
  lifecycle.onStop('erasure mails', () => erasures.stop());
  const { projector } = workers;
  const own = {
    projector,
    clock: timekeeper,
    health: [projectorHealth(projector), mailHealth(mailer)],
    sending: null,
  };
  const { health, metrics } = statusOf(stores, configuration, own);
  operators.open(statusPages(health, metrics));
  // Waiting for events does not keep a process alive; a timer does.
  setInterval(() => undefined, 60 * 60 * 1_000);
  log.info(servers ? {} : { dataDir }, 'The projector works.');
});
