import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { type Candidate, openProvider, openStage, type Provider, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { answer, enterRoom, openApply, WAIT_LIMIT_MS, question, violations } from './support.js';

/** The page renews a token half a minute before it expires. */
const SHORT_SECONDS = 32;
const HOUR_SECONDS = 3_600;
/**
 * Acts repeatedly as if the user came back to the document from another window: then the page asks the service. Notes
 * in the tab's storage if the page shows, while it is leaving, that the user was signed out.
 */
const COME_BACK_OFTEN = `setInterval(() => {
  document.dispatchEvent(new Event('visibilitychange'));
  if (document.body.innerText.includes('You were signed out.')) sessionStorage.setItem('told-while-leaving', 'yes');
}, 200)`;

describeInBrowser('a candidate of the organisation’s provider', () => {
  let provider: Provider;
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({ CANDIDATE_SIGN_IN: 'oidc' }, provider);
    role = await stage.role('Backend engineer');
    browser = await openBrowser(WAIT_LIMIT_MS);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await provider.issuer.close();
  });
  beforeEach(async () => {
    page = await browser.context.newPage();
  });
  afterEach(async () => {
    await page.evaluate('localStorage.clear()');
    await page.close();
  });

  /** Makes the provider sign the candidate in, with tokens of so many seconds. */
  const signsIn = ({ email }: Candidate, seconds: number): void => {
    provider.issuer.visitor = () =>
      provider.issuer.token(provider.keys, {
        sub: `sub-${email.split('@')[0] ?? ''}`,
        email,
        email_verified: true,
        exp: Math.floor(Date.now() / 1_000) + seconds,
      });
  };

  /** Leads the page to the first question. */
  const intoRoom = async (seconds: number): Promise<Candidate> => {
    const candidate = await stage.started(role);
    signsIn(candidate, seconds);
    await openApply(page, stage, candidate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await enterRoom(page);
    return candidate;
  };
  const draft = () => page.getByRole('textbox', { name: 'Your answer' });
  const exported = async ({ person }: Candidate): Promise<string> =>
    JSON.stringify((await person.get('/me/export')).body);

  it('is shown that the sign-in at the provider failed, and signs in again', async () => {
    const candidate = await stage.candidate(role);
    provider.issuer.visitor = null;
    await openApply(page, stage, candidate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('We couldn’t sign you in. The sign-in was cancelled').waitFor();
    expect(await violations(page)).toEqual([]);
    signsIn(candidate, HOUR_SECONDS);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' }).waitFor();
  });

  it('continues when the token expires in the interview, with and without a connection', async () => {
    const candidate = await intoRoom(SHORT_SECONDS);
    const given = provider.issuer.given;
    await draft().fill('Before it expired, ');
    await page.waitForTimeout((SHORT_SECONDS + 2) * 1_000);
    await page.getByText('Saved').waitFor();
    expect(provider.issuer.given).toBeGreaterThan(given);
    await draft().press('End');
    await page.keyboard.type('after it, ');
    // Offline, while the next token expires, too.
    await browser.context.setOffline(true);
    await page.waitForTimeout((SHORT_SECONDS + 2) * 1_000);
    await draft().press('End');
    await page.keyboard.type('and after the tunnel.');
    await browser.context.setOffline(false);
    await page.getByText('Saved').waitFor();
    expect(await answer(page, await draft().inputValue())).toBe(true);
    const data = await exported(candidate);
    expect(data).toContain('Before it expired, after it, and after the tunnel.');
    expect(data.split('"interview.connected"').length - 1).toBeGreaterThanOrEqual(3);
  });

  it('signs in again in mid-word when the provider has forgotten who it is', async () => {
    const candidate = await intoRoom(SHORT_SECONDS);
    await draft().fill('Before I was forgotten, ');
    provider.issuer.visitor = null;
    // While the page leaves to renew the token, requests wait: a second sign-in would get the first one's answer.
    await page.evaluate(COME_BACK_OFTEN);
    await page.route(
      ({ origin, searchParams }) =>
        origin === new URL(provider.issuer.url).origin &&
        searchParams.has('state') &&
        searchParams.get('prompt') !== 'none',
      async (route) => {
        await new Promise((done) => setTimeout(done, 4_000));
        await route.continue();
      },
    );
    await draft().press('End');
    await page.keyboard.type('as I write ', { delay: 150 });
    await page.getByText('You were signed out.').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("told-while-leaving")')).toBeNull();
    await page.unrouteAll();
    expect(await violations(page)).toEqual([]);
    signsIn(candidate, HOUR_SECONDS);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await question(page).waitFor();
    expect(await draft().inputValue()).toBe('Before I was forgotten, as I write ');
    await draft().press('End');
    await page.keyboard.type('and after.');
    expect(await answer(page, await draft().inputValue())).toBe(true);
    expect(await exported(candidate)).toContain('Before I was forgotten, as I write and after.');
  });
});
