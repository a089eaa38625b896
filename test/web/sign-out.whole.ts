import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser-interview/browser.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { openApply, signIn, violations } from './support.js';

const PATIENCE_MS = 60_000;
const SIGN_OUT = '**/candidate/sign-out';

// Without one there is nothing to try, which `.ci/run` reports as skipped.
(browserPath === undefined ? describe.skip : describe)('a sign-out', () => {
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

  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const signedIn = async (): Promise<Candidate> => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await button('Sign out').waitFor();
    return candidate;
  };
  const unreached = () =>
    page.getByRole('heading', { level: 1, name: 'The sign-out did not reach the service' });

  it.each(['answers 503', 'breaks', 'never answers'])(
    'that %s is not called done, is made good by "Try again", and lets nobody in meanwhile',
    async (fault) => {
      const candidate = await signedIn();
      await browser.context.route(SIGN_OUT, async (route) => {
        if (fault === 'answers 503') await route.fulfill({ status: 503, json: {} });
        else if (fault === 'breaks') await route.abort();
      });
      await button('Sign out').click();
      await unreached().waitFor();
      expect(await page.getByText('You are signed out').isVisible()).toBe(false);
      expect(await page.locator('body').innerText()).not.toContain(candidate.email);
      expect(await violations(page)).toEqual([]);
      // The next person opens the link, in this tab or another one.
      const next = await browser.context.newPage();
      await openApply(next, stage, candidate);
      await next.getByText('The sign-out did not reach the service').waitFor();
      expect(await next.locator('body').innerText()).not.toContain('Backend engineer');
      await next.close();
      await browser.context.unroute(SIGN_OUT);
      await button('Try again').click();
      await page.getByText('You are signed out.').waitFor();
      await button('Sign in').click();
      await page.getByLabel('E-mail address').waitFor();
    },
  );

  it('while the application is still being read shows nothing of it when it comes', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const read = `**/applications/${candidate.applicationId}`;
    await browser.context.route(read, async (route) => {
      await held;
      await route.continue();
    });
    await browser.context.route(SIGN_OUT, (route) => route.abort());
    await signIn(page, stage, candidate.email);
    await button('Sign out').click();
    await unreached().waitFor();
    const answered = page.waitForResponse(read);
    release();
    await (await answered).finished();
    // Long enough to be drawn.
    await page.waitForTimeout(500);
    expect(await unreached().isVisible()).toBe(true);
    expect(await page.locator('body').innerText()).not.toContain('Backend engineer');
  });

  it('that did not reach the service is made good at the next start before anything else', async () => {
    const candidate = await signedIn();
    await browser.context.route(SIGN_OUT, (route) => route.abort());
    await button('Sign out').click();
    await unreached().waitFor();
    await browser.context.unroute(SIGN_OUT);
    const told = page.waitForResponse((response) => response.url().endsWith('/candidate/sign-out'));
    await openApply(page, stage, candidate);
    expect((await told).ok()).toBe(true);
    await button('Sign in').click();
    await page.getByLabel('E-mail address').waitFor();
  });

  it('is one in all tabs', async () => {
    const candidate = await signedIn();
    const other = await browser.context.newPage();
    await openApply(other, stage, candidate);
    await button('Sign out', other).waitFor();
    await button('Sign out').click();
    await other.getByText('You are signed out.').waitFor();
    expect(await other.locator('body').innerText()).not.toContain(candidate.email);
  });
});
