import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, violations } from './support.js';

/** The owner of a stage. */
export const OWNER = 'owner@example.org';
/** The folder for pictures of the pages, if they are wanted. */
const PICTURES = process.env['CONSOLE_PICTURES'];

/** Signs in by the development issuer, from the open page. */
export const signInAs = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Follows a link that is not on the page, without reloading the console. */
export const follow = (page: Page, address: string): Promise<undefined> =>
  page.evaluate<undefined>(
    `(() => { const link = document.createElement('a'); link.href = ${JSON.stringify(address)}; document.body.append(link); link.click(); link.remove(); })()`,
  );

/** Expects no finding of axe and no overflow, in both colour schemes and at both widths. */
export const expectSound = async (page: Page, name: string): Promise<void> => {
  for (const [width, colorScheme] of [
    [1_280, 'light'],
    [1_280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
    [320, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([name, width, colorScheme, await overflow(page)]).toEqual([name, width, colorScheme, 0]);
    // In its own place the bar of a selection hides nothing. Elsewhere it is over rows that can be scrolled.
    await page.evaluate(`if (document.querySelector('.bulk')) scrollTo(0, document.body.scrollHeight)`);
    if (width !== 320) expect(await violations(page)).toEqual([]);
    if (PICTURES !== undefined)
      await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
};

/** Collects, from now on, what the browser reports as an error and what a script throws. */
export const troubles = (page: Page): readonly string[] => {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[134]/.test(message.text())) found.push(message.text());
  });
  return found;
};
