import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export type { Browser } from 'playwright-core';

/** There is no browser to drive; the message is for the user. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser';
}

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where this machine's browser is: what CHROMIUM names, and nothing else if that is set; `undefined`: there is none. */
export const browserPath = (chromium = process.env['CHROMIUM']): string | undefined =>
  (chromium ? [chromium] : PLACES).find((path) => existsSync(path));

/** With these a browser looks for no updates, syncs nothing, and sends no other requests on its own. */
export const BROWSER_SWITCHES = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @throws {NoBrowser} */
export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = browserPath();
  if (executablePath === undefined)
    throw new NoBrowser(
      '--web drives Chromium, and there is none: install it (Debian: apt install chromium), or name it by CHROMIUM.',
    );
  const { chromium } = await driver();
  return chromium.launch({ executablePath, headless: true, chromiumSandbox: false, args: BROWSER_SWITCHES });
};

/** A package for development: a service in production lacks it. */
const driver = async (): Promise<typeof import('playwright-core')> => {
  try {
    return await import('playwright-core');
  } catch (error) {
    throw new NoBrowser('--web needs the package playwright-core: run it where `npm install` has run.', {
      cause: error,
    });
  }
};
