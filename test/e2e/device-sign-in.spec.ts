import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api } from '../support/api.js';
import { mailsTo } from '../support/candidate-sign-in.js';
import { askForDeviceCode, DevicePage, tokensOf } from '../support/device-sign-in.js';
import { freePort } from '../support/free-port.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { type Service, startService, wrongClock } from '../support/service.js';
import { Browser } from '../support/sign-in-client.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { payloadOf } from '../support/tokens.js';

describe('the sign-in of a program by a device code', () => {
  let mails: MailServer;
  let service: Service;
  let twin: Service;
  let later: Service;
  let issuer: string;
  let twinIssuer: string;
  let api: Api;
  let applicationId: string;
  const email = 'carol@example.org';

  const beside = async (env: Readonly<Record<string, string>>): Promise<Service> =>
    startService({
      dataDir: service.dataDir,
      env: { ...env, PUBLIC_URL: service.url, PORT: String(await freePort()) },
    });
  const openPage = (at = service): DevicePage => new DevicePage(new Browser(at.url));

  beforeAll(async () => {
    mails = await openMailServer();
    const env = { ...mailsTo(mails), RATE_LIMITS: 'off' };
    service = await startService({ env });
    twin = await beside(env);
    later = await beside({ ...env, PROJECTOR: 'off', ...wrongClock(11 * 60_000) });
    issuer = `${service.url}/candidate`;
    twinIssuer = `${twin.url}/candidate`;
    api = new Api(service.url);
    const org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
    const owner = await api.as('owner@example.org');
    const role = (await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition())).body.id;
    ({ applicationId } = await invite(owner, org, role, email));
  });
  afterAll(async () => {
    await later.stop();
    await twin.stop();
    await service.stop();
    await mails.close();
  });

  it('gives the program the candidate’s tokens once the candidate has confirmed, over two processes', async () => {
    const asked = await askForDeviceCode(issuer);
    expect(asked.verification_uri).toBe(`${issuer}/device`);
    expect(asked.expires_in).toBe(600);
    expect(asked.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const device = asked.device_code;
    expect(await tokensOf(twinIssuer, { device })).toMatchObject({
      status: 400,
      error: 'authorization_pending',
    });
    expect(await tokensOf(issuer, { device })).toMatchObject({ status: 400, error: 'slow_down' });
    const page = openPage();
    // In lower case and with a space, as people type it.
    const entered = await page.enter(asked.user_code.toLowerCase().replace('-', ' '));
    const confirm = await page.signIn(entered, mails, email);
    const question = await (await page.browser.go(confirm)).text();
    expect(question).toContain('The program assay-work asks to act as carol@example.org');
    expect(question).toContain(asked.user_code);
    expect(question).toContain('Go on only if you started the program yourself');
    const confirming = new DevicePage(page.browser.at(twin.url));
    expect(await confirming.answer(confirm, 'confirm')).toContain('The program is signed in');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const tokens = await tokensOf(issuer, { device });
    expect(tokens.status).toBe(200);
    expect(payloadOf(tokens.id_token!)).toMatchObject({ aud: 'assay-work', email, email_verified: true });
    const { status, body } = await api.send('GET', `/applications/${applicationId}`, {
      token: tokens.id_token!,
    });
    expect([status, body]).toMatchObject([200, { id: applicationId }]);
    // A code can be used once, also at another process.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(await tokensOf(twinIssuer, { device })).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await openPage().enter(asked.user_code)).status).toBe(400);
  }, 60_000);

  it('renews without another code, until the candidate signs out in the browser', async () => {
    const { device_code: device, user_code: userCode } = await askForDeviceCode(issuer);
    const page = openPage();
    const confirm = await page.signIn(await page.enter(userCode), mails, email);
    await page.answer(confirm, 'confirm');
    const { refresh_token: refresh } = await tokensOf(issuer, { device });
    const renewed = await tokensOf(twinIssuer, { refresh: refresh! });
    expect(payloadOf(renewed.id_token!)).toMatchObject({ aud: 'assay-work', email });
    // If the answer was lost, the former refresh token still works.
    expect((await tokensOf(issuer, { refresh: refresh! })).status).toBe(200);
    expect((await page.browser.go('/candidate/sign-out', {})).status).toBe(200);
    expect(await tokensOf(issuer, { refresh: refresh! })).toMatchObject({ error: 'invalid_grant' });
  });

  it('asks a signed-in candidate only for the confirmation, once for each code', async () => {
    const page = openPage();
    const first = await askForDeviceCode(issuer);
    await page.answer(await page.signIn(await page.enter(first.user_code), mails, email), 'confirm');
    const second = await askForDeviceCode(issuer);
    const entered = await page.enter(second.user_code);
    const question = await (await page.browser.go(entered.headers.get('location')!)).text();
    expect(question).toContain(second.user_code);
    expect(await tokensOf(issuer, { device: second.device_code })).toMatchObject({
      error: 'authorization_pending',
    });
  });

  it('gives nothing where the candidate says no', async () => {
    const { device_code: device, user_code: userCode } = await askForDeviceCode(issuer);
    const page = openPage();
    const confirm = await page.signIn(await page.enter(userCode), mails, email);
    expect(await page.answer(confirm, 'deny')).toContain('The program is not signed in');
    expect(await tokensOf(issuer, { device })).toMatchObject({ status: 400, error: 'access_denied' });
    expect((await page.browser.go(confirm, { step: 'confirm' })).status).toBe(400);
  });

  it('refuses codes that are wrong or over, in the reader’s language', async () => {
    const asked = await askForDeviceCode(issuer);
    const page = openPage();
    for (const wrong of ['', 'BBBB-BBBB', `${asked.user_code}B`, '<script>', 'x'.repeat(2_000)]) {
      const answer = await page.enter(wrong);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
      expect(await answer.text()).toContain('This code is wrong or has expired.');
    }
    const german = await page.browser.go(page.path, undefined, { 'accept-language': 'de' });
    expect(await german.text()).toContain('Code aus dem Terminal');
    const expired = await openPage(later).enter(asked.user_code);
    expect(expired.status).toBe(400);
    expect(await expired.text()).toContain('If they are the same, start the program again');
    expect(await tokensOf(`${later.url}/candidate`, { device: asked.device_code })).toMatchObject({
      status: 400,
    });
  });

  it('takes no form of another site and none without its mark, and no other client', async () => {
    const { device_code: device, user_code: code } = await askForDeviceCode(issuer);
    const page = openPage();
    const foreign = await page.browser.go(
      page.path,
      { user_code: code, confirm: 'yes' },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    const unmarked = await page.browser.go(page.path, { user_code: code, confirm: 'yes' });
    expect([unmarked.status, unmarked.headers.get('location')]).toEqual([303, page.path]);
    await page.browser.go(page.path);
    const wrong = await page.browser.go(page.path, { user_code: code, confirm: 'yes', xsrf: 'x'.repeat(48) });
    expect(wrong.status).toBe(400);
    expect(await tokensOf(issuer, { device })).toMatchObject({ error: 'authorization_pending' });
    await expect(askForDeviceCode(issuer, { client_id: 'assay-candidate' })).rejects.toThrow('400');
    await expect(askForDeviceCode(issuer, { client_id: 'nobody' })).rejects.toThrow('No code: 40');
    await expect(askForDeviceCode(issuer, { claims: 'x'.repeat(2_000) })).rejects.toThrow('413');
    // A link with the code does not enter it.
    const linked = await page.browser.go(`${page.path}?user_code=${code}`);
    expect([linked.status, linked.headers.get('location')]).toEqual([303, page.path]);
    const opened = await page.browser.go(page.path);
    expect(opened.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
