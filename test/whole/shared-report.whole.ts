import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser-interview/browser.js';
import { evaluated, type NewLink } from '../support/shared-report.js';
import { openStage, type Stage } from '../support/stage.js';

// Without one there is nothing to try, which `.ci/run` reports as skipped.
(browserPath === undefined ? describe.skip : describe)('a shared report in a browser', () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;
  let link: NewLink;
  const complaints: string[] = [];
  const requested: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
    const evaluation = await evaluated(stage, await stage.role('Backend <b>engineer</b>'));
    link = (await stage.owner.post<NewLink>(`${evaluation.evaluation}/share-links`)).body;
    browser = await openBrowser(60_000);
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => requested.push(request.url()));
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** How much of a bar is filled, in hundredths. */
  const drawn = async (bar: number): Promise<number> => {
    const rectangles = page.locator('.bar').nth(bar).locator('rect');
    const [track, score] = await Promise.all([
      rectangles.first().boundingBox(),
      rectangles.last().boundingBox(),
    ]);
    return Math.round((100 * (score?.width ?? 0)) / (track?.width ?? 1));
  };

  it.each([
    ['on a desk', 1_280],
    ['on a phone', 360],
  ])('%s is shown in full, in its own style, and loads nothing', async (_, width) => {
    await page.setViewportSize({ width, height: 800 });
    requested.length = 0;
    await page.goto(link.url);
    await page.getByRole('heading', { name: 'Backend <b>engineer</b>' }).waitFor();
    await page.getByRole('img', { name: /^Overall score \d+ of 100$/ }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(2);
    const figures = (await page.locator('.figure').allTextContents()).map(Number);
    expect(await Promise.all(figures.map((_, bar) => drawn(bar)))).toEqual(figures);
    const [wide, fill] = await page.evaluate<[number, string]>(`[
      document.documentElement.scrollWidth - innerWidth,
      getComputedStyle(document.querySelector('.bar .score')).fill,
    ]`);
    expect(wide).toBeLessThanOrEqual(0);
    // Black is what nobody has given a colour: a style that its policy does not let in.
    expect(fill).not.toBe('rgb(0, 0, 0)');
    expect(requested).toEqual([link.url]);
    expect(complaints).toEqual([]);
  });
});
