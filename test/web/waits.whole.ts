import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser-interview/browser.js';
import { openStage, type Stage } from '../support/stage.js';
import { answer, enterRoom, openApply, signIn, violations } from './support.js';

const PATIENCE_MS = 60_000;
const TEXT = 'I wrote a failing test first, and then split the parser in two.';

// Without one there is nothing to try, which `.ci/run` reports as skipped.
(browserPath === undefined ? describe.skip : describe)('a wait of the page has an end', () => {
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

  const welcome = () => page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The first so many requests of that address get no answer. */
  const hang = (pattern: RegExp, count: number): Promise<unknown> =>
    browser.context.route(pattern, (route: Route) => {
      count -= 1;
      return count < 0 ? route.continue() : undefined;
    });
  const signedIn = async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await welcome().waitFor();
    return candidate;
  };

  it('at the start: what hangs is tried again, and says what it waits for', async () => {
    await hang(/apply\/config\.json/, 1);
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await page.getByText('Waiting for the service to answer').waitFor();
    await button('Try again').waitFor();
    await button('Sign in').waitFor();
  });

  it('at the start: the candidate can begin again without waiting', async () => {
    await hang(/apply\/config\.json/, 1);
    await openApply(page, stage, await stage.candidate(role));
    await button('Try again').click();
    await button('Sign in').waitFor({ timeout: 7_000 });
  });

  it('of the sign-in: the exchange of a code', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await hang(/candidate\/token$/, 1);
    await signIn(page, stage, candidate.email);
    await welcome().waitFor();
  });

  it('of the sign-in: the provider’s metadata, whose button can be pressed again', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await hang(/openid-configuration$/, 1);
    await button('Sign in').click();
    await page.getByText('The service cannot be reached').waitFor();
    await button('Try again').click();
    await signIn(page, stage, candidate.email);
    await welcome().waitFor();
  });

  it('of reads and commands: each is tried again as the same command', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/(start|briefing)$/, 1);
    await page.getByRole('checkbox').check();
    await button('Start now').click();
    await page.getByRole('status').filter({ hasText: 'Waiting for the service to start' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  });

  it('of a button: the candidate can leave it, and press it again', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/start$/, 1);
    await page.getByRole('checkbox').check();
    await button('Start now').click();
    await button('Stop waiting').click();
    await page.getByText('The start did not succeed.').waitFor();
    await button('Start now').click();
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  });

  it('of the sound check: a connection that answers nothing is said to', async () => {
    await signedIn();
    await button('Check microphone and sound').click();
    await hang(/health\/live$/, 1);
    await button('Test the connection').click();
    await page.getByText('No answer. Check your connection.').waitFor({ timeout: 20_000 });
  });

  it('of a button: a sign-out ends it too', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/start$/, 1);
    await page.getByRole('checkbox').check();
    await button('Start now').click();
    await button('Stop waiting').waitFor();
    await button('Sign out').click();
    await page.getByText('You are signed out.').waitFor();
    expect(await button('Stop waiting').count()).toBe(0);
  });

  it('while one request in ten hangs, from the sign-in to the receipt', async () => {
    let requests = 0;
    await browser.context.route(/\/(applications|trial-sessions|me|apply\/config|candidate)\b/, (route) => {
      requests += 1;
      return requests % 10 === 0 && route.request().resourceType() === 'fetch' ? undefined : route.continue();
    });
    await signedIn();
    await page.getByRole('checkbox').check();
    await button('Start now').click();
    await enterRoom(page);
    while (await answer(page, TEXT)) continue;
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    expect(requests).toBeGreaterThan(10);
  });
});
