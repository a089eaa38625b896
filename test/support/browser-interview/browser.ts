import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Where this machine's browser is; `undefined` where there is none. */
export const browserPath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** It asks nobody for anything by itself. */
const args = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  readonly context: BrowserContext;
  /** Leaves no process and no profile behind. */
  close(): Promise<void>;
}

/** @param more further switches of its command line */
export const openBrowser = async (patienceMs: number, more: readonly string[] = []): Promise<Browser> => {
  const profile = await mkdtemp(join(tmpdir(), 'assay-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(browserPath !== undefined && { executablePath: browserPath }),
    headless: true,
    chromiumSandbox: false,
    args: [...args, ...more],
  });
  context.setDefaultTimeout(patienceMs);
  return {
    context,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
};
