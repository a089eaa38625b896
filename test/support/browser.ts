import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { BROWSER_SWITCHES, browserPath as browserHere } from '../../tools/simulate/browser.js';

/** The path of this machine's Chromium; `undefined`: it has none. */
export const browserPath = browserHere();

export interface Browser {
  readonly context: BrowserContext;
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

/** The key of the functions whose text `test/jest/environment.mjs` adds to a test's error. */
const AT_FAILURE = Symbol.for('assay.atFailure');
const MAX_SHOWN = 1_500;

/** The address and the text of each page of a browser. */
const shownIn = async (context: BrowserContext): Promise<string> => {
  const open = context.pages().filter((page) => page.url() !== 'about:blank');
  const shown = open.map(async (page) => {
    const text = await page.innerText('body', { timeout: 2_000 }).catch((error: unknown) => String(error));
    return `${page.url()} showed: ${text.slice(0, MAX_SHOWN)}`;
  });
  return (await Promise.all(shown)).join('\n\n');
};

/**
 * Opens Chromium with a profile of its own. Close it.
 * @param patienceMs timeout of each action on a page
 * @param more further switches of the command line
 */
export const openBrowser = async (patienceMs: number, more: readonly string[] = []): Promise<Browser> => {
  const profile = await mkdtemp(join(tmpdir(), 'assay-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(browserPath !== undefined && { executablePath: browserPath }),
    headless: true,
    chromiumSandbox: false,
    args: [...BROWSER_SWITCHES, ...more],
  });
  context.setDefaultTimeout(patienceMs);
  const describe = () => shownIn(context);
  // `undefined` outside of Jest.
  const atFailure = Reflect.get(globalThis, AT_FAILURE) as Set<typeof describe> | undefined;
  atFailure?.add(describe);
  return {
    context,
    close: async () => {
      atFailure?.delete(describe);
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
};
