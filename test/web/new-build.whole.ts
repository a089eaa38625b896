import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser-interview/browser.js';
import { eventually } from '../support/organisation.js';
import { openStage, type Stage } from '../support/stage.js';
import { openApply, signIn, violations } from './support.js';

const PATIENCE_MS = 60_000;

// Without one there is nothing to try, which `.ci/run` reports as skipped.
(browserPath === undefined ? describe.skip : describe)('a page whose files are gone', () => {
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
    browser = await openBrowser(PATIENCE_MS, ['--use-fake-device-for-media-stream']);
    await browser.context.grantPermissions(['microphone']);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  it.each([
    ['is gone', { status: 404, body: '{}' }],
    [
      'is of a later language than the browser’s',
      { contentType: 'text/javascript', body: 'let = #new syntax;' },
    ],
  ])('says what to do if its script %s', async (_, answer) => {
    await page.route(/assets\/app-/, (route) => route.fulfill(answer));
    await openApply(page, stage, await stage.candidate(role));
    await page.getByText('This page did not load completely.').waitFor();
    await page.getByText('Diese Seite wurde nicht vollständig geladen.').waitFor();
    await page.unroute(/assets\/app-/);
    await page.getByRole('link', { name: 'Load the page again' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('did not load completely').count()).toBe(0);
  });

  it('loads itself again where nothing is lost, once, and then says so', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await page.getByRole('button', { name: 'Check microphone and sound' }).click();
    await page.route(/assets\/worklet-/, (route) => route.fulfill({ status: 404, body: '{}' }));
    // A browser fetches a worklet past the test's routes: it fails as Chromium's does for a 404.
    const breaks = `AudioWorklet.prototype.addModule = async () => { throw new DOMException('Unable to load a worklet module.', 'AbortError'); }`;
    await page.evaluate(breaks);
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await page.getByRole('button', { name: 'Test the microphone' }).click();
    await eventually(async () => loads.length === 1);
    await page.evaluate(breaks);
    await page.getByRole('heading', { level: 1, name: 'Check your sound' }).waitFor();
    await page.getByRole('button', { name: 'Test the microphone' }).click();
    await page.getByText('The service has a new version of this page.').waitFor();
    await page.getByText('The microphone needs the new version of this page.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(loads).toHaveLength(1);
    await page.unroute(/assets\/worklet-/);
    await page.getByRole('button', { name: 'Load the page again' }).click();
    await page.getByRole('button', { name: 'Test the microphone' }).click();
    await page
      .getByText('Speak: the bar moves with your voice.')
      .or(page.getByText('Your microphone works.'))
      .waitFor();
  });
});
