import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { KeptMail } from '../../src/clients/mail.js';
import { LOGO_LIMITS } from '../../src/domain/organisation/logo.js';
import { Api, type Person } from '../support/api.js';
import { mailsTo } from '../support/candidate-sign-in.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, definition, invite, LOGO } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { type MailServer, openMailServer, smtpError } from '../support/smtp.js';
import { openProvider, openStage, type Stage } from '../support/stage.js';

interface MailRecord {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly sentAt: string | null;
  readonly nextAttemptAt: string | null;
  readonly fault: string | null;
}

const mailsOf = async (staff: Person, application: string): Promise<readonly MailRecord[]> =>
  (await staff.get<{ items: MailRecord[] }>(`${application}/mails`)).body.items;

/** The mails of which at least one attempt was made. */
const tried = async (staff: Person, application: string) =>
  (await mailsOf(staff, application))
    .filter(({ attempts }) => attempts > 0)
    .map(({ kind, state, fault }) => [kind, state, ...(fault === null ? [] : [fault])].join(' '));

describe('a service behind a proxy that was started without NODE_ENV', () => {
  it('shows mails to no one, and reports at its start what is missing', async () => {
    const provider = await openProvider();
    const env = { TRUSTED_PROXIES: 'loopback', LOG_LEVEL: 'warn' };
    const stage = await openStage(env, provider);
    const named = await openStage({ ...env, NODE_ENV: 'development' }, provider);
    for (const { service } of [stage, named]) {
      expect((await fetch(`${service.url}/outbox`)).status).toBe(404);
      const { signIn } = (await (await fetch(`${service.url}/apply/config.json`)).json()) as {
        signIn: string;
      };
      expect(signIn).toBe('oidc');
    }
    const warning = 'NODE_ENV is not set, and OIDC_ISSUER is';
    await eventually(async () => stage.service.output().includes(warning));
    expect(named.service.output()).not.toContain(warning);
    await stage.close();
    await named.close();
    await provider.issuer.close();
  });
});

