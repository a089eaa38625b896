import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser.js';
import { codeSentTo, mailsTo } from '../support/candidate-sign-in.js';
import { missingForMongoServer } from '../support/mongodb/server.js';
import { invite } from '../support/organisation.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { answer, violations, enterRoom, signInByCode } from '../web/support.js';
import { type ArrangedStage, arrangedStage } from './arranged-stage.js';
import { arrange, type Arrangement } from './arrangement.js';
import { TcpBalancer } from './tcp-balancer.js';

const WAIT_LIMIT_MS = 60_000;
const canTry = missingForMongoServer() === null && browserPath !== undefined;

// What is missing is reported by `.ci/run`.
(canTry ? describe : describe.skip)('pages on servers, with two API processes', () => {
  let mails: MailServer;
  let balancer: TcpBalancer;
  let arrangement: Arrangement;
  let arranged: ArrangedStage;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    mails = await openMailServer();
    const ports: number[] = [];
    balancer = await TcpBalancer.open(ports);
    arrangement = await arrange({
      projectors: 1,
      env: { ...mailsTo(mails), CANDIDATE_SIGN_IN: 'email', PUBLIC_URL: balancer.url },
    });
    ports.push(...arrangement.urls.map((url) => Number(new URL(url).port)));
    arranged = await arrangedStage(arrangement, balancer.url);
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await arrangement.remove();
    await balancer.close();
    await mails.close();
  });

  it('take a candidate from the mail to the receipt, whichever process answers, and while each of them is killed', async () => {
    const email = 'candidate@example.org';
    const { stage, role } = arranged;
    const { applicationId } = await invite(stage.owner, stage.org, role, email);
    await page.goto(await linkMailedTo(email));
    expect(page.url()).toBe(`${balancer.url}/apply/${applicationId}`);
    await signInByCode(page, email, () => codeSentTo(mails, email));
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start now' }).click();
    await enterRoom(page);
    const draft = page.getByRole('textbox', { name: 'Your answer' });
    const said: string[] = [];
    for (const api of arrangement.apis) {
      await draft.fill('While a process was killed ');
      await api.kill();
      await draft.press('End');
      await page.keyboard.type(`I wrote ${said.length + 1} tests.`);
      said.push(await draft.inputValue());
      expect(await answer(page, await draft.inputValue())).toBe(true);
      await api.start();
    }
    expect(await violations(page)).toEqual([]);
    while (await answer(page, 'I split the parser in two.'));
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download my data' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloaded).createReadStream()) chunks.push(chunk as Buffer);
    const data = Buffer.concat(chunks).toString();
    for (const text of said) expect(data.split(text)).not.toHaveLength(1);
    await received(email, /is complete/);
  });

  it('keep what staff type in the console, and save it, while each process is killed', async () => {
    const { stage, role } = arranged;
    await page.goto(`${balancer.url}/console/${stage.org}/roles/${role}/edit`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill('owner@example.org');
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const [at, api] of arrangement.apis.entries()) {
      const name = page.getByLabel('Role', { exact: true });
      await name.fill('Typed before');
      await api.kill();
      await name.press('End');
      await page.keyboard.type(` and after kill ${at + 1}`);
      await page.getByRole('button', { name: 'Save role' }).click();
      await page.getByRole('heading', { level: 1, name: `Typed before and after kill ${at + 1}` }).waitFor();
      await api.start();
      await page.getByRole('link', { name: 'Edit role' }).click();
    }
  });

  /** The link of the invitation's mail. */
  const linkMailedTo = async (email: string): Promise<string> => {
    const { text } = await received(email, /\/apply\//);
    return /https?:\S+\/apply\/\S+/.exec(text)?.[0] ?? '';
  };

  const received = async (email: string, what: RegExp): Promise<{ readonly text: string }> => {
    const deadline = performance.now() + WAIT_LIMIT_MS;
    for (;;) {
      const mail = mails.received.find(({ to, text }) => to.includes(email) && what.test(text));
      if (mail) return mail;
      if (performance.now() > deadline) throw new Error(`No such mail came to ${email}: ${String(what)}.`);
      await page.waitForTimeout(100);
    }
  };
});
