import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { BROWSER_SWITCHES, browserPath as browserHere } from '../../../tools/simulate/browser.js';

/** `undefined`: this machine has none. */
export const browserPath = browserHere();

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
    args: [...BROWSER_SWITCHES, ...more],
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