describe('mails in development', () => {
  let stage: Stage;
  let roleId: string;
  beforeAll(async () => {
    stage = await openStage();
    roleId = await stage.role('Engineer');
  });
  afterAll(() => stage.close());

  const outbox = async (path = '', headers: Record<string, string> = {}) =>
    fetch(`${stage.service.url}/outbox${path}`, { headers: { Accept: 'application/json', ...headers } });
  const kept = async (): Promise<readonly KeptMail[]> =>
    ((await (await outbox()).json()) as { items: KeptMail[] }).items;
  const about = async ({ applicationId }: { applicationId: string }): Promise<readonly KeptMail[]> =>
    (await kept()).filter(({ text }) => text.includes(`/apply/${applicationId}`));

  it('lie in the outbox: invitation, extension, receipt', async () => {
    const candidate = await stage.candidate(roleId);
    const { person, session, application } = candidate;
    await eventually(async () => (await about(candidate)).length === 1);
    const [invitation] = await about(candidate);
    expect(invitation).toMatchObject({
      to: candidate.email,
      subject: 'Your invitation from Example: Engineer',
    });
    expect(invitation!.text).toContain(`${stage.service.url}/apply/${candidate.applicationId}`);
    const expiresAt = new Date(Date.now() + 20 * 24 * 3_600_000).toISOString();
    expect((await stage.owner.patch(application, { expiresAt })).status).toBe(200);
    await eventually(async () => (await about(candidate)).length === 2);
    const remind = (key: string) =>
      stage.owner.post<Partial<MailRecord> & { readonly code?: string }>(`${application}/remind`, undefined, {
        'Idempotency-Key': key,
      });
    const reminded = await remind('one');
    expect([reminded.status, reminded.body]).toMatchObject([
      202,
      { id: `reminder.${candidate.applicationId}`, kind: 'reminder', days: null, state: 'pending' },
    ]);
    await eventually(async () => (await about(candidate)).length === 3);
    expect((await remind('one')).body).toEqual(reminded.body);
    await eventually(async () => {
      const { status, body } = await remind(randomUUID());
      // Until its sending is recorded, the reminder counts as being sent.
      expect(status).toBe(409);
      return body.code === 'mail_resend_limited';
    });
    const latest = (await about(candidate))[0];
    expect(latest?.subject).toMatch(/^Open until .*: Engineer$/);
    expect(latest?.text).toContain(`${stage.service.url}/apply/${candidate.applicationId}`);
    await person.post(`${session}/start`, { consent: true });
    await person.post(`${session}/complete`);
    await eventually(async () => (await about(candidate)).length === 4);
    expect((await remind('two')).body).toMatchObject({ code: 'mail_pointless' });
    expect((await about(candidate)).map(({ subject }) => subject)).toEqual([
      'Received: your assessment for Engineer',
      latest?.subject,
      'New time limit for your assessment: Engineer',
      'Your invitation from Example: Engineer',
    ]);
    await eventually(async () => (await tried(stage.owner, application)).length === 4);
    expect(await tried(stage.owner, application)).toEqual([
      'invitation sent',
      'extension sent',
      'reminder sent',
      'receipt sent',
    ]);
  });

  it('come from the sender that the organisation names, with times in its zone', async () => {
    const settings = { timeZone: 'Europe/Berlin', senderName: 'Hiring at Example' };
    const changed = await stage.owner.patch(stage.at(), settings);
    expect(changed.body).toMatchObject(settings);
    const candidate = await stage.candidate(roleId);
    await eventually(async () => (await about(candidate)).length === 1);
    const [invitation] = await about(candidate);
    expect(invitation).toMatchObject({ senderName: 'Hiring at Example' });
    expect(invitation!.text).toMatch(
      /until \w+, \d+ \w+ \d{4} at \d\d:\d\d CES?T \((?:\w+ )?\d\d:\d\d UTC\)\./,
    );
    const { body } = await candidate.person.get(`${candidate.session}/briefing`);
    expect(body).toMatchObject({ timeZone: 'Europe/Berlin' });
    await stage.owner.patch(stage.at(), { timeZone: 'UTC', senderName: null });
    const later = await stage.candidate(roleId);
    await eventually(async () => (await about(later)).length === 1);
    expect((await about(later))[0]).toMatchObject({ senderName: 'Example' });
  });

  it('show the organisation’s logo, which anybody may read until it is replaced', async () => {
    const { owner } = stage;
    const at = (path: string) => new URL(path, stage.service.url);
    interface WithLogo {
      readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
    }
    const give = (data: string, headers = {}) => owner.put<WithLogo>(stage.at('/logo'), { data }, headers);
    const wide = await sharp({ create: { width: 300, height: 100, channels: 3, background: '#146' } })
      .jpeg()
      .toBuffer();
    expect((await give('bm90aGluZw==')).body).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'data', rule: 'logo', message: expect.stringMatching(/^The logo must be a PNG/) }],
    });
    // Larger than any other body.
    const full = Buffer.concat([wide, Buffer.alloc(LOGO_LIMITS.bytes - wide.byteLength)]);
    const given = await give(full.toString('base64'));
    expect(given).toMatchObject({ status: 200, body: { logo: { width: 300, height: 100 } } });
    const { url } = given.body.logo!;
    const path = new URL(url).pathname;
    const candidate = await stage.candidate(roleId);
    await eventually(async () => (await about(candidate)).length === 1);
    expect((await about(candidate))[0]!.html).toContain(
      `<img src="${url}" alt="Example" width="120" height="40"`,
    );
    const seen = await fetch(at(path));
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(seen.headers.get('cache-control')).toContain('immutable');
    expect(seen.headers.get('x-content-type-options')).toBe('nosniff');
    expect(seen.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await sharp(Buffer.from(await seen.arrayBuffer())).metadata()).format).toBe('jpeg');

    expect((await give(full.toString('base64'))).body.logo?.url).toBe(url);
    expect((await give(LOGO, { 'if-match': '"1"' })).status).toBe(412);
    const replaced = await give(LOGO);
    expect(replaced.body.logo?.url).not.toBe(url);
    expect((await fetch(at(path))).status).toBe(404);
    const removed = await owner.delete<WithLogo>(stage.at('/logo'));
    expect(removed).toMatchObject({ status: 200, body: { logo: null } });
    for (const gone of [new URL(replaced.body.logo!.url).pathname, '/logos/x/y', `${path}0`])
      expect((await fetch(at(gone))).status).toBe(404);
    const audit = await owner.get<{ items: { action: string }[] }>(stage.at('/audit'));
    expect(audit.body.items.filter(({ action }) => action === 'organisation.logo_changed')).toHaveLength(3);
  });

  it('report a cancellation by staff, and an erasure before the address is gone', async () => {
    const candidate = await stage.candidate(roleId);
    await eventually(async () => (await tried(stage.owner, candidate.application)).length === 1);
    await stage.owner.post(`${candidate.application}/cancel`);
    await eventually(async () =>
      (await kept()).some(({ to, subject }) => to === candidate.email && subject.includes('was cancelled')),
    );
    expect((await stage.owner.post(`${candidate.application}/erasure`)).status).toBe(202);
    await eventually(async () =>
      (await kept()).some(({ to, subject }) => to === candidate.email && subject.endsWith('was erased')),
    );
    await stage.owner.post(`${candidate.application}/erasure`);
    const farewells = (await kept()).filter(
      ({ to, subject }) => to === candidate.email && subject.endsWith('was erased'),
    );
    expect(farewells).toHaveLength(1);
    expect(stage.service.output()).not.toContain(candidate.email);
  });

  it('are a page for a person, and each one a page as a mail program shows it', async () => {
    await stage.candidate(roleId);
    await eventually(async () => (await kept()).length > 0);
    const page = await outbox('', { Accept: 'text/html,*/*;q=0.8' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const [mail] = await kept();
    const html = await page.text();
    expect(html).toContain(`<h2 id="mail-${mail!.number}"`);
    expect(html).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/apply\/[0-9a-f-]{36}">/);
    const shown = await outbox(`/${mail!.number}`);
    expect(await shown.text()).toBe(mail!.html);
    expect((await outbox('/nothing')).status).toBe(404);
  });

  it('and the development issuer are for this machine alone: not by a foreign name, not through a proxy', async () => {
    const { port, host } = new URL(stage.service.url);
    const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path, headers: { host, ...headers } };
        get(options, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    await stage.candidate(roleId);
    await eventually(async () => (await kept()).length > 0);
    const [mail] = await kept();
    for (const path of ['/outbox', `/outbox/${mail!.number}`, '/issuer', '/issuer/jwks']) {
      for (const headers of [
        { host: `rebound.example.com:${port}` },
        { host: '127.0.0.1.example.com' },
        { 'x-forwarded-for': '203.0.113.9' },
        { 'x-forwarded-for': '127.0.0.1' },
        { forwarded: 'for=203.0.113.9' },
        { via: '1.1 proxy' },
      ])
        expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, 403]);
      for (const name of [`localhost:${port}`, `assay.localhost:${port}`, `[::1]:${port}`])
        expect([path, name, await statusOf(path, { host: name })]).toEqual([path, name, 200]);
    }
  });

  it('are read only by members who may read applications', async () => {
    const { application, person } = await stage.candidate(roleId);
    expect((await person.get(`${application}/mails`)).status).toBe(403);
    const stranger = await stage.signIn('stranger@example.org');
    expect((await stranger.get(`${application}/mails`)).status).toBe(403);
    expect((await stage.owner.get(stage.at('/applications/nothing/mails'))).status).toBe(404);
  });
});

