import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Candidate, openProvider, openStage, type Provider, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { enterRoom, openApply, question, violations } from './support.js';

const WAIT_LIMIT_MS = 90_000;

describeInBrowser('a provider on another site, its tokens on a third, without cookies in frames', () => {
  let provider: Provider;
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    provider = await openProvider();
    // The token endpoint has another origin, as that of some providers.
    provider.issuer.tokensAt = provider.issuer.url.replace('127.0.0.1', 'localhost');
    stage = await openStage({ CANDIDATE_SIGN_IN: 'oidc' }, provider);
    role = await stage.role('Backend engineer');
  });
  afterAll(async () => {
    await stage.close();
    await provider.issuer.close();
  });
  beforeEach(async () => {
    Object.assign(provider.issuer, { frames: false, refreshes: false, refreshed: 0 });
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  /** Leads the page to the first question, with tokens of so many seconds. */
  const intoRoom = async (seconds: number): Promise<Candidate> => {
    const candidate = await stage.started(role);
    const { email } = candidate;
    provider.issuer.visitor = () =>
      provider.issuer.token(provider.keys, {
        ...{ sub: `sub-${email.split('@')[0] ?? ''}`, email, email_verified: true },
        exp: Math.floor(Date.now() / 1_000) + seconds,
      });
    await openApply(page, stage, candidate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await enterRoom(page);
    return candidate;
  };
  const draft = () => page.getByRole('textbox', { name: 'Your answer' });
  const loads = (): { readonly count: number } => {
    const counted = { count: 0 };
    page.on('load', () => (counted.count += 1));
    return counted;
  };

  it('renews by refresh tokens if there are some, without leaving', async () => {
    provider.issuer.refreshes = true;
    await intoRoom(50);
    const left = loads();
    await draft().fill('All the while, ');
    await eventually(async () => provider.issuer.refreshed > 0, WAIT_LIMIT_MS);
    await page.waitForTimeout(30_000);
    await page.getByText('Saved').waitFor();
    expect([left.count, await draft().inputValue()]).toEqual([0, 'All the while, ']);
  });

  it('else warns, leaves before the token ends, and comes back to the same question with the draft', async () => {
    await intoRoom(90);
    const asked = await question(page).innerText();
    await draft().fill('Before I left, ');
    await page.getByText('You will be taken to the sign-in page and back within 1 minute.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.waitForEvent('load');
    await question(page).filter({ hasText: asked }).waitFor();
    expect(await draft().inputValue()).toBe('Before I left, ');
  });

  it('signs in again after a reload by leaving once, and shows the button if nobody is known there', async () => {
    await intoRoom(3_600);
    await draft().fill('Before the reload, ');
    await page.reload();
    await question(page).waitFor();
    expect(await draft().inputValue()).toBe('Before the reload, ');
    provider.issuer.visitor = null;
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const after = loads();
    await page.waitForTimeout(3_000);
    expect(after.count).toBe(0);
  });
});
