import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser-interview/browser.js';
import { eventually } from '../support/organisation.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { answer, enterRoom, openApply, question, signIn, wrongBy } from './support.js';

const PATIENCE_MS = 60_000;
const HOUR_MS = 3_600_000;
const TEXT = 'I wrote a failing test first, and then split the parser in two.';

// Without one there is nothing to try, which `.ci/run` reports as skipped.
(browserPath === undefined ? describe.skip : describe)('a device whose clock is wrong', () => {
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage();
    role = await stage.role('Backend engineer');
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    browser = await openBrowser(PATIENCE_MS);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  const intoRoom = async (): Promise<Candidate> => {
    const candidate = await stage.started(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await enterRoom(page);
    return candidate;
  };
  /** The minutes left, as the page has them somewhere. */
  const minutesLeft = async (): Promise<number> =>
    Number(/(\d+) minutes? left/.exec((await page.locator('main').textContent()) ?? '')?.[1]);

  it.each([2 * HOUR_MS, -2 * HOUR_MS])(
    'by %d ms: sign-in, countdown and evidence go by the service’s time',
    async (ms) => {
      await page.addInitScript(wrongBy(ms));
      const candidate = await intoRoom();
      expect(await minutesLeft()).toBeGreaterThanOrEqual(59);
      expect(await minutesLeft()).toBeLessThanOrEqual(60);
      expect(await answer(page, TEXT)).toBe(true);
      await page.reload();
      await question(page).waitFor();
      expect(await minutesLeft()).toBeGreaterThanOrEqual(58);
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', 'some words');
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      })()`);
      const pasted = await eventually(async () => {
        const { body } = await candidate.person.get('/me/export');
        return /"clipboard\.pasted"[^}]*\}[^}]*"occurredAt":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
      });
      expect(Math.abs(Date.parse(pasted) - Date.now())).toBeLessThan(5 * 60_000);
    },
  );

  it.each([3 * HOUR_MS, -3 * HOUR_MS])(
    'that jumps by %d ms in the interview signs nobody out and changes no countdown',
    async (ms) => {
      await page.addInitScript(wrongBy(0));
      await intoRoom();
      await page.evaluate(`globalThis.jump(${ms})`);
      expect(await answer(page, TEXT)).toBe(true);
      await page.waitForTimeout(4_000);
      expect(await minutesLeft()).toBeGreaterThanOrEqual(58);
      expect(await minutesLeft()).toBeLessThanOrEqual(60);
      expect(await answer(page, `${TEXT} Twice.`)).toBe(true);
      expect(await page.getByText('You were signed out').isVisible()).toBe(false);
    },
  );
});
