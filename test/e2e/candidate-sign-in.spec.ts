import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createRemoteJWKSet,
  type CryptoKey,
  exportSPKI,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { createHmac, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readableEmail } from '../../src/core/email-address.js';
import { IssuerKeys } from '../../src/issuers/candidate/keys.js';
import { openVault } from '../../src/process/adapters.js';
import { readConfiguration } from '../../src/process/config.js';
import { serviceKeys } from '../../src/process/secret-files.js';
import { Api, Person } from '../support/api.js';
import { assay } from '../support/assay.js';
import { candidateToken, codeMailsTo, codeSentTo, mailsTo, SignIn } from '../support/candidate-sign-in.js';
import { eventually } from '../support/eventually.js';
import { signingPair } from '../support/fake-issuer.js';
import { freePort } from '../support/free-port.js';
import { openSocket, pathOf, TestSocket } from '../support/interview-socket.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';
import { type Service, startService, wrongClock } from '../support/service.js';
import { authorizationRequest, Browser, exchange } from '../support/sign-in-client.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { payloadOf, reassemble, tokenFor, unsecured } from '../support/tokens.js';

/** How far the clock of one process is ahead; each jump takes the next value. */
const MINUTES_AHEAD = [9, 11, 5 * 60, 7 * 60 + 30, 8 * 60 + 1];

/** A different code. @param n from 1 to 9: each gives another one */
const otherThan = (code: string, n = 1): string =>
  code.replace(/^./, (digit) => String((Number(digit) + n) % 10));

