import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, violations } from './support.js';

/** The owner of a stage. */
export const OWNER = 'owner@example.org';
/** Where pictures of the pages are kept, if anywhere. */
const PICTURES = process.env['CONSOLE_PICTURES'];

/** By the development issuer, from the page that is open. */
export const signInAs = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Follows a link that the page does not have, without loading the console anew. */
export const follow = (page: Page, address: string): Promise<undefined> =>
  page.evaluate<undefined>(
    `(() => { const link = document.createElement('a'); link.href = ${JSON.stringify(address)}; document.body.append(link); link.click(); link.remove(); })()`,
  );

/** The page in both schemes and at both widths: nothing that axe finds, nothing wider than the window. */
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
    if (width !== 320) expect(await violations(page)).toEqual([]);
    if (PICTURES !== undefined)
      await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png` });
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
};

/** What the browser refused or a script threw, from now on. */
export const troubles = (page: Page): readonly string[] => {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[134]/.test(message.text())) found.push(message.text());
  });
  return found;
};
