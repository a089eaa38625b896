import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser.js';
import { type Service, startService } from '../support/service.js';

const WAIT_LIMIT_MS = 60_000;

// Without a browser the suite is skipped, which `.ci/run` reports.
(browserPath === undefined ? describe.skip : describe)('in a browser', () => {
  let service: Service;
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let foreign: string[];

  beforeAll(async () => {
    service = await startService({ env: { LOG_LEVEL: 'warn' } });
    browser = await openBrowser(WAIT_LIMIT_MS);
    browser.context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.url) foreign.push(request.url());
    });
  });
  afterAll(async () => {
    await browser.close();
    await service.kill();
  });

  beforeEach(async () => {
    [complaints, foreign] = [[], []];
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
  });

  it('somebody signs in at /docs, sends GET /me and sees who they are', async () => {
    await page.goto(`${service.url}/docs`);
    await page.getByRole('textbox', { name: 'as', exact: true }).fill('olga@example.org');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as olga@example.org').waitFor();

    const operation = page.locator('.opblock', {
      has: page.locator('.opblock-summary-path[data-path="/me"]'),
    });
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('.response-col_status', { hasText: '200' }).waitFor();
    const text = await answer.innerText();
    expect(text).toContain('"email": "olga@example.org"');
    expect(text).toContain('"memberships": []');
  });

  it('an operation at /docs is no wider than a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${service.url}/docs`);
    const operation = page.locator('.opblock', { hasText: 'Create a role' }).first();
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.operation-link').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('a token pasted at /docs that is none is refused in a sentence', async () => {
    await page.goto(`${service.url}/docs`);
    await page.getByRole('textbox', { name: 'with an ID token' }).fill('nonsense');
    await page.getByRole('button', { name: 'Use it' }).click();
    const said = page.getByRole('status');
    await page.locator('#who.failed').waitFor();
    expect(await said.innerText()).toMatch(/^[a-z].*token/i);
    // The browser itself reports the 401.
    complaints = complaints.filter((complaint) => !complaint.includes('status of 401'));
  });

  it('anybody signs in at /issuer and gets an ID token that the service takes', async () => {
    await page.goto(`${service.url}/issuer`);
    await page.getByLabel('E-mail address').fill('carol@example.org');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Signed in' }).waitFor();
    const token = await page.getByLabel('ID token').inputValue();
    expect(token.split('.')).toHaveLength(3);
    const me = await fetch(`${service.url}/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ email: 'carol@example.org', emailVerified: true });
  });
});