describe('the sign-in of candidates by e-mailed codes', () => {
  let mails: MailServer;
  let service: Service;
  let twin: Service;
  /** A process whose clock is ahead by what `setAhead` set last. */
  let ahead: Service;
  let issuer: string;
  let api: Api;
  let org: string;
  let role: string;
  let owner: Person;
  let invited = 0;

  /** Another process on the same data, behind the same public address. */
  const beside = async (env: Readonly<Record<string, string>>): Promise<Service> =>
    startService({
      dataDir: service.dataDir,
      // It prints the public address, whose port is that of the other process.
      env: { ...env, PUBLIC_URL: service.url, PORT: String(await freePort()) },
    });
  let jumps = 0;
  /** @param minutes the next value of `MINUTES_AHEAD` */
  const setAhead = async (minutes: number): Promise<void> => {
    expect(MINUTES_AHEAD[jumps++]).toBe(minutes);
    process.kill(ahead.pid, 'SIGUSR2');
    await eventually(async () => ahead.output().split('The clock jumped').length > jumps);
  };
  const inviteAnother = async (): Promise<{ email: string; applicationId: string; sessionId: string }> => {
    const email = `candidate-${++invited}@example.org`;
    return { email, ...(await invite(owner, org, role, email)) };
  };
  const asCandidate = (email: string, token: string): Person => {
    const person = new Person(api, email, token);
    person.follow(owner);
    return person;
  };
  const signInAs = async (email: string): Promise<Person> =>
    asCandidate(email, await candidateToken(service.url, mails, email));
  const textOf = async (response: Promise<Response>): Promise<string> => (await response).text();

  beforeAll(async () => {
    mails = await openMailServer();
    const env = { ...mailsTo(mails), RATE_LIMITS: 'off' };
    service = await startService({ env });
    twin = await beside(env);
    const jumpsMs = MINUTES_AHEAD.map(
      (minutes, index) => (minutes - (MINUTES_AHEAD[index - 1] ?? 0)) * 60_000,
    );
    ahead = await beside({ ...mailsTo(mails), PROJECTOR: 'off', ...wrongClock(0, jumpsMs) });
    issuer = `${service.url}/candidate`;
    api = new Api(service.url);
    org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
    owner = await api.as('owner@example.org');
    role = (await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition())).body.id;
  });
  afterAll(async () => {
    await ahead.stop();
    await twin.stop();
    await service.stop();
    await mails.close();
  });

  it('gives the page the address of the sign-in', async () => {
    const { status, headers, body } = await api.send('GET', '/apply/config.json');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      issuer,
      clientId: 'assay-candidate',
      deviceClientId: 'assay-work',
      redirectUri: `${service.url}/apply/callback`,
      signIn: 'email',
      languages: ['en', 'de'],
    });
  });

  it('publishes what a client needs, and public keys alone', async () => {
    const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({
      issuer,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      device_authorization_endpoint: `${issuer}/device/auth`,
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['ES256'],
      scopes_supported: ['openid', 'email'],
    });
    const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: JWK[] };
    expect(keys.map(({ alg }) => alg)).toEqual(['ES256', 'ES256', 'ES256']);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });

  describe('from the invitation to the session', () => {
    it('a candidate gets in by a code, and nowhere but to their own', async () => {
      const { email, applicationId, sessionId } = await inviteAnother();
      const token = await candidateToken(service.url, mails, email, { typed: ` ${email.toUpperCase()} ` });
      const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), {
        issuer,
        audience: 'assay-candidate',
      });
      expect(payload).toMatchObject({ email, email_verified: true, nonce: 'the-nonce' });
      expect(payload.exp! - payload.iat!).toBe(3600);
      expect(payload.sub).toMatch(/^assay-candidate:[A-Za-z0-9_-]{43}$/);
      expect(payload.sub).not.toContain('candidate-1');
      const carol = asCandidate(email, token);
      expect((await carol.get('/me')).body).toMatchObject({
        email,
        emailVerified: true,
        memberships: [],
        applications: [{ id: applicationId, organisationName: 'Example' }],
      });
      expect((await carol.get(`/applications/${applicationId}`)).status).toBe(200);
      const started = await carol.post(`/trial-sessions/${sessionId}/start`, { consent: true });
      expect(started.status).toBe(200);
      const socket = await openSocket(service.url, pathOf(sessionId, token));
      if (!(socket instanceof TestSocket)) throw new Error(`Refused: ${socket.text}`);
      socket.ready();
      await socket.frame('session.ready');
      socket.socket.close();
      expect((await carol.get('/me/export')).status).toBe(200);
      const other = await signInAs((await inviteAnother()).email);
      expect((await other.get(`/applications/${applicationId}`)).status).toBe(404);
    });

    it.each([
      ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
      ['bert@xn--bcher-kva.example', '\u202Abert@Bu\u0308cher.example\u202C'],
      ['Émile@example.org', 'e\u0301mile@exam\u200Bple.org'],
      ['zoe\u0308@ｅｘａｍｐｌｅ。org', '\u00A0ZOË@example.org\u00A0'],
    ])('a candidate invited as %j is the one who signs in as %j', async (written, typed) => {
      const { applicationId } = await invite(owner, org, role, written);
      const again = await owner.post(`/organisations/${org}/roles/${role}/invitations`, {
        candidateEmail: typed,
      });
      expect(again).toMatchObject({ status: 409, body: { code: 'already_invited' } });
      const before = mails.received.length;
      const signIn = await SignIn.begin(issuer);
      expect((await signIn.ask(typed)).status).toBe(303);
      const entered = await signIn.enter(await codeSentTo(mails, readableEmail(typed), before));
      const { id_token: token } = (await (
        await signIn.exchange(issuer, await signIn.codeFrom(entered))
      ).json()) as { id_token: string };
      const read = await new Person(api, typed, token).get(`/applications/${applicationId}`);
      expect(read).toMatchObject({ status: 200, body: { candidateEmail: written } });
    });

    it('is the same person at every sign-in, in every process', async () => {
      const { email, applicationId } = await inviteAnother();
      const first = await candidateToken(service.url, mails, email);
      const second = await candidateToken(twin.url, mails, email, { publicUrl: service.url });
      expect(payloadOf(second).sub).toBe(payloadOf(first).sub);
      const { status } = await new Person(new Api(twin.url), email, second).get(
        `/applications/${applicationId}`,
      );
      expect(status).toBe(200);
    });

    it('makes no member, even with a member’s address', async () => {
      const { email } = await inviteAnother();
      await owner.post(`/organisations/${org}/members`, { email, role: 'admin' });
      const candidate = await signInAs(email);
      expect((await candidate.get('/me')).body).toMatchObject({ memberships: [] });
      expect((await candidate.get(`/organisations/${org}/applications`)).status).toBe(403);
      const subject = String(payloadOf(candidate.token).sub);
      const added = await owner.post(`/organisations/${org}/members`, { subject, role: 'admin' });
      expect(added).toMatchObject({ status: 400, body: { details: [{ path: 'subject', rule: 'member' }] } });
      expect((await candidate.get(`/organisations/${org}/members`)).status).toBe(403);
      expect((await candidate.get('/me')).body).toMatchObject({ memberships: [] });
      // A token of the organisation's issuer with the same address is that of the member who was added.
      const member = await api.as(email);
      member.follow(owner);
      expect((await member.get('/me')).body).toMatchObject({ memberships: [{ role: 'admin' }] });
    });

    it('the owner of the invited mailbox gets to what another issuer’s subject was bound to', async () => {
      const { email, applicationId } = await inviteAnother();
      const before = await api.as(email);
      before.follow(owner);
      expect((await before.get(`/applications/${applicationId}`)).status).toBe(200);
      const now = await signInAs(email);
      expect((await now.get(`/applications/${applicationId}`)).status).toBe(200);
      expect((await now.get('/me')).body).toMatchObject({ applications: [{ id: applicationId }] });
      expect((await before.get(`/applications/${applicationId}`)).status).toBe(200);
      const stranger = await signInAs((await inviteAnother()).email);
      expect((await stranger.get(`/applications/${applicationId}`)).status).toBe(404);
    });

    it('but a person who signed in by a code first is not replaced by another issuer’s subject', async () => {
      const { email, applicationId } = await inviteAnother();
      const first = await signInAs(email);
      expect((await first.get(`/applications/${applicationId}`)).status).toBe(200);
      const later = await api.as(email);
      later.follow(owner);
      expect((await later.get(`/applications/${applicationId}`)).status).toBe(404);
    });

    it('after an erasure the address is unknown again', async () => {
      const { email, applicationId } = await inviteAnother();
      const candidate = await signInAs(email);
      expect((await candidate.get(`/applications/${applicationId}`)).status).toBe(200);
      const erased = await owner.post(`/organisations/${org}/applications/${applicationId}/erasure`);
      expect(erased.status).toBe(202);
      candidate.follow(owner);
      expect((await candidate.get(`/applications/${applicationId}`)).status).toBe(404);
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      expect((await signIn.ask(email)).status).toBe(303);
      await signInAs((await inviteAnother()).email);
      expect(codeMailsTo(mails, email, before)).toEqual([]);
    });
  });

  describe('the pages', () => {
    it('load nothing, run nothing and cannot be framed', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const pages = [await signIn.page(), await signIn.enter('12345678')];
      await signIn.ask(email);
      pages.push(await signIn.page(), await signIn.browser.go(`${issuer}/sign-out`));
      for (const page of pages) {
        const policy = page.headers.get('content-security-policy') ?? '';
        expect(policy).toMatch(
          /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'/,
        );
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('script-src');
        expect(page.headers.get('cache-control')).toBe('no-store');
        const html = await page.text();
        expect(html).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<img|src=/);
        expect(html).toContain('<html lang="en">');
        expect(html).toContain('width=device-width');
      }
    });

    it('label their fields for everyone, and help the keyboard of a phone', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer, { login_hint: email });
      const first = await textOf(signIn.page());
      expect(first).toMatch(
        /<label for="field">E-mail address<\/label>\n<input id="field"[^>]* type="text" inputmode="email" autocomplete="email" autocapitalize="none"/,
      );
      expect(first).toContain(`value="${email}"`);
      await signIn.ask(email);
      const second = await textOf(signIn.page());
      expect(second).toMatch(/inputmode="numeric" autocomplete="one-time-code"/);
      expect(second).toContain(`If ${email} was invited, a code is on its way to it.`);
      const wrong = await signIn.enter('12');
      expect(wrong.status).toBe(400);
      expect(await wrong.text()).toMatch(
        /aria-invalid="true" aria-describedby="mistake">\n<p class="wrong" id="mistake" role="alert">Enter the 8 digits/,
      );
    });

    it('are German for a browser that prefers German', async () => {
      const { email } = await inviteAnother();
      const asked = await SignIn.begin(issuer, { ui_locales: 'fr de-AT en' });
      const german = '<html lang="de">';
      expect(await textOf(asked.page({ 'accept-language': 'en' }))).toContain(german);
      const browsers = await SignIn.begin(issuer);
      const accepted = { 'accept-language': 'fr, en;q=0.2, de-CH;q=0.9' };
      expect(await textOf(browsers.page(accepted))).toContain(german);
      expect(await textOf(browsers.page())).toContain('<html lang="en">');
      const before = mails.received.length;
      await asked.ask(email);
      await codeSentTo(mails, email, before);
      const mail = codeMailsTo(mails, email, before)[0]!;
      expect(mail.headers.get('subject')).toMatch(/^\d{4} \d{4} ist Ihr Anmeldecode$/);
      expect(mail.html).toContain(german);
      // The mail has no link: no click on it can sign anybody in.
      expect(mail.raw).not.toMatch(/https?:/);
    });

    it('escape what was typed', async () => {
      const signIn = await SignIn.begin(issuer);
      const html = await textOf(signIn.ask('"><b>x</b>@y'));
      expect(html).not.toContain('<b>');
      expect(html).toContain('&quot;&gt;&lt;b&gt;x');
    });

    it('say what to do where no sign-in is under way', async () => {
      const { path } = await SignIn.begin(issuer);
      const elsewhere = await new Browser(service.url).go(path);
      expect(elsewhere.status).toBe(400);
      expect(await elsewhere.text()).toContain('Open the link in your invitation again.');
      for (const missing of ['/candidate', '/candidate/', '/candidate/token-for', '/candidate/session/end']) {
        const { status, body } = await api.send('GET', missing);
        expect([status, body]).toMatchObject([404, { code: 'not_found' }]);
      }
      expect((await api.send('DELETE', path)).status).toBe(405);
    });
  });

  describe('a code', () => {
    it('has five tries', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const code = await codeSentTo(mails, email, before);
      for (const [at, left] of ['4 attempts', '3 attempts', '2 attempts', '1 attempt'].entries())
        // A page that is loaded again sends the same code again.
        for (let sent = 0; sent < 2; sent++) {
          const wrong = await signIn.enter(otherThan(code, at + 1));
          expect(wrong.status).toBe(400);
          expect(await wrong.text()).toContain(`Incorrect code. ${left} left.`);
        }
      for (const late of [otherThan(code, 5), code]) {
        const over = await signIn.enter(late);
        expect(over.status).toBe(400);
        expect(await over.text()).toContain('entered wrongly too often. Ask for a new one.');
      }
      const again = mails.received.length;
      expect((await signIn.step('again')).headers.get('location')).toBe(`${signIn.path}?new`);
      const next = await codeSentTo(mails, email, again);
      expect((await signIn.enter(code)).status).toBe(400);
      expect((await signIn.enter(` ${next.slice(0, 4)}-${next.slice(4)} `)).status).toBe(303);
    });

    it('signs in once, however many send it at the same time', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const code = await codeSentTo(mails, email, before);
      const other = signIn.at(twin.url);
      const entered = await Promise.all(
        Array.from({ length: 6 }, (_, index) => (index % 2 ? other : signIn).enter(code)),
      );
      expect(entered.filter(({ status }) => status === 303)).toHaveLength(1);
      const late = await signIn.enter(code);
      expect(late.status).toBe(400);
      // A double click drops the first answer, a redirect: the page of the second one has the link.
      expect(await late.text()).toMatch(
        /You are signed in[^]*<a class="button" href="\/candidate\/auth\/[^"]+">Continue</,
      );
    });

    it('gives one authorization code, however many requests come for it at the same time', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const entered = await signIn.enter(await codeSentTo(mails, email, before));
      const way = entered.headers.get('location') ?? '';
      // Each browser has the cookies of before: the first answer removes them.
      const browsers = Array.from({ length: 8 }, (_, index) =>
        signIn.browser.at(index % 2 ? twin.url : service.url),
      );
      const resumed = await Promise.all(browsers.map((browser) => browser.go(way)));
      const codes = resumed.map(({ headers }) =>
        new URL(headers.get('location') ?? 'none:').searchParams.get('code'),
      );
      expect(codes[0]).not.toBeNull();
      expect(new Set(codes).size).toBe(1);
      const exchanged = await signIn.exchange(issuer, codes[0] ?? '');
      expect(exchanged.status).toBe(200);
      expect((await signIn.exchange(issuer, codes[0] ?? '')).status).toBe(400);
      // Without the cookies of the sign-in it leads nowhere.
      const stranger = await new Browser(service.url).go(way);
      expect([stranger.status, stranger.headers.get('location')]).toEqual([400, null]);
    });

    it('is sent once for a form that is sent twice, as by a double click', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const form = /name="form" value="(\d+)"/.exec(await textOf(signIn.page()))?.[1] ?? '';
      const send = () => signIn.browser.go(signIn.path, { step: 'email', email, form });
      const before = mails.received.length;
      const answers = [...(await Promise.all([send(), send()])), await send()];
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      await codeSentTo(mails, email, before);
      const other = (await inviteAnother()).email;
      await candidateToken(service.url, mails, other);
      expect(codeMailsTo(mails, email, before)).toHaveLength(1);
    });

    it('belongs to the sign-in that it was asked in', async () => {
      const { email } = await inviteAnother();
      const [mine, theirs] = [await SignIn.begin(issuer), await SignIn.begin(issuer)];
      const before = mails.received.length;
      await mine.ask(email);
      const code = await codeSentTo(mails, email, before);
      await theirs.ask(email);
      expect((await theirs.enter(code)).status).toBe(400);
      expect((await mine.enter(code)).status).toBe(303);
    });

    it('may be asked for at one process and entered at another, and the rest goes anywhere', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const there = signIn.at(twin.url);
      const entered = await there.enter(await codeSentTo(mails, email, before));
      expect(entered.status).toBe(303);
      const code = await there.codeFrom(entered);
      const response = await signIn.exchange(issuer, code);
      const { id_token: token } = (await response.json()) as { id_token: string };
      expect((await new Person(new Api(twin.url), email, token).get('/me')).status).toBe(200);
      // The provider's code can be used only once, too.
      const twice = await signIn.exchange(`${twin.url}/candidate`, code);
      expect([twice.status, await twice.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    });

    it('expires after ten minutes', async () => {
      const { email } = await inviteAnother();
      const signIns = [await SignIn.begin(issuer), await SignIn.begin(issuer)];
      const codes: string[] = [];
      for (const signIn of signIns) {
        const before = mails.received.length;
        await signIn.ask(email);
        codes.push(await codeSentTo(mails, email, before));
      }
      await setAhead(9);
      expect((await signIns[1]!.at(ahead.url).enter(codes[1]!)).status).toBe(303);
      await setAhead(11);
      const over = await signIns[0]!.at(ahead.url).enter(codes[0]!);
      expect(over.status).toBe(400);
      expect(await over.text()).toContain('This code has expired, was already used');
    });

    it('can be requested for another address after a mistyped one', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      await signIn.ask('mistyped@example.org');
      expect(await textOf(signIn.page())).toContain('mistyped@example.org');
      expect((await signIn.step('change')).headers.get('location')).toBe(signIn.path);
      expect(await textOf(signIn.page())).not.toContain('mistyped@example.org');
      const before = mails.received.length;
      await signIn.ask(email);
      expect((await signIn.enter(await codeSentTo(mails, email, before))).status).toBe(303);
    });

    it('goes to invited addresses alone, while every address is answered alike and in the same time', async () => {
      const { email } = await inviteAnother();
      const unknown = 'nobody@example.org';
      const answer = async (address: string) => {
        const signIn = await SignIn.begin(issuer);
        const started = performance.now();
        const asked = await signIn.ask(address);
        const steps = Math.round((performance.now() - started) / 200);
        const html = (await textOf(signIn.page())).replaceAll(address, '…').replaceAll(signIn.path, '…');
        const wrong = (await textOf(signIn.enter('00000000'))).replaceAll(address, '…');
        const { status, headers } = asked;
        const location = headers.get('location')?.replace(signIn.path, '…');
        return { steps, rest: { status, location, html, wrong: wrong.replaceAll(signIn.path, '…') } };
      };
      const before = mails.received.length;
      const [known, other] = [await answer(email), await answer(unknown)];
      expect(other.rest).toEqual(known.rest);
      expect(known.rest).toMatchObject({ status: 303, location: '…' });
      for (const { steps } of [known, other]) expect(steps).toBeGreaterThanOrEqual(1);
      await codeSentTo(mails, email, before);
      expect(codeMailsTo(mails, unknown)).toEqual([]);
    });

    it('is sent to an address five times in a quarter of an hour at most, known or not', async () => {
      for (const email of [(await inviteAnother()).email, 'nobody-else@example.org']) {
        const signIn = await SignIn.begin(issuer);
        for (let count = 0; count < 5; count++)
          expect((await (count % 2 ? signIn : signIn.at(twin.url)).ask(email)).status).toBe(303);
        const sixth = await signIn.ask(email.toUpperCase());
        expect(sixth.status).toBe(429);
        expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(800);
        expect(await sixth.text()).toContain('Too many codes were requested for this address.');
        const elsewhere = await SignIn.begin(issuer);
        expect((await elsewhere.ask(email)).status).toBe(429);
      }
    });
  });

  describe('an address whose codes a stranger has used up', () => {
    const usedUp = async () => {
      const invited = await inviteAnother();
      for (let count = 0; count < 5; count++)
        expect((await (await SignIn.begin(issuer)).ask(invited.email)).status).toBe(303);
      return invited;
    };

    it('still gets one by the invitation’s own link, and by no other', async () => {
      const { email, applicationId } = await usedUp();
      const other = await inviteAnother();
      for (const application of ['', other.applicationId, randomUUID(), 'no id'])
        expect((await (await SignIn.begin(issuer, { application })).ask(email)).status).toBe(429);
      const signIn = await SignIn.begin(issuer, { application: applicationId });
      await (await signIn.page()).text();
      const before = mails.received.length;
      expect((await signIn.ask(email)).status).toBe(303);
      const entered = await signIn.enter(await codeSentTo(mails, email, before));
      expect((await signIn.exchange(issuer, await signIn.codeFrom(entered))).status).toBe(200);
    });

    it('gets one without the link once staff have lifted the lock, for an open application of theirs', async () => {
      const { email, applicationId } = await usedUp();
      const other = await createOrganisation(service.dataDir, 'Other', 'foreigner@example.org');
      const foreigner = await api.as('foreigner@example.org');
      await foreigner.get('/me');
      const signIn = await SignIn.begin(issuer);
      const lift = (by: Person, organisation: string, id: string) =>
        by.delete(`/organisations/${organisation}/applications/${id}/sign-in-lock`);
      expect((await signIn.ask(email)).status).toBe(429);
      expect((await lift(foreigner, org, applicationId)).status).toBe(403);
      expect((await lift(foreigner, other, applicationId)).status).toBe(404);
      expect((await lift(owner, org, randomUUID())).status).toBe(404);
      expect((await signIn.ask(email)).status).toBe(429);

      const at = `/organisations/${org}/applications/${applicationId}`;
      const { version } = (await owner.get<{ version: number }>(at)).body;
      expect((await lift(owner, org, applicationId)).status).toBe(204);
      const before = mails.received.length;
      expect((await signIn.at(twin.url).ask(email)).status).toBe(303);
      expect(await codeSentTo(mails, email, before)).toMatch(/^\d{8}$/);
      // The answer does not show whether there was a lock.
      expect((await lift(owner, org, applicationId)).status).toBe(204);

      type Entry = { readonly action: string; readonly subject: object; readonly actor: { type: string } };
      const audit = await owner.get<{ items: Entry[] }>(`/organisations/${org}/audit`);
      const subject = { type: 'application', id: applicationId };
      const action = 'application.sign_in_lock_lifted';
      const entry = expect.objectContaining({ action, subject }) as unknown;
      expect(audit.body.items.slice(0, 2)).toEqual([entry, entry]);
      expect(audit.body.items[0]?.actor.type).toBe('staff');
      expect(audit.text).not.toContain(email);

      expect((await owner.get(at)).body).toMatchObject({ version });
      const cancelled = await owner.post(`${at}/cancel`, undefined, { 'if-match': `"${version}"` });
      expect(cancelled.status).toBe(200);
      expect((await lift(owner, org, applicationId)).status).toBe(404);
      expect((await owner.post(`${at}/erasure`)).status).toBeLessThan(300);
      expect((await lift(owner, org, applicationId)).status).toBe(410);
    });

    it('gets one, with the link and without, once an operator has unlocked it, in any spelling', async () => {
      const { email, applicationId } = await usedUp();
      const byLink = await SignIn.begin(issuer, { application: applicationId });
      await (await byLink.page()).text();
      for (let count = 0; count < 5; count++) expect((await byLink.ask(email)).status).toBe(303);
      expect((await byLink.ask(email)).status).toBe(429);
      const unlock = (...args: readonly string[]) =>
        assay({ DATA_DIR: service.dataDir }, 'sign-ins', 'unlock', ...args);
      expect(await unlock('nobody')).toMatchObject({ code: 2 });
      expect((await byLink.ask(email)).status).toBe(429);
      const given = email.replace('@example.org', '@EXAMPLE.org');
      const unlocked = await unlock(given, '--json');
      expect(unlocked).toMatchObject({ code: 0, err: '' });
      expect(JSON.parse(unlocked.out)).toEqual({ email: given, invitations: 1 });
      expect((await unlock('nobody-at-all@example.org')).out).toContain('again (0 invitations).');
      for (let count = 0; count < 6; count++) expect((await byLink.ask(email)).status).toBe(303);
      const recorded = await assay({ DATA_DIR: service.dataDir }, 'streams', 'show', 'operator-log');
      expect(recorded.out).toContain('{"action":"sign_in.unlocked","details":{"invitations":1}}');
      expect(recorded.out).not.toMatch(/@example\.org/i);
    });

    it('keeps the form, with the address or for the code, and says the time in words', async () => {
      const { email } = await usedUp();
      const signIn = await SignIn.begin(issuer, { ui_locales: 'de' });
      const limited = await signIn.ask(email);
      expect(limited.status).toBe(429);
      const html = await limited.text();
      expect(html).toContain(
        'Für diese Adresse wurden zu viele Codes angefordert. Versuchen Sie es in 15 Minuten wieder.',
      );
      expect(html).toMatch(new RegExp(`name="email"[^>]* value="${email}"`));
      const mine = (await inviteAnother()).email;
      const waiting = await SignIn.begin(issuer);
      const before = mails.received.length;
      for (let count = 0; count < 5; count++) expect((await waiting.ask(mine)).status).toBe(303);
      const again = await waiting.step('again');
      expect(again.status).toBe(429);
      expect(await again.text()).toMatch(/Try again in 15 minutes\.[^]*|name="code"/);
      const code = await codeSentTo(mails, mine, before);
      expect(code).toMatch(/^\d{8}$/);
    });
  });

  it('leads on from each of its pages', async () => {
    const { email, applicationId } = await inviteAnother();
    const signIn = await SignIn.begin(issuer, { application: applicationId });
    const back = `<a href="/apply/${applicationId}">Back to the assessment</a>`;
    expect(await textOf(signIn.page())).toContain(back);
    await signIn.ask(email);
    expect(await textOf(signIn.page())).toContain(back);
    expect(await textOf(signIn.enter('12'))).toContain(back);
    expect(await textOf(signIn.browser.go(`${issuer}/sign-out`))).toContain(
      'open the link in your invitation',
    );
    expect(await textOf(signIn.browser.go(`${issuer}/auth/unknown`))).toContain(
      'Open the link in your invitation',
    );
    const unknown = await SignIn.begin(issuer, { application: '"><b>' });
    expect(await textOf(unknown.page())).not.toContain('/apply/');
  });

  describe('the provider', () => {
    it('gives further tokens to the same browser without another code, until it signs out', async () => {
      const { email } = await inviteAnother();
      const browser = new Browser(service.url);
      const first = await candidateToken(service.url, mails, email, { browser });
      const silently = async (at = browser) =>
        new URL((await SignIn.begin(issuer, { prompt: 'none' }, at)).path).searchParams;
      const again = await SignIn.begin(issuer, { prompt: 'none' }, browser.at(twin.url).at(service.url));
      const code = new URL(again.path).searchParams.get('code') ?? '';
      const { id_token: second } = (await (await again.exchange(issuer, code)).json()) as {
        id_token: string;
      };
      expect(payloadOf(second)).toMatchObject({ sub: payloadOf(first).sub, email, email_verified: true });
      expect((await silently(new Browser(service.url))).get('error')).toBe('login_required');
      const out = await browser.go(`${issuer}/sign-out`, {});
      expect(await out.text()).toContain('You are signed out');
      expect((await silently()).get('error')).toBe('login_required');
    });

    it('asks for another code 8 hours after the last one, however often tokens were renewed since', async () => {
      const { email } = await inviteAnother();
      const browser = new Browser(service.url);
      const first = payloadOf(await candidateToken(service.url, mails, email, { browser }));
      const signedIn = Number(first.iat);
      /** Asks the process whose clock is ahead for a token without a page (`prompt=none`). */
      const silentlyAt = async (minutes: number) => {
        await setAhead(minutes);
        const request = authorizationRequest(`${ahead.url}/candidate/auth`, `${service.url}/apply/callback`, {
          ...{ client_id: 'assay-candidate', scope: 'openid email', prompt: 'none' },
        });
        const there = await browser.go(request.url);
        const answer = new URL(there.headers.get('location') ?? 'none:').searchParams;
        const exchanged = await exchange(
          `${ahead.url}/candidate/token`,
          answer.get('code') ?? '',
          request,
          'assay-candidate',
        );
        const { id_token: token } = (await exchanged.json()) as { id_token?: string };
        return { error: answer.get('error'), claims: token === undefined ? null : payloadOf(token) };
      };
      const renewed = await silentlyAt(5 * 60);
      expect(Number(renewed.claims?.exp) - Number(renewed.claims?.iat)).toBe(3600);
      const last = await silentlyAt(7 * 60 + 30);
      expect(Math.abs(Number(last.claims?.exp) - signedIn - 8 * 3600)).toBeLessThan(60);
      expect(await silentlyAt(8 * 60 + 1)).toEqual({ error: 'login_required', claims: null });
    });

    it('ends the session of the person who used the browser before', async () => {
      const [one, other] = [await inviteAnother(), await inviteAnother()];
      const browser = new Browser(service.url);
      const first = payloadOf(await candidateToken(service.url, mails, one.email, { browser }));
      const second = payloadOf(await candidateToken(service.url, mails, other.email, { browser }));
      expect(first.sub).not.toBe(second.sub);
      expect(second.email).toBe(other.email);
    });

    it('keeps nothing of its session when the browser is closed', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const entered = await signIn.enter(await codeSentTo(mails, email, before));
      const resumed = await signIn.browser.go(entered.headers.get('location') ?? '');
      const session = resumed.headers.getSetCookie().find((line) => line.startsWith('candidate_session='));
      expect(session).toMatch(/httponly/i);
      expect(session).toMatch(/samesite=lax/i);
      expect(session).not.toMatch(/expires|max-age/i);
    });

    it.each([
      ['another client', { client_id: 'assay' }, false],
      ['another page to return to', { redirect_uri: 'https://evil.example.org/' }, false],
      ['no challenge', { code_challenge: '' }, true],
      ['a plain challenge', { code_challenge_method: 'plain' }, true],
      ['a token without a code', { response_type: 'id_token' }, true],
    ])('refuses %s', async (_, change, returns) => {
      const { path } = await SignIn.begin(issuer, change);
      if (returns) expect(new URL(path.replace('#', '?')).searchParams.get('error')).not.toBeNull();
      else expect(path).toBe('');
    });

    it('gives no refresh token, and access tokens that open nothing of the API', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer, { scope: 'openid email offline_access' });
      const before = mails.received.length;
      await signIn.ask(email);
      const entered = await signIn.enter(await codeSentTo(mails, email, before));
      const tokens = (await (await signIn.exchange(issuer, await signIn.codeFrom(entered))).json()) as Record<
        string,
        string
      >;
      expect(tokens).not.toHaveProperty('refresh_token');
      expect(tokens.expires_in).toBe(3600);
      expect((await api.send('GET', '/me', { token: tokens.access_token! })).status).toBe(401);
    });

    it('has nothing personal in plain in the data folder', async () => {
      const { email } = await inviteAnother();
      const signIn = await SignIn.begin(issuer);
      const before = mails.received.length;
      await signIn.ask(email);
      const code = await codeSentTo(mails, email, before);
      await signIn.ask('somebody-unknown@example.org');
      const names = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
      for (const name of names.filter((one) => one.isFile())) {
        const bytes = await readFile(join(name.parentPath, name.name));
        for (const text of [email, code, 'somebody-unknown', signIn.path.split('/').at(-1)!])
          for (const encoded of [Buffer.from(text), Buffer.from(text, 'utf16le')])
            expect([name.name, bytes.includes(encoded)]).toEqual([name.name, false]);
      }
      expect(service.output() + twin.output()).not.toContain(email);
    });
  });

  describe('its ID tokens', () => {
    let token: string;
    beforeAll(async () => {
      const { email } = await inviteAnother();
      token = await candidateToken(service.url, mails, email);
    });
    const kid = (): string =>
      (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid;
    const header = (change: object = {}) => ({ alg: 'ES256', typ: 'JWT', kid: kid(), ...change });
    const signedBy = async (alg: 'RS256' | 'ES256', headers: object, claims: object = {}) => {
      const pair = await signingPair(alg, 'stranger');
      return new SignJWT({ ...payloadOf(token), ...claims })
        .setProtectedHeader({ ...header(), ...headers, alg })
        .sign(pair.privateKey);
    };
    const publicKey = async (): Promise<JWK> => {
      const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: JWK[] };
      return keys[0]!;
    };
    const developmentKeys = async () => {
      const text = await readFile(join(service.dataDir, 'development-issuer.json'), 'utf8');
      return (JSON.parse(text) as { signing: JWK[] }).signing;
    };
    const signedByDevelopment = async (claims: Record<string, unknown>): Promise<string> => {
      const key = (await developmentKeys()).find(({ alg }) => alg === 'ES256')!;
      return new SignJWT({ ...payloadOf(token), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key.kid! })
        .sign(await importJWK(key, 'ES256'));
    };

    const attacks: [string, () => Promise<string>][] = [
      ['unsecured', async () => unsecured(token)],
      [
        'of another subject',
        async () => reassemble(token, { payload: { sub: `assay-candidate:${'A'.repeat(43)}` } }),
      ],
      ['of another address', async () => reassemble(token, { payload: { email: 'owner@example.org' } })],
      ['longer valid', async () => reassemble(token, { payload: { exp: 4_000_000_000 } })],
      ['of another issuer', async () => reassemble(token, { payload: { iss: `${service.url}/issuer` } })],
      ['for another audience', async () => reassemble(token, { payload: { aud: 'assay' } })],
      [
        'signed with HS256 and the public key',
        async () => {
          const pem = await exportSPKI((await importJWK(await publicKey(), 'ES256')) as CryptoKey);
          const unsigned = reassemble(token, { header: header({ alg: 'HS256' }), signature: '' }).slice(
            0,
            -1,
          );
          return `${unsigned}.${createHmac('sha256', pem).update(unsigned).digest('base64url')}`;
        },
      ],
      ['signed by a stranger under its key id', () => signedBy('ES256', {})],
      ['signed by a stranger’s RSA key under its key id', () => signedBy('RS256', {})],
      ['signed by a stranger under another key id', () => signedBy('ES256', { kid: randomUUID() })],
      ['signed by a stranger under no key id', () => signedBy('ES256', { kid: undefined })],
      [
        'with its own key in the header',
        async () => signedBy('ES256', { jwk: (await signingPair('ES256', 'stranger')).publicJwk }),
      ],
      ['with an address of its own keys', () => signedBy('ES256', { jku: 'https://evil.example.org/jwks' })],
      [
        'with critical extensions',
        async () => reassemble(token, { header: header({ crit: ['b64'], b64: true }) }),
      ],
      ['of another type', async () => reassemble(token, { header: header({ typ: 'at+jwt' }) })],
      ['with a cut signature', async () => token.slice(0, -8)],
      ['without a signature', async () => reassemble(token, { signature: '' })],
      [
        'with a signature of zeros',
        async () => reassemble(token, { signature: Buffer.alloc(64).toString('base64url') }),
      ],
      [
        'padded to more than 8 KiB',
        async () => reassemble(token, { payload: { padding: 'x'.repeat(8 * 1024) } }),
      ],
      ['signed by the development issuer', () => signedByDevelopment({})],
      ['signed by it for this audience', () => signedByDevelopment({ iss: `${service.url}/issuer` })],
      [
        'signed by it for its own audience with a candidate’s subject',
        () => signedByDevelopment({ iss: `${service.url}/issuer`, aud: 'assay' }),
      ],
    ];

    it.each(attacks)('%s are refused', async (_, make) => {
      const forged = await make();
      const { status, body } = await api.send('GET', '/me', { token: forged });
      expect([status, body]).toMatchObject([401, { code: 'invalid_token' }]);
      const socket = await openSocket(service.url, pathOf(randomUUID(), forged));
      expect(socket).toMatchObject({ status: 401 });
      expect((await api.send('GET', '/me', { token })).status).toBe(200);
    });

    /** As the issuer itself signs. */
    const signedByIssuer = async (claims: Record<string, unknown>): Promise<string> => {
      const configuration = readConfiguration({ DATA_DIR: service.dataDir });
      const vault = await openVault(configuration, await serviceKeys(configuration));
      const [key] = (await new IssuerKeys(vault).signing()).keys;
      await vault.close();
      return new SignJWT({ ...payloadOf(token), ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: key!.kid! })
        .sign(await importJWK(key!, 'ES256'));
    };

    it.each([
      ['of another issuer', () => ({ iss: `${service.url}/issuer` })],
      ['for another audience', () => ({ aud: 'assay' })],
      ['for two audiences', () => ({ aud: ['assay', 'assay-candidate'] })],
      ['of a subject of the other issuer', () => ({ sub: 'owner' })],
      ['that have expired', () => ({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ])('%s are refused, also if it has signed them', async (_, claims) => {
      const forged = await signedByIssuer(claims());
      expect((await api.send('GET', '/me', { token: forged })).status).toBe(401);
      expect(await openSocket(service.url, pathOf(randomUUID(), forged))).toMatchObject({ status: 401 });
    });

    it('without a verified address open nothing of the address', async () => {
      const [fresh, bound] = [await inviteAnother(), await inviteAnother()];
      const before = await api.as(bound.email);
      before.follow(owner);
      expect((await before.get(`/applications/${bound.applicationId}`)).status).toBe(200);
      for (const { email, applicationId } of [fresh, bound])
        for (const [email_verified, status] of [
          [false, 404],
          // 403 with the reason on any path: it depends on the token alone.
          [undefined, 403],
          [true, 200],
        ] as const) {
          const sub = `assay-candidate:${'A'.repeat(43)}`;
          const made = asCandidate(email, await signedByIssuer({ sub, email, email_verified }));
          expect((await made.get(`/applications/${applicationId}`)).status).toBe(status);
          for (const unknown of ['applications', 'trial-sessions', 'me/evaluations'])
            expect((await made.get(`/${unknown}/${randomUUID()}`)).status).toBe(
              status === 200 ? 404 : status,
            );
        }
    });

    it('and those of the other issuer go on as before', async () => {
      const other = await tokenFor(service.url, 'owner@example.org');
      expect((await api.send('GET', '/me', { token: other })).status).toBe(200);
      const forged = await signedByDevelopment({
        iss: `${service.url}/issuer`,
        aud: 'assay',
        sub: 'somebody-else',
      });
      expect((await api.send('GET', '/me', { token: forged })).status).toBe(200);
    });
  });
});

describe('limits by source', () => {
  it('let a campus behind one address in within a minute', async () => {
    const mails = await openMailServer();
    const service = await startService({ env: { ...mailsTo(mails), LOG_LEVEL: 'warn' } });
    const issuer = `${service.url}/candidate`;
    const api = new Api(service.url);
    const org = await createOrganisation(service.dataDir, 'Campus', 'owner@example.org');
    const owner = await api.as('owner@example.org');
    const role = (await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition())).body.id;
    const emails = Array.from({ length: 70 }, (_, index) => `student-${index}@example.org`);
    for (const email of emails) await invite(owner, org, role, email);
    const started = performance.now();
    const enter = async (email: string): Promise<number> => {
      const signIn = await SignIn.begin(issuer);
      await (await signIn.page()).text();
      expect((await signIn.ask(email)).status).toBe(303);
      await (await signIn.page()).text();
      const code = await codeSentTo(mails, email);
      expect((await signIn.enter(otherThan(code))).status).toBe(400);
      const entered = await signIn.enter(code);
      return (await signIn.exchange(issuer, await signIn.codeFrom(entered))).status;
    };
    expect(new Set(await Promise.all(emails.map(enter)))).toEqual(new Set([200]));
    expect(performance.now() - started).toBeLessThan(60_000);
    await service.stop();
    await mails.close();
  });

  it('hold for one address, also behind a proxy that is trusted', async () => {
    const mails = await openMailServer();
    const service = await startService({
      env: {
        ...{ ...mailsTo(mails), LOG_LEVEL: 'warn', TRUSTED_PROXIES: 'loopback', DEVELOPMENT_ISSUER: 'on' },
        SIGN_IN_FORMS_PER_MINUTE: '60',
      },
    });
    const signIn = await SignIn.begin(`${service.url}/candidate`);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const statuses: number[] = [];
    for (let count = 0; count < 60; count++) statuses.push((await signIn.ask('no address', from)).status);
    expect(new Set(statuses)).toEqual(new Set([400]));
    const over = await signIn.ask('no address', { ...from, 'accept-language': 'de' });
    expect(over.status).toBe(429);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    const page = await over.text();
    expect(page).toMatch(/Aus Ihrem Netz kamen zu viele Anfragen\. Versuchen Sie es in 1 Minute wieder\./);
    expect(page).toMatch(/name="email"[^>]* value="no address"/);
    expect((await signIn.ask('no address', { 'x-forwarded-for': '203.0.113.8' })).status).toBe(400);
    expect((await signIn.page(from)).status).toBe(200);
    let page429: Response | undefined;
    for (let count = 0; count < 400 && page429?.status !== 429; count++) page429 = await signIn.page(from);
    expect(page429?.status).toBe(429);
    expect(await page429?.text()).toMatch(
      /Try again in 1 minute\.[^]*<a class="button" href="\/candidate\/sign-in\/[^"]+">Try again</,
    );
    await service.stop();
    await mails.close();
  });
});

