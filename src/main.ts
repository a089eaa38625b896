import { readConfiguration } from './process/config.js';
import { announcement, start } from './process/start.js';
import { serve } from './wiring/serve.js';

/** The service, configured by the environment. */
await start(async (lifecycle) => {
  const configuration = readConfiguration(process.env);
  const { publicUrl, development, outbox } = await serve(lifecycle, configuration);
  if (configuration.production) return;
  const hasChecker = configuration.checker.kind === 'command';
  process.stdout.write(announcement(publicUrl, development, outbox, hasChecker));
});