describe('mails by SMTP', () => {
  let smtp: MailServer;
  let stage: Stage;
  let roleId: string;
  /** Addresses that the server refuses for good, and addresses whose mails it defers. */
  const refused = new Set<string>();
  const deferred = new Set(['deferred@example.org']);
  const ending: (() => Promise<unknown>)[] = [];

  const open = async (more: Record<string, string> = {}): Promise<Stage> => {
    const opened = await openStage({ LOG_LEVEL: 'debug', ...mailsTo(smtp), ...more });
    ending.push(() => opened.close());
    return opened;
  };
  /** @returns the application's path */
  const invited = async (email: string): Promise<string> =>
    stage.at(`/applications/${(await invite(stage.owner, stage.org, roleId, email)).applicationId}`);
  const sentTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email));

  beforeAll(async () => {
    smtp = await openMailServer({
      onRcptTo: ({ address }, _, done) => (refused.has(address) ? done(smtpError(550)) : done()),
      onMail: ({ to }) => {
        if (to.some((address) => deferred.has(address))) throw smtpError(451);
      },
    });
    ending.push(() => smtp.close());
    stage = await open();
    roleId = await stage.role('Engineer');
  });
  afterAll(async () => {
    for (const end of ending.reverse()) await end();
  });

  it('arrive, and there is no outbox', async () => {
    const { applicationId, email, application } = await stage.candidate(roleId);
    await eventually(async () => (await tried(stage.owner, application)).length === 1);
    expect(await tried(stage.owner, application)).toEqual(['invitation sent']);
    const [mail] = smtp.received;
    expect(smtp.received).toHaveLength(1);
    expect(mail).toMatchObject({ from: 'jobs@example.org', to: [email] });
    expect(mail?.headers.get('subject')).toBe('Your invitation from Example: Engineer');
    expect(mail?.headers.get('message-id')).toMatch(/^<invitation\.[0-9a-f-]{36}@example\.org>$/);
    expect(mail?.text).toContain(`${stage.service.url}/apply/${applicationId}`);
    expect(mail?.html).toContain(`href="${stage.service.url}/apply/${applicationId}"`);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/<img|https?:\/\/(?!127\.0\.0\.1)/);
    expect((await fetch(`${stage.service.url}/outbox`)).status).toBe(404);
    expect(stage.service.output()).not.toContain(email);
  });

  it('are refused for good, or tried again, as the server says', async () => {
    refused.add('refused@example.org');
    const [first, second] = [await invited('refused@example.org'), await invited('deferred@example.org')];
    for (const application of [first, second])
      await eventually(async () => (await tried(stage.owner, application)).length === 1);
    expect(await tried(stage.owner, first)).toEqual(['invitation failed refused']);
    expect(await tried(stage.owner, second)).toEqual(['invitation pending deferred']);
    const [mail] = await mailsOf(stage.owner, second);
    expect(Date.parse(mail!.nextAttemptAt!) - Date.now()).toBeLessThan(40_000);
    expect(await stage.owner.post(`${second}/mails/${mail!.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'mail_pending' },
    });
    expect(stage.service.output()).not.toMatch(/(refused|deferred)@example/);
  });

  it('that failed for good are shown in the application, and sent again at the request of staff', async () => {
    const email = 'given-up@example.org';
    refused.add(email);
    const application = await invited(email);
    const problem = async () =>
      (await stage.owner.get<{ mailProblem: object | null }>(application)).body.mailProblem;
    await eventually(async () => (await problem()) !== null);
    const [mail] = await mailsOf(stage.owner, application);
    expect(await problem()).toEqual({
      ...{ mailId: mail!.id, kind: 'invitation', fault: 'refused', nextAttemptAt: null },
    });
    // The answer of a command has it, too.
    const extended = { expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
    expect((await stage.owner.patch(application, extended)).body).toMatchObject({
      mailProblem: { fault: 'refused' },
    });
    refused.delete(email);
    const resend = (id: string, key = 'once') =>
      stage.owner.post(`${application}/mails/${id}/resend`, undefined, { 'Idempotency-Key': key });
    const first = await resend(mail!.id);
    expect([first.status, first.body]).toMatchObject([202, { id: mail!.id, state: 'pending', fault: null }]);
    expect(await resend(mail!.id)).toMatchObject({ status: 202, body: first.body });
    await eventually(async () => (await mailsOf(stage.owner, application))[0]!.state === 'sent');
    await eventually(async () => (await problem()) === null);
    expect(
      sentTo(email).filter(({ headers }) => headers.get('subject')?.startsWith('Your inv')),
    ).toHaveLength(1);
    // It was sent a moment ago.
    expect(await resend(mail!.id, 'twice')).toMatchObject({
      status: 409,
      body: { code: 'mail_resend_limited' },
    });
    expect((await resend('invitation.nothing', 'none')).status).toBe(404);
    const { body } = await stage.owner.get<{ items: { action: string }[] }>(stage.at('/audit'));
    expect(body.items.filter(({ action }) => action === 'mail.resend_requested')).toHaveLength(1);
  });

  it('that an organisation asks for are limited before anything is stored', async () => {
    refused.add('bad@example.org');
    const limited = await open({ MAILS_PER_DAY: '4' });
    const path = limited.at(`/roles/${await limited.role()}/invitations`);
    const invite = (candidateEmail: string, key = candidateEmail) =>
      limited.owner.post<{ id: string; code?: string }>(path, { candidateEmail }, { 'Idempotency-Key': key });
    const applications = async () =>
      (await limited.owner.get<{ items: { id: string }[] }>(limited.at('/applications'))).body.items.length;
    const bad = await invite('bad@example.org');
    expect([bad.status, (await invite('b@example.org')).status]).toEqual([201, 201]);
    // Neither a repeated nor a refused invitation counts against the limit.
    for (let n = 0; n < 5; n++) {
      expect((await invite('b@example.org')).status).toBe(201);
      expect((await invite('b@example.org', `other ${n}`)).body.code).toBe('already_invited');
      expect((await limited.owner.post(path, { candidateEmail: 'no address' })).status).toBe(400);
    }
    const batch = (...emails: string[]) =>
      limited.owner.post<{ items: { status: number }[] }>(`${path}/batch`, {
        invitations: emails.map((candidateEmail) => ({ candidateEmail })),
      });
    const many = await batch('c@example.org', 'd@example.org', 'e@example.org');
    expect([many.status, many.body]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(many.headers.get('retry-after'))).toBeGreaterThan(3_600);
    expect(await applications()).toBe(2);
    expect((await batch('c@example.org', 'd@example.org')).body.items.map(({ status }) => status)).toEqual([
      201, 201,
    ]);
    const one = await invite('e@example.org');
    expect([one.status, one.body, Number(one.headers.get('retry-after')) > 3_600]).toMatchObject([
      429,
      { code: 'rate_limited' },
      true,
    ]);
    expect(await applications()).toBe(4);
    const application = limited.at(`/applications/${bad.body.id}`);
    await eventually(async () => (await mailsOf(limited.owner, application))[0]?.state === 'failed');
    const [mail] = await mailsOf(limited.owner, application);
    const resent = await limited.owner.post(`${application}/mails/${mail!.id}/resend`);
    expect([resent.status, resent.body]).toMatchObject([429, { code: 'rate_limited' }]);
    expect((await mailsOf(limited.owner, application))[0]).toMatchObject({ state: 'failed' });
  });

  it('that a former sending of a batch has asked for are no new ones: its repetition passes the limit', async () => {
    const limited = await open({ MAILS_PER_DAY: '2' });
    const path = limited.at(`/roles/${await limited.role()}/invitations/batch`);
    const batch = (key: string) =>
      limited.owner.post<{ items: { status: number }[] }>(
        path,
        {
          invitations: ['c@example.org', 'no address', 'd@example.org'].map((candidateEmail) => ({
            candidateEmail,
          })),
        },
        { 'Idempotency-Key': key },
      );
    // What is no invitation asks for no mail either.
    const first = await batch('one');
    expect(first.body.items.map(({ status }) => status)).toEqual([201, 400, 201]);
    expect((await batch('one')).body).toEqual(first.body);
    expect((await batch('another')).status).toBe(429);
  });

  it('to one address are ten a day, and staff see when the next goes', async () => {
    const path = stage.at(`/roles/${roleId}/invitations`);
    const all: string[] = [];
    for (let n = 0; n < 8; n++) {
      const { status, body } = await stage.owner.post<{ id: string }>(path, {
        candidateEmail: 'ann@example.org',
      });
      expect(status).toBe(201);
      const application = stage.at(`/applications/${body.id}`);
      all.push(application);
      await eventually(async () => {
        const [mail] = await mailsOf(stage.owner, application);
        return mail?.state === 'sent' || mail?.state === 'limited';
      });
      await stage.owner.post(`${application}/cancel`);
      await eventually(async () =>
        (await mailsOf(stage.owner, application)).every(({ state }) => state !== 'pending'),
      );
    }
    const { body } = await stage.owner.post<{ id: string }>(path, { candidateEmail: 'ann@example.org' });
    const application = stage.at(`/applications/${body.id}`);
    await eventually(async () => (await mailsOf(stage.owner, application))[0]?.state === 'limited');
    const [mail] = await mailsOf(stage.owner, application);
    const { mailProblem } = (await stage.owner.get<{ mailProblem: object }>(application)).body;
    expect(mailProblem).toMatchObject({ fault: 'limited', nextAttemptAt: mail!.nextAttemptAt });
    expect(Date.parse(mail!.nextAttemptAt!)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    // The first five got an invitation and a cancellation. The others got neither, since no invitation was sent.
    expect(sentTo('ann@example.org')).toHaveLength(10);
    const kinds = (await Promise.all(all.map((one) => mailsOf(stage.owner, one)))).map((list) =>
      list.map(({ kind, state }) => `${kind} ${state}`),
    );
    expect(kinds.slice(0, 5)).toEqual(Array(5).fill(['invitation sent', 'cancellation sent']));
    expect(kinds.slice(5)).toEqual([[], [], []]);
  });

  it('are cut off by a stop while requests are still answered: the waits do not add up', async () => {
    const order: string[] = [];
    let begun = false;
    const silent = await openMailServer({
      onMail: () => {
        begun = true;
        return new Promise(() => undefined);
      },
      onClose: () => void order.push('mail'),
    });
    ending.push(() => silent.close());
    const own = await openStage(mailsTo(silent));
    await own.candidate(await own.role());
    await eventually(() => begun);
    const half = connect(own.service.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise<void>((settle) => half.once('close', settle));
    half.write(
      `POST ${own.at('/roles')} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    const answered = (await own.owner.get('/me')).status;
    await Promise.all([closed.then(() => order.push('request')), own.close()]);
    expect([answered, order]).toEqual([200, ['mail', 'request']]);
  });

  it('are sent again by the next process if one is killed before it could note it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'assay-mail-'));
    ending.push(() => rm(dataDir, { recursive: true, force: true }));
    let service: Service | null = null;
    const killing = await openMailServer({ onMail: (_, count) => void (count === 1 && service?.kill()) });
    ending.push(() => killing.close());
    const start = async (): Promise<Service> => {
      const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'debug', ...mailsTo(killing) };
      service = await startService({ dataDir, env });
      ending.push(() => service!.stop());
      return service;
    };
    const first = await start();
    const org = await createOrganisation(dataDir, 'Example', 'owner@example.org');
    const inviting = await new Api(first.url).as('owner@example.org');
    const role = await inviting.post<{ id: string }>(`/organisations/${org}/roles`, definition());
    // The process may be killed before it answers.
    await invite(inviting, org, role.body.id, 'carol@example.org').catch(() => null);
    await first.ended();
    const next = await start();
    await eventually(async () => killing.received.length === 2);
    const ids = killing.received.map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(1);
    const owner = await new Api(next.url).as('owner@example.org');
    const { body } = await owner.get<{ items: { id: string }[] }>(`/organisations/${org}/applications`);
    const path = `/organisations/${org}/applications/${body.items[0]!.id}`;
    await eventually(async () => (await tried(owner, path)).length === 1);
    expect(await tried(owner, path)).toEqual(['invitation sent']);
  });
});
