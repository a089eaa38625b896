import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  openMailServer,
  type MailServer,
  type MailServerOptions,
  smtpError,
} from '../../test/support/smtp.js';
import type { SmtpServer } from '../process/mail-settings.js';
import { type Mail, MailRefused, MailUnavailable, openMails, Outbox, smtpMailer } from './mail.js';

const LIMITS = { connectMs: 2_000, idleMs: 500, wholeMs: 2_000 };
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
  smtpMailer(
    { kind: 'smtp', host: '127.0.0.1', port, secure: false, requireTls: false, login: null, ...server },
    FROM,
    LIMITS,
  );

/** The failure of a mail that is sent to this server. */
const failure = async (
  { port }: { port: number },
  server?: Partial<SmtpServer>,
  mail: Mail = MAIL,
): Promise<MailRefused | MailUnavailable> => {
  const error: unknown = await (await mailer(port, server)).send(mail).catch((reason: unknown) => reason);
  if (error instanceof MailRefused || error instanceof MailUnavailable) return error;
  throw new Error(`Unexpected: ${String(error)}`);
};

describe('A mail by SMTP', () => {
  it('arrives as it is, in both forms', async () => {
    const server = await serve();
    await (await mailer(server.port)).send(MAIL);
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

  it('goes to one recipient, whatever the address looks like', async () => {
    const server = await serve();
    const send = async (to: string) => (await mailer(server.port)).send({ ...MAIL, to });
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
    await (await mailer(server.port, login('right'))).send(MAIL);
    expect(server.received).toHaveLength(1);
    expect(await failure(server, login('wrong'))).toMatchObject({ fault: 'not_permitted' });
    expect(await failure(server)).toMatchObject({ fault: 'not_permitted' });
  });

  it.each([
    ['recipient', 550, 'onRcptTo'],
    ['sender', 550, 'onMailFrom'],
    ['recipient', 450, 'onRcptTo'],
    ['sender', 451, 'onMailFrom'],
  ] as const)('is refused for its %s with %d', async (_, code, when) => {
    const server = await serve({
      [when]: (_address: unknown, _session: unknown, done: (e: Error) => void) => done(smtpError(code)),
    });
    const error = await failure(server);
    const fault = code < 500 ? 'deferred' : when === 'onRcptTo' ? 'refused' : 'not_permitted';
    expect(error).toMatchObject({ fault });
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('carol@');
  });

  it.each([
    [554, 'refused'],
    [452, 'deferred'],
  ])('is refused after its content with %d', async (code, fault) => {
    const server = await serve({
      onMail: () => {
        throw smtpError(code);
      },
    });
    expect(await failure(server)).toMatchObject({ fault });
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

  it('ends with its signal', async () => {
    const server = await serve({ onMail: () => new Promise(() => undefined) });
    const abort = new AbortController();
    const sent = (await mailer(server.port)).send(MAIL, abort.signal);
    setTimeout(() => abort.abort(new Error('The service stops.')), 100);
    await expect(sent).rejects.toThrow('The service stops.');
    await expect((await mailer(server.port)).send(MAIL, abort.signal)).rejects.toThrow('The service stops.');
  });

  it('travels with TLS or not at all, where TLS is required', async () => {
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
      // Nobody that the machine trusts has signed the certificate.
      expect(await failure(tls, { requireTls: true })).toMatchObject({ name: 'MailUnavailable' });
      expect(tls.delivered).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('The outbox', () => {
  it('keeps the last mails, newest first', async () => {
    const outbox = new Outbox(() => new Date(0));
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
    const { mailer: inDevelopment, outbox } = await openMails({ way: { kind: 'outbox' }, from: FROM });
    expect(inDevelopment).toBe(outbox);
    expect(await openMails({ way: { kind: 'off' }, from: FROM })).toEqual({ mailer: null, outbox: null });
  });
});
