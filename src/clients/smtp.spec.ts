import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openMailServer,
  openScriptedServer,
  type MailServer,
  type MailServerOptions,
} from '../../test/support/smtp.js';
import type { SmtpServer } from '../process/mail-settings.js';
import { type Mail, MailRefused, MailUnavailable, OutboxMailer } from './mail.js';
import { openMails, SMTP_LIMITS, SmtpMailer, URGENT_LIMITS } from './smtp.js';

const LIMITS = { connectMs: 2_000, stepMs: 500, acceptMs: 2_000 };
const URGENT = { connectMs: 2_000, stepMs: 500, acceptMs: 700 };
const SERVER: SmtpServer = {
  ...{ kind: 'smtp', host: '127.0.0.1', port: 0, secure: false, requireTls: false, login: null },
  clientName: 'assay.example.org',
};
const FROM = { name: 'Example, Ltd.', address: 'jobs@example.org' };
const MAIL: Mail = {
  to: 'carol@example.org',
  subject: 'Grüße',
  text: 'Öffnen: https://assay.example.org/apply/1',
  html: '<p>Öffnen</p>',
  id: 'invitation-1',
};

let open: MailServer | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

const serve = async (options?: MailServerOptions): Promise<MailServer> =>
  (open = await openMailServer(options));
const mailer = (port: number, server: Partial<SmtpServer> = {}) =>
  new SmtpMailer({ ...SERVER, port, ...server }, FROM, LIMITS, URGENT);

/** The failure of a mail that is sent by this mailer. */
const failureBy = async (one: SmtpMailer): Promise<MailRefused | MailUnavailable> => {
  const error: unknown = await one.send(MAIL).catch((reason: unknown) => reason);
  if (error instanceof MailRefused || error instanceof MailUnavailable) return error;
  throw new Error(`Unexpected: ${String(error)}`);
};
const failure = ({ port }: { port: number }, server?: Partial<SmtpServer>) => failureBy(mailer(port, server));

