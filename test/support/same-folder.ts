import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { type Service, startService } from './service.js';

/** A data folder on which a service is started again and again, at one address, as an operator would. */
export interface Place {
  readonly dataDir: string;
  readonly url: string;
  /** Environment of every start. */
  readonly env: Readonly<Record<string, string>>;
  start(): Promise<Service>;
  remove(): Promise<void>;
}

export const makePlace = async (extra: Readonly<Record<string, string>> = {}): Promise<Place> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-place-'));
  const port = await freePort();
  const env = { PORT: `${port}`, LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...extra };
  return {
    dataDir,
    url: `http://127.0.0.1:${port}`,
    env,
    start: () => startService({ dataDir, env }),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
};
