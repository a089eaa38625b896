import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { definition } from '../support/organisation.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { answer, enterRoom, focusComesTo, openApply, WAIT_LIMIT_MS, signIn, violations } from './support.js';

/** The service has a transcriber: a candidate who may speak is offered the microphone. */
const SPEECH = { TRANSCRIBER: 'command', TRANSCRIBER_COMMAND: 'echo "Not to be heard."' };
const REQUEST = 'I read slowly, and I would rather type.';

describeInBrowser('a candidate who needs something different', () => {
  let stage: Stage;
  let candidate: Candidate;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage(SPEECH);
    const role = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition('Backend engineer'),
      timeFrameMinutes: 60,
    });
    candidate = await stage.candidate(role.body.id);
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
    await page.addInitScript(
      'navigator.mediaDevices.getUserMedia = () => { throw new Error("The page asked for a microphone."); }',
    );
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  const grant = async (accommodations: object): Promise<void> => {
    stage.owner.follow(candidate.person);
    const { status } = await stage.owner.put(`${candidate.application}/accommodations`, accommodations);
    expect(status).toBe(200);
    candidate.person.follow(stage.owner);
    await candidate.person.get(`${candidate.session}/briefing`);
    // As if the candidate came back from another tab, once the views show the change.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  };

  it('asks for it in words, which staff read', async () => {
    await page.getByText('Plan 60 minutes for the tasks.').waitFor();
    await page.getByText('You can speak or type. The interview takes 60 minutes at most.').waitFor();
    await page.locator('summary').filter({ hasText: 'What would help you?' }).click();
    await page.getByRole('textbox', { name: 'What would help you?' }).fill(REQUEST);
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('Your request was sent on').waitFor();
    await focusComesTo(page, /^h2 Do you need something different/);
    expect(await violations(page)).toEqual([]);
    stage.owner.follow(candidate.person);
    const { body } = await stage.owner.get(candidate.application);
    expect(body).toMatchObject({ accommodationRequest: { text: REQUEST } });
  });

  it('sees what was granted without loading the page again', async () => {
    await grant({ timeFactor: 1.5, typedOnly: true, captions: true });
    await page
      .getByText('Arranged for you: 1.5 times the usual time, typing instead of speaking, captions.')
      .waitFor();
    await page.getByText('Plan 90 minutes for the tasks.').waitFor();
    await page.getByText('You type your answers. The interview takes 90 minutes at most.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('is asked for no microphone, from the check to the interview’s end', async () => {
    await page.getByRole('button', { name: 'Check sound and connection' }).click();
    await page.getByText('You type every answer. No microphone is needed.').waitFor();
    expect(await page.getByRole('button', { name: 'Test the microphone' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Practise with one question' }).click();
    await page.getByRole('textbox', { name: 'Your answer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Answer by voice' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Welcome' }).click();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByText(/90 minutes left of the planned time/).waitFor();
    await page.getByText('You have 90 minutes from its first question on').waitFor();
    await enterRoom(page);
    expect(await page.getByRole('button', { name: 'Turn the microphone on' }).count()).toBe(0);
    await page.getByText(/^(90|89) minutes left$/).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('has the time as staff change it in the middle of the interview', async () => {
    await grant({ timeFactor: 2, typedOnly: true, captions: true });
    await page.getByText(/^(120|119) minutes left$/).waitFor();
    while (await answer(page, 'I wrote a failing test first, and then split the parser in two.'));
    const { body } = await candidate.person.get(candidate.session);
    expect(body).toMatchObject({ status: 'completed' });
  });
});