it('is left to the organisation’s issuer where that serves candidates', async () => {
  const service = await startService({ env: { CANDIDATE_SIGN_IN: 'oidc', LOG_LEVEL: 'warn' } });
  const api = new Api(service.url);
  expect((await api.send('GET', '/apply/config.json')).body).toEqual({
    issuer: `${service.url}/issuer`,
    clientId: 'assay',
    deviceClientId: 'assay',
    redirectUri: `${service.url}/apply/callback`,
    signIn: 'oidc',
    languages: ['en', 'de'],
  });
  expect((await api.send('GET', '/candidate/jwks')).status).toBe(404);
  const token = await tokenFor(service.url, 'owner@example.org');
  const claims = { iss: `${service.url}/candidate`, aud: 'assay-candidate', sub: 'assay-candidate:x' };
  for (const forged of [reassemble(token, { payload: claims }), unsecured(token)])
    expect((await api.send('GET', '/me', { token: forged })).status).toBe(401);
  const org = await createOrganisation(service.dataDir, 'Example', 'owner@example.org');
  const owner = await api.as('owner@example.org');
  const role = await owner.post<{ id: string }>(`/organisations/${org}/roles`, definition());
  const { applicationId } = await invite(owner, org, role.body.id, 'candidate@example.org');
  const lifted = await owner.delete(`/organisations/${org}/applications/${applicationId}/sign-in-lock`);
  expect(lifted).toMatchObject({ status: 404, text: expect.stringContaining('mailed codes') as unknown });
  await service.stop();
});
