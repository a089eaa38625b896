import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { openProvider, openStage, type Provider, type Stage } from '../support/stage.js';
import { expectSound, heading, OWNER, troubles } from './console-support.js';
import { describeInBrowser } from './scene.js';
import { WAIT_LIMIT_MS } from './support.js';

/** The console renews a token half a minute before it ends. */
const SHORT_SECONDS = 32;
const HOUR_SECONDS = 3_600;

describeInBrowser('the console with a provider on another site, without cookies in frames', () => {
  let provider: Provider;
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    role = await stage.role('Backend engineer');
    await stage.owner.post(stage.at('/members'), { email: 'second@example.org', role: 'admin' });
  });
  afterAll(async () => {
    await stage.close();
    await provider.issuer.close();
  });
  beforeEach(async () => {
    Object.assign(provider.issuer, { frames: false, refreshes: false, refusesRefresh: false, refreshed: 0 });
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  /** Makes the provider sign every visitor in as this person, with tokens of so many seconds. */
  const signsInAs = (email: string, seconds: number): void => {
    provider.issuer.visitor = () =>
      provider.issuer.token(provider.keys, {
        ...{ sub: `sub-${email.split('@')[0] ?? ''}`, email, email_verified: true },
        exp: Math.floor(Date.now() / 1_000) + seconds,
      });
  };
  const open = async (path: string): Promise<void> => {
    await page.goto(`${stage.service.url}/console/${stage.org}/${path}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const name = () => page.getByLabel('Role', { exact: true });

  it('signs in again in a window of its own, and what was typed stays', async () => {
    const wrong = troubles(page);
    signsInAs(OWNER, SHORT_SECONDS);
    await open(`roles/${role}/edit`);
    await heading(page, 'Edit role').waitFor();
    await name().fill('Typed before the sign-in ended');
    const windows = browser.context.pages().length;
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.waitForTimeout((SHORT_SECONDS - 28) * 1_000);
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('Sign in again: a window opens, and this page stays as it is.').waitFor();
    await expectSound(page, 'sign-in-ended');

    // Another person signs in: this page stays signed out.
    signsInAs('second@example.org', HOUR_SECONDS);
    const again = page.getByRole('button', { name: 'Sign in again' }).first();
    await again.click();
    await page.getByText('Somebody else has signed in.').waitFor();

    provider.issuer.visitor = null;
    await again.click();
    await page.getByText('We couldn’t sign you in. Try again: this page stays as it is.').waitFor();

    signsInAs(OWNER, HOUR_SECONDS);
    await again.click();
    await again.waitFor({ state: 'detached' });
    expect([loads, await name().inputValue()]).toEqual([0, 'Typed before the sign-in ended']);
    await eventually(async () => browser.context.pages().length === windows, WAIT_LIMIT_MS);
    await page.getByRole('button', { name: 'Save role' }).click();
    await heading(page, 'Typed before the sign-in ended').waitFor();
    expect(wrong).toEqual([]);
  });

  it('renews by refresh tokens, stays signed in over a reload, and signs out of the provider too', async () => {
    provider.issuer.refreshes = true;
    signsInAs(OWNER, SHORT_SECONDS);
    await open('roles');
    await heading(page, 'Roles').waitFor();
    await page.waitForTimeout((SHORT_SECONDS - 28) * 1_000);
    await page.getByRole('link', { name: 'Candidates' }).click();
    await heading(page, 'Candidates').waitFor();
    await eventually(async () => provider.issuer.refreshed > 0, WAIT_LIMIT_MS);
    await page.reload();
    await heading(page, 'Candidates').waitFor();
    await page.getByText(OWNER).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in to Assay').waitFor();
    expect(provider.issuer.visitor).toBeNull();
  });

  it('does not sign in the address of a link: only the development issuer does', async () => {
    signsInAs('second@example.org', HOUR_SECONDS);
    const asked = `/console/${stage.org}/roles#as=${encodeURIComponent('second@example.org')}`;
    await page.goto(stage.service.url + asked);
    await heading(page, 'Sign in to Assay').waitFor();
    expect(page.url()).toBe(stage.service.url + asked);
  });

  it('works without refresh tokens if the provider refuses them to this client', async () => {
    provider.issuer.refusesRefresh = true;
    signsInAs(OWNER, HOUR_SECONDS);
    await open('roles');
    await heading(page, 'Roles').waitFor();
    await page.reload();
    await heading(page, 'Roles').waitFor();
  });
});
