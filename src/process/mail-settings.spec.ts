import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from './config.js';
import { ConfigurationProblem } from './variable-reader.js';
import type { Environment } from './variables.js';

const production = {
  NODE_ENV: 'production',
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_AUDIENCE: 'assay',
  DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  SIGNING_KEY: Buffer.alloc(32, 8).toString('base64'),
  PUBLIC_URL: 'https://assay.example.org',
};
const MAIL_FROM = 'jobs@example.org';

const mail = (environment: Environment) => readConfiguration(environment).mail;
const way = (SMTP_URL: string, environment: Environment = {}) =>
  mail({ ...environment, SMTP_URL, MAIL_FROM }).way;

const problem = (environment: Environment): ConfigurationProblem => {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('mails', () => {
  it('go to the outbox in development and nowhere in production, without a server', () => {
    expect(mail({}).way).toEqual({ kind: 'outbox' });
    expect(mail(production).way).toEqual({ kind: 'off' });
  });

  it('go nowhere where others than this machine could read the outbox, whatever NODE_ENV says', () => {
    const provider = { OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'assay' };
    expect(mail(provider).way).toEqual({ kind: 'outbox' });
    for (const [name, value] of [
      ['PUBLIC_URL', 'https://assay.example.org'],
      ['TRUSTED_PROXIES', 'loopback'],
      ['HOST', '0.0.0.0'],
    ] as const)
      expect([name, mail({ ...provider, [name]: value }).way]).toEqual([name, { kind: 'off' }]);
    expect(mail({ HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' }).way).toEqual({ kind: 'outbox' });
  });

  it.each([
    ['smtp://mail.example.org', { port: 587, secure: false, login: null }],
    ['smtps://mail.example.org', { port: 465, secure: true }],
    ['smtp://mail.example.org:2525/', { port: 2525 }],
    ['smtp://u:p%3A%2F%40@[::1]:25', { host: '::1', port: 25, login: { user: 'u', password: 'p:/@' } }],
    ['smtp://u%40example.org:p@h', { login: { user: 'u@example.org', password: 'p' } }],
  ])('go to %s', (url, server) => {
    expect(way(url)).toMatchObject({ kind: 'smtp', ...server });
  });

  it('travel with TLS in production, and wherever a password does, except on this machine', () => {
    const isRequired = (url: string, environment: Environment = {}) =>
      (way(url, environment) as { requireTls?: boolean }).requireTls;
    expect(isRequired('smtp://mail.example.org', production)).toBe(true);
    expect(isRequired('smtp://127.0.0.1:25', production)).toBe(false);
    expect(isRequired('smtp://mail.example.org')).toBe(false);
    expect(isRequired('smtp://u:p@mail.example.org')).toBe(true);
  });

  it.each([
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://user@mail.example.org',
    'smtp://:hunter2@mail.example.org',
    'smtp://u:hunter2%@mail.example.org',
    'smtp://u:hunter2@mail.example.org/path',
    'smtp://u:hunter2@mail.example.org?tls=no',
    'smtp://mail.example.org:0',
  ])('are refused with SMTP_URL=%s, without a password in the sentence', (SMTP_URL) => {
    const { variable, message } = problem({ SMTP_URL, MAIL_FROM });
    expect(variable).toBe('SMTP_URL');
    expect(message).toMatch(/^SMTP_URL must [^\n]+\.$/);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    ['https://assay.example.org/jobs', 'me@mail.example', '', 'assay.example.org'],
    ['https://bücher.example.', 'me@mail.example', '', 'xn--bcher-kva.example'],
    ['http://localhost:3000', 'me@mail.example', '', 'mail.example'],
    ['http://127.0.0.1:3000', 'me@mail.example', '', 'mail.example'],
    ['http://[::1]:3000', 'me@mail.example', '', 'mail.example'],
    ['', 'me@mail.example', '', 'mail.example'],
    ['http://assay:3000', 'me@localhost', '', 'assay'],
    ['http://127.0.0.1:3000', 'me@localhost', '', 'localhost'],
    ['http://127.0.0.1:3000', 'me@192.0.2.1', '', '[192.0.2.1]'],
    ['https://assay.example.org', 'me@mail.example', 'out.example.net', 'out.example.net'],
  ])('greet the server by a name wherever one is known: %s, %s, %j: %s', (PUBLIC_URL, sender, set, name) => {
    const issuer = { OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'assay' };
    const environment = {
      ...issuer,
      PUBLIC_URL,
      MAIL_FROM: sender,
      SMTP_CLIENT_NAME: set,
      SMTP_URL: 'smtp://h',
    };
    expect(mail(environment).way).toMatchObject({ clientName: name });
  });

  it.each(['[127.0.0.1]', '127.0.0.1', 'a b', 'a\r\nQUIT', '-a'])(
    'greet no server by %j',
    (SMTP_CLIENT_NAME) => {
      expect(problem({ SMTP_URL: 'smtp://h', MAIL_FROM, SMTP_CLIENT_NAME }).variable).toBe(
        'SMTP_CLIENT_NAME',
      );
    },
  );

  it('need an address to link to, in production', () => {
    const { variable } = problem({ ...production, PUBLIC_URL: '', SMTP_URL: 'smtps://h', MAIL_FROM });
    expect(variable).toBe('PUBLIC_URL');
  });

  it('need a sender with a server', () => {
    expect(problem({ SMTP_URL: 'smtp://localhost' }).variable).toBe('MAIL_FROM');
    expect(mail({ MAIL_FROM: '"Example, Ltd." <jobs@example.org>' }).from).toEqual({
      name: 'Example, Ltd.',
      address: 'jobs@example.org',
    });
    expect(mail({ MAIL_FROM }).from).toEqual({ name: null, address: MAIL_FROM });
  });
});
