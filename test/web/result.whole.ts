import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import { openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { focusComesTo, openApply, overflow, WAIT_LIMIT_MS, signIn, tabTo, violations } from './support.js';

const CONTEST = 'I said that the parser drops the last line, not the first.';
const ANSWER = 'Thank you. We read it as you say.';

interface Contests {
  readonly items: readonly { readonly id: string; readonly text: string; readonly about: object }[];
}

describeInBrowser('a candidate who is done', () => {
  let stage: Stage;
  let candidate: Evaluated;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    stage = await openStage();
    candidate = await evaluated(stage, await stage.role('Backend engineer'));
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  /** As if the candidate came back from another tab. */
  const comeBack = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

  const isAccessible = async (name: string): Promise<void> => {
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const folder = process.env['SCREENSHOTS'];
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true });
    }
  };

  it('contests what was recorded, by keyboard, which staff read', async () => {
    await page.getByRole('heading', { name: 'Is something wrong?' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Your result' }).count()).toBe(0);
    await tabTo(page, /^summary Contest something/);
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('What is it about?').locator('option').allInnerTexts()).toEqual([
      'What was recorded of my words',
    ]);
    await isAccessible('contest');
    await page.getByLabel('Where?').fill('the second question');
    await page.getByLabel('What is wrong?').fill(CONTEST);
    await tabTo(page, /^button Send$/);
    await page.keyboard.press('Enter');
    await page.getByText('Sent. The answer appears here.').waitFor();
    await page.getByText(CONTEST).waitFor();
    await page.getByText('Not answered yet.').waitFor();
    await focusComesTo(page, /^button Send$/);
    await isAccessible('contested');
    const { body } = await stage.owner.get<Contests>(`${candidate.evaluation}/contests`);
    expect(body.items).toMatchObject([
      { about: { kind: 'transcript', reference: 'the second question' }, text: CONTEST },
    ]);
  });

  it('gives feedback once', async () => {
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Choose a number or write something first.').waitFor();
    await page.getByRole('group', { name: 'How easy was this page to use?' }).getByLabel('4').check();
    await page.getByLabel('Anything else?').fill('The tasks were clear.');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Thank you. Your feedback was sent.').waitFor();
    await focusComesTo(page, /^h2 How was it/);
    await page.reload();
    await page.getByText('Thank you. Your feedback was sent.').waitFor();
    const { body } = await candidate.person.get('/me/export');
    expect(JSON.stringify(body)).toContain('"ease":4,"fairness":null,"text":"The tasks were clear."');
  });

  it('asks for erasure in two steps, which staff see', async () => {
    await page.getByRole('button', { name: 'Ask for erasure' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await isAccessible('erasure');
    await page.keyboard.press('Escape');
    await focusComesTo(page, /^button Ask for erasure/);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Ask for erasure' }).click();
    await page.getByText('You asked for erasure on').waitFor();
    await page.reload();
    await page.getByText('You asked for erasure on').waitFor();
    expect(await page.getByRole('button', { name: 'Ask for erasure' }).count()).toBe(0);
    const { body } = await stage.owner.get(candidate.application);
    expect(body).toMatchObject({ erasureRequestedAt: expect.any(String) });
  });

  it('sees the answer, and the result once people have decided', async () => {
    const { owner } = stage;
    const { body } = await owner.get<Contests>(`${candidate.evaluation}/contests`);
    await owner.post(`${candidate.evaluation}/contests/${body.items[0]?.id}/answer`, { text: ANSWER });
    await owner.patch(stage.at(), { candidateResults: 'result_with_explanation' });
    await owner.put(stage.at(`/trial-sessions/${candidate.sessionId}/outcome`), { humanRound: 'passed' });
    await page.getByText('Not answered yet.').waitFor();
    // The page reads once when the candidate comes back: by then all of it is to be seen.
    await eventually(async () => {
      const own = await candidate.person.get<{ released: string }>(
        `/me/evaluations/${candidate.evaluationId}`,
      );
      return own.body.released !== 'nothing';
    });
    await comeBack();
    await page.getByText(ANSWER).waitFor();
    await page.getByRole('heading', { name: 'Your result' }).waitFor();
    await page.getByText(/\d+ of 100 points; 60 were needed/).waitFor();
    await page.getByText('Does it work?').click();
    await page.getByText('The score is based on these parts of the recording:').first().waitFor();
    await isAccessible('result');
    await page.locator('summary').filter({ hasText: 'Contest something' }).click();
    expect(await page.getByLabel('What is it about?').locator('option').count()).toBe(4);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Ihr Ergebnis' }).waitFor();
    await isAccessible('result-de');
    expect(complaints).toEqual([]);
  });
});