describe('A mail by SMTP', () => {
  it('arrives as it is, in both forms', async () => {
    const server = await serve();
    await mailer(server.port).send(MAIL);
    const [mail] = server.received;
    expect(mail).toMatchObject({
      from: 'jobs@example.org',
      to: ['carol@example.org'],
      html: '<p>Öffnen</p>',
    });
    expect(mail?.text).toBe(MAIL.text);
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: '"Example, Ltd." <jobs@example.org>',
      to: 'carol@example.org',
      'message-id': '<invitation-1@example.org>',
      'auto-submitted': 'auto-generated',
    });
  });

  it('comes from the sender that it names, at the address of all mails', async () => {
    const server = await serve();
    await mailer(server.port).send({ ...MAIL, senderName: 'Müller, "Hiring"' });
    const [mail] = server.received;
    expect(mail?.from).toBe('jobs@example.org');
    expect(Object.fromEntries(mail?.headers ?? [])['from']).toMatch(/^=\?UTF-8\?.*\?= <jobs@example\.org>$/);
  });

  it.each([
    'Hiring\r\nBcc: mallory@example.org',
    'Hiring\nBcc: mallory@example.org\n\nOther words',
    'Hiring\rSubject: other',
    'Hiring" <mallory@example.org>, "Other',
    '<mallory@example.org>',
    'mallory@example.org',
    '\\"',
    'x'.repeat(200) + '\r\nBcc: mallory@example.org',
    'Ü\r\nBcc: mallory@example.org',
    'Group: mallory@example.org;',
  ])('has the headers that the service gives it, whatever a name or subject holds: %j', async (name) => {
    const server = await serve();
    await mailer(server.port).send(MAIL);
    await mailer(server.port).send({ ...MAIL, senderName: name, subject: name });
    const [plain, mail] = server.received;
    expect([mail?.from, mail?.to]).toEqual(['jobs@example.org', ['carol@example.org']]);
    const headers = Object.fromEntries(mail?.headers ?? []);
    expect(Object.keys(headers).sort()).toEqual([...(plain?.headers.keys() ?? [])].sort());
    expect(headers['to']).toBe('carol@example.org');
    // Quoted or encoded as a whole, before the one address.
    expect(headers['from']).toMatch(
      /^(?:"(?:[^"\\]|\\.)*"|(?:=\?UTF-8\?[QB]\?[^? ]*\?=\s*)+|[\w ]+) <jobs@example\.org>$/,
    );
    expect(mail?.text).toBe(MAIL.text);
  });

  it('goes to one recipient, whatever the address looks like', async () => {
    const server = await serve();
    const send = async (to: string) => mailer(server.port).send({ ...MAIL, to });
    await send('"mallory@example.org, carol"@example.org').catch(() => undefined);
    await send('carol@example.org>\r\nRCPT TO:<mallory@example.org').catch(() => undefined);
    await send('Grp:mallory@example.org;').catch(() => undefined);
    expect(server.received.flatMap(({ to }) => to)).not.toContain('mallory@example.org');
  });

  it('signs in', async () => {
    const server = await serve({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        password === 'right' ? done(null, { user: username ?? '' }) : done(new Error('wrong')),
    });
    const login = (password: string) => ({ login: { user: 'assay', password } });
    await mailer(server.port, login('right')).send(MAIL);
    expect(server.received).toHaveLength(1);
    expect(await failure(server, login('wrong'))).toMatchObject({ fault: 'not_permitted' });
    expect(await failure(server)).toMatchObject({ fault: 'not_permitted' });
  });

  const OURS = 'not_permitted';
  it.each([
    // The status code blames the recipient's address, at whichever command the server sends it.
    ['RCPT TO', '550 5.1.1 no such user', 'refused'],
    ['RCPT TO', '550 5.1.2 no such host', 'refused'],
    ['RCPT TO', '501 5.1.3 no address', 'refused'],
    ['RCPT TO', '551 5.1.6 has moved', 'refused'],
    ['RCPT TO', '556 5.1.10 takes no mails', 'refused'],
    ['RCPT TO', '550 5.2.1 disabled', 'refused'],
    ['DATA', '550 5.1.1 no such user', 'refused'],
    ['DATA', '554 5.2.1 disabled', 'refused'],
    ['RCPT TO', '550-5.1.1 no such user\r\n550-5.1.1 here,\r\n550 5.1.1 nor there', 'refused'],
    ['RCPT TO', '553 no such mailbox (#5.1.1)', 'refused'],
    // The service's own: sender, quota, rate, relaying, policy.
    ['MAIL FROM', '550 5.1.8 bad sender', OURS],
    ['MAIL FROM', '550 5.1.1 no such sender', OURS],
    ['MAIL FROM', '550 5.7.1 not allowed', OURS],
    ['MAIL FROM', '530 5.7.0 sign in first', OURS],
    ['RCPT TO', '550 5.1.8 bad sender', OURS],
    ['RCPT TO', '550 5.4.5 daily quota exceeded', OURS],
    ['RCPT TO', '554 5.7.1 relay access denied', OURS],
    ['RCPT TO', '550 5.7.26 no SPF and no DKIM', OURS],
    ['RCPT TO', '504 5.5.2 need a fully-qualified host name', OURS],
    ['RCPT TO', '553 not in my list of hosts (#5.7.1)', OURS],
    ['DATA', '554 5.7.0 a policy', OURS],
    ['DATA', '554 5.2.0 sending limit', OURS],
    ['DATA', '550 5.4.5 daily quota exceeded', OURS],
    ['DATA', '552 5.3.4 too big', OURS],
    // Without a status code, or with one that says nothing.
    ['MAIL FROM', '550 no', OURS],
    ['MAIL FROM', '553 no', OURS],
    ['RCPT TO', '550 no', 'refused'],
    ['RCPT TO', '550 5.0.0 no', 'refused'],
    ['RCPT TO', '551 no', 'refused'],
    ['RCPT TO', '553 no', 'refused'],
    ['RCPT TO', '521 no', 'refused'],
    ['RCPT TO', '552 no', 'deferred'],
    ['RCPT TO', '554 no', OURS],
    ['RCPT TO', '530 no', OURS],
    ['RCPT TO', '503 no', OURS],
    ['DATA', '550 no', OURS],
    ['DATA', '554 no', OURS],
    ['DATA', '552 no', 'deferred'],
    // For now.
    ['MAIL FROM', '451 no', 'deferred'],
    ['RCPT TO', '450 5.1.1 no such user, but who knows', 'deferred'],
    ['RCPT TO', '450 4.2.0 greylisted', 'deferred'],
    ['RCPT TO', '550 4.1.1 not known yet', 'deferred'],
    ['RCPT TO', '552 5.2.2 mailbox full', 'deferred'],
    ['RCPT TO', '550 5.2.2 mailbox full', 'deferred'],
    ['DATA', '452 4.3.1 no room', 'deferred'],
    ['DATA', '552 5.2.2 mailbox full', 'deferred'],
    ['EHLO', '421 4.7.0 not by that name', 'deferred'],
    ['greeting', '421 busy', 'deferred'],
    ['greeting', '554 no service', OURS],
  ])('is the address’s fault or ours by the status code: %s answers %j: %s', async (stage, reply, fault) => {
    const server = await openScriptedServer({ replies: { [stage]: reply } });
    const one = mailer(server.port);
    const error = await failureBy(one).finally(() => server.close());
    expect(error).toMatchObject({ fault });
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('carol@');
    const isCommon = fault === OURS || !['RCPT TO', 'DATA'].includes(stage) || reply.includes('4.3.1');
    if (isCommon) expect(one.problem).toMatch(/^The mail server answers \d{3}(?: \d\.\d+\.\d+)? to /);
    else expect(one.problem).toBeNull();
    expect(one.problem ?? '').not.toMatch(/carol|no such|quota exceeded/);
  });

  it.each([
    ['550 relay not permitted', OURS],
    ['553 no', OURS],
    ['550 5.1.1 no such user', 'refused'],
  ])(
    'is not the address’s fault without a status code if the login could not be used: %s',
    async (reply, fault) => {
      const server = await openScriptedServer({ replies: { 'RCPT TO': reply } });
      const one = mailer(server.port, { login: { user: 'assay', password: 'right' } });
      expect(await failureBy(one).finally(() => server.close())).toMatchObject({ fault });
    },
  );

  it('that is taken ends what was known against the server', async () => {
    const full = await openScriptedServer({ replies: { DATA: '554 5.7.0 a policy' } });
    const one = mailer(full.port);
    await failureBy(one);
    await full.close();
    expect(one.problem).toContain('554 5.7.0');
    const well = await openScriptedServer({ port: full.port });
    await one.send(MAIL).finally(() => well.close());
    expect(one.problem).toBeNull();
  });

  it('is sent by a client that gives its name, never an address in brackets', async () => {
    const server = await openScriptedServer();
    await mailer(server.port)
      .send(MAIL)
      .finally(() => server.close());
    expect(server.lines[0]).toBe('EHLO assay.example.org');
  });

  it.each([
    ['a server that knows SMTPUTF8', ['SMTPUTF8'], true],
    ['no server that does not', ['8BITMIME', 'PIPELINING'], false],
    ['no server that names it among others', ['X-NO-SMTPUTF8 SMTPUTF8X'], false],
    ['no server without extensions', [], false],
  ] as const)('to an address beyond ASCII goes to %s', async (_, extensions, isSent) => {
    const server = await openScriptedServer({ extensions });
    const result = await mailer(server.port)
      .send({ ...MAIL, to: 'jörg@bücher.example' })
      .catch((error: unknown) => error)
      .finally(() => server.close());
    if (isSent) expect(server.lines).toContain('RCPT TO:<jörg@bücher.example>');
    else expect(result).toMatchObject({ fault: 'refused' });
    expect(server.isAscii).toBe(!isSent);
  });

  it('may have been sent if the connection breaks after its content', async () => {
    const server = await serve({
      onMail: (_mail, _count, destroy) => (destroy(), new Promise(() => undefined)),
    });
    expect(await failure(server)).toMatchObject({ name: 'MailUnavailable', fault: 'unreachable' });
    expect(server.delivered).toBe(1);
  });

  it('fails without a server, and with one that says nothing or hangs', async () => {
    const server = await serve({ onMail: () => new Promise(() => undefined) });
    expect(await failure(server)).toMatchObject({ fault: 'timed_out' });
    await server.close();
    expect(await failure(server)).toMatchObject({ fault: 'unreachable' });
    const silent = createServer();
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    try {
      const { port } = silent.address() as { port: number };
      expect(await failure({ port })).toMatchObject({ fault: 'timed_out' });
    } finally {
      silent.close();
    }
  });

  it('takes no longer than its limit, however lively the server is', async () => {
    const trickling = createServer((socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('220-a moment\r\n'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((ready) => trickling.listen(0, '127.0.0.1', ready));
    try {
      const { port } = trickling.address() as { port: number };
      expect(await failure({ port })).toMatchObject({ fault: 'timed_out' });
    } finally {
      trickling.close();
    }
  });

  it('that a slow scanner accepts late is not given up before the protocol’s own time-out', async () => {
    const server = await serve({ onMail: () => new Promise((accept) => setTimeout(accept, 1_200)) });
    await mailer(server.port).send(MAIL);
    expect(server.delivered).toBe(1);
    // As of RFC 5321, section 4.5.3.2; a code of 10 minutes cannot wait so long, with its three retries.
    expect(SMTP_LIMITS).toMatchObject({ stepMs: 5 * 60_000, acceptMs: 10 * 60_000 });
    const pausesMs = 2_000 + 10_000 + 30_000;
    expect(4 * URGENT_LIMITS.acceptMs + pausesMs).toBeLessThan(10 * 60_000);
    await expect(mailer(server.port).send({ ...MAIL, isUrgent: true })).rejects.toMatchObject({
      fault: 'timed_out',
    });
  });

  it('ends with its signal', async () => {
    const server = await serve({ onMail: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const sent = mailer(server.port).send(MAIL, abort.signal);
    setTimeout(() => abort.abort(new Error('The service stops.')), 100);
    await expect(sent).rejects.toThrow('The service stops.');
    await expect(mailer(server.port).send(MAIL, abort.signal)).rejects.toThrow('The service stops.');
  });

  it('that ends before its first step leaves no rejection that nobody handles', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const abort = new AbortController();
      const sent = mailer(1).send(MAIL, abort.signal);
      // While the mailer's program is loaded.
      abort.abort(new Error('The service stops.'));
      await expect(sent).rejects.toThrow('The service stops.');
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  it('travels with TLS or not at all, where TLS is required; else also with a self-signed certificate', async () => {
    const plain = await serve();
    expect(await failure(plain, { requireTls: true })).toMatchObject({ fault: 'insecure' });
    await plain.close();
    const folder = mkdtempSync(join(tmpdir(), 'assay-mail-'));
    try {
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const subject = ['-subj', '/CN=localhost', '-days', '1', '-keyout', key, '-out', cert];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
        stdio: 'ignore',
      });
      const tls = await serve({ key: readFileSync(key), cert: readFileSync(cert) });
      // No authority that the machine trusts has signed the certificate.
      expect(await failure(tls, { requireTls: true })).toMatchObject({ fault: 'insecure' });
      expect(tls.delivered).toBe(0);
      // Without STARTTLS the mail would be sent in plain text here, which is no better.
      await mailer(tls.port).send(MAIL);
      expect(tls.delivered).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('The outbox', () => {
  it('keeps the last mails, newest first', async () => {
    const outbox = new OutboxMailer(() => new Date(0));
    for (let n = 1; n <= 210; n++) await outbox.send({ ...MAIL, subject: `${n}` });
    expect(outbox.mails).toHaveLength(200);
    expect(outbox.mails[0]).toEqual({
      ...MAIL,
      subject: '210',
      number: 210,
      sentAt: '1970-01-01T00:00:00.000Z',
    });
  });

  it('is the mailer in development, and production without a server has none', async () => {
    const { mailer: inDevelopment, outbox } = openMails({ way: { kind: 'outbox' }, from: FROM, perDay: 1 });
    expect(inDevelopment).toBe(outbox);
    expect(openMails({ way: { kind: 'off' }, from: FROM, perDay: 1 })).toEqual({
      mailer: null,
      outbox: null,
    });
  });
});
