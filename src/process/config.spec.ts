import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfiguration } from './config.js';
import { serviceKeys } from './secret-files.js';
import { ConfigurationProblem } from './variable-reader.js';
import type { Environment } from './variables.js';

const KEY = Buffer.alloc(32, 7);
const production: Environment = {
  NODE_ENV: 'production',
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_AUDIENCE: 'assay',
  DATA_KEY: KEY.toString('base64'),
  SIGNING_KEY: KEY.toString('hex'),
};

const problem = (environment: Environment): ConfigurationProblem => {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('the configuration', () => {
  it('needs nothing in development', () => {
    expect(readConfiguration({})).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      healthPort: null,
      publicUrl: null,
      allowedOrigins: [],
      dataDir: resolve('./data'),
      servers: null,
      segments: 1,
      historyEvents: 100_000,
      automatic: true,
      graceMs: 3_600_000,
      dataKey: null,
      signingKey: null,
      dataKeyPrevious: null,
      formerSigningKeys: [],
      identity: { kind: 'development', audience: 'assay' },
      development: 'local',
      warning: null,
      projector: 'embedded',
      trustedEmailIssuers: [],
      trustedProxies: [],
      rateLimits: true,
      signInLimits: { codesPer15Minutes: 5, codesPerDay: 20, formsPerMinute: 1_200 },
      webhookAllowPrivate: false,
      mail: { way: { kind: 'outbox' }, from: { name: 'Assay', address: 'assay@localhost' }, perDay: 2_000 },
      candidateSignIn: 'email',
      logLevel: 'info',
      interviewer: { kind: 'scripted' },
      scorer: { kind: 'rubric' },
      transcriber: { kind: 'browser' },
      synthesiser: { kind: 'browser' },
      detector: { kind: 'none' },
      checker: { kind: 'none' },
    });
  });

  it('tells all that production misses, and all that is wrong, at once', () => {
    const { variable, message } = problem({
      NODE_ENV: 'production',
      PORT: 'http',
      SMTP_URL: 'smtps://user:secret@mail.example.org',
      EVENTSTORE_URL: 'esdb://events.example.org',
      MONGODB_URL: 'mongodb://views.example.org',
      SCORER: 'openai',
    });
    const names = message.split('\n').map((line) => line.split(' ')[0]);
    expect(names.sort()).toEqual([
      ...['DATA_KEY', 'EVENTSTORE_URL', 'MAIL_FROM', 'MONGODB_URL', 'OIDC_AUDIENCE', 'OIDC_ISSUER'],
      ...['OPENAI_MODEL', 'PORT', 'PUBLIC_URL', 'SIGNING_KEY'],
    ]);
    expect(names).toContain(variable);
    expect(message).not.toContain('secret');
  });

  it('takes no proxy at all for none', () => {
    expect(readConfiguration({ TRUSTED_PROXIES: 'none' })).toEqual(readConfiguration({}));
    expect(problem({ TRUSTED_PROXIES: 'loopback' }).variable).toBe('OIDC_ISSUER');
  });

  it('takes an empty variable for an unset one', () => {
    expect(readConfiguration({ PORT: '', HOST: ' ', LOG_LEVEL: '' })).toEqual(readConfiguration({}));
  });

  it('reads every variable', () => {
    const models = { kind: 'openai', baseUrl: 'https://models.example.org/v1', apiKey: 'sk-1' };
    const configuration = readConfiguration({
      ...production,
      HOST: '::1',
      PORT: '0',
      HEALTH_PORT: '9464',
      PUBLIC_URL: 'https://assay.example.org/api/',
      ALLOWED_ORIGINS: 'https://a.example.org, http://localhost:5173',
      DATA_DIR: '/var/lib/assay',
      DATA_KEY_PREVIOUS: KEY.toString('base64url'),
      FORMER_SIGNING_KEYS: ` ${KEY.toString('base64url')},`,
      HISTORY_EVENTS: '2500',
      REBUILD: 'manual',
      ROLLBACK_MINUTES: '5',
      PROJECTOR: 'off',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,loopback',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      SMTP_URL: 'smtps://assay:a%40b@mail.example.org',
      MAIL_FROM: 'Example <jobs@example.org>',
      SMTP_CLIENT_NAME: 'out.example.org',
      MAILS_PER_DAY: '500',
      CANDIDATE_SIGN_IN: 'oidc',
      LOG_LEVEL: 'warn',
      INTERVIEWER: 'openai',
      SCORER: 'openai',
      TRANSCRIBER: 'command',
      TRANSCRIBER_COMMAND: 'recognise --rate 16000 | tail -n 1',
      SYNTHESISER: 'openai',
      DETECTOR: 'command',
      DETECTOR_COMMAND: 'tell-generated --probability',
      CHECKER: 'command',
      CHECKER_COMMAND: 'check "$@"',
      CHECKER_ISOLATION: 'shared, separate',
      CHECKER_SECONDS: '120',
      CHECKER_AT_ONCE: '2',
      CHECKER_GIVE_UP_MINUTES: '45',
      OPENAI_BASE_URL: 'https://models.example.org/v1/',
      OPENAI_API_KEY: 'sk-1',
      OPENAI_MODEL: 'large',
      OPENAI_SPEECH_MODEL: 'voices-2',
      OPENAI_VOICE: 'nova',
    });
    expect(configuration).toEqual({
      production: true,
      development: null,
      warning: null,
      host: '::1',
      port: 0,
      healthPort: 9464,
      publicUrl: 'https://assay.example.org/api',
      allowedOrigins: ['https://a.example.org', 'http://localhost:5173'],
      dataDir: '/var/lib/assay',
      servers: null,
      segments: 1,
      historyEvents: 2500,
      automatic: false,
      graceMs: 300_000,
      dataKey: KEY,
      signingKey: KEY,
      dataKeyPrevious: KEY,
      formerSigningKeys: [KEY.toString('base64url')],
      identity: { kind: 'external', issuer: 'https://id.example.org', audience: 'assay' },
      projector: 'off',
      trustedEmailIssuers: [],
      trustedProxies: ['10.0.0.0/8', '::1', 'loopback'],
      rateLimits: false,
      signInLimits: { codesPer15Minutes: 5, codesPerDay: 20, formsPerMinute: 1_200 },
      webhookAllowPrivate: true,
      mail: {
        way: {
          kind: 'smtp',
          host: 'mail.example.org',
          port: 465,
          secure: true,
          requireTls: true,
          clientName: 'out.example.org',
          login: { user: 'assay', password: 'a@b' },
        },
        from: { name: 'Example', address: 'jobs@example.org' },
        perDay: 500,
      },
      candidateSignIn: 'oidc',
      logLevel: 'warn',
      interviewer: { ...models, model: 'large' },
      scorer: { ...models, model: 'large' },
      transcriber: { kind: 'command', command: 'recognise --rate 16000 | tail -n 1' },
      synthesiser: { ...models, model: 'voices-2', voice: 'nova' },
      detector: { kind: 'command', command: 'tell-generated --probability' },
      checker: {
        kind: 'command',
        command: 'check "$@"',
        isolations: ['shared', 'separate'],
        timeoutMs: 120_000,
        atOnce: 2,
        giveUpMs: 2_700_000,
      },
    });
  });

  it.each<[string, string]>([
    ['HOST', 'not a host'],
    ['HOST', 'http://x'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PORT', 'http'],
    ['NODE_ENV', 'Production'],
    ['NODE_ENV', 'staging'],
    ['PUBLIC_URL', 'assay.example.org'],
    ['PUBLIC_URL', 'ftp://assay.example.org'],
    ['PUBLIC_URL', 'https://u:p@assay.example.org'],
    ['PUBLIC_URL', 'https://assay.example.org/?a=1'],
    ['ALLOWED_ORIGINS', '*'],
    ['ALLOWED_ORIGINS', 'https://a.example.org/'],
    ['ALLOWED_ORIGINS', 'https://a.example.org,nonsense'],
    ['DATA_KEY', 'short'],
    ['DATA_KEY', 'A'.repeat(44)],
    ['SIGNING_KEY', 'ab'.repeat(31)],
    ['DATA_KEY_PREVIOUS', 'x'],
    ['FORMER_SIGNING_KEYS', `${KEY.toString('base64url')},${KEY.toString('base64')}`],
    ['FORMER_SIGNING_KEYS', KEY.toString('hex')],
    ['OIDC_ISSUER', 'id.example.org'],
    ['PROJECTOR', 'on'],
    ['INTERVIEWER', 'human'],
    ['SCORER', 'human'],
    ['TRANSCRIBER', 'whisper'],
    ['SYNTHESISER', 'piper'],
    ['DETECTOR', 'sure'],
    ['CHECKER', 'docker'],
    ['CHECKER_ISOLATION', 'apart'],
    ['CHECKER_SECONDS', '0'],
    ['CHECKER_AT_ONCE', '1.5'],
    ['CHECKER_UNSAFE', 'yes'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/0'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['RATE_LIMITS', 'yes'],
    ['WEBHOOK_ALLOW_PRIVATE', '1'],
    ['MAIL_FROM', 'Example'],
    ['MAIL_FROM', 'Example <jobs@example.org'],
    ['MAIL_FROM', 'Example\u0007 <jobs@example.org>'],
    ['DEVELOPMENT_ISSUER', 'true'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    const { variable, message } = problem({ [name]: value });
    expect(variable).toBe(name);
    expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  });

  it.each(['DATA_KEY', 'SIGNING_KEY', 'DATA_KEY_PREVIOUS', 'FORMER_SIGNING_KEYS'])(
    'never repeats %s',
    (name) => {
      expect(problem({ [name]: 'hunter2hunter2' }).message).not.toContain('hunter2');
    },
  );

  it('wants both servers or none', () => {
    expect(problem({ EVENTSTORE_URL: 'esdb://x' }).variable).toBe('MONGODB_URL');
    expect(problem({ MONGODB_URL: 'mongodb://x' }).variable).toBe('EVENTSTORE_URL');
  });

  it('splits views over servers into more segments, as many as it is told', () => {
    const servers = { EVENTSTORE_URL: 'esdb://h:2113?tls=false', MONGODB_URL: 'mongodb://h/assay' };
    expect(readConfiguration(servers)).toMatchObject({
      servers: { eventStoreUrl: 'esdb://h:2113?tls=false', mongodbUrl: 'mongodb://h/assay' },
      segments: 4,
    });
    expect(readConfiguration({ ...servers, SEGMENTS: '16' }).segments).toBe(16);
    for (const SEGMENTS of ['0', '65', '1.5', 'many'])
      expect(problem({ SEGMENTS }).variable).toBe('SEGMENTS');
  });

  it('rebuilds by itself or when it is told, and keeps former generations for a while', () => {
    for (const REBUILD of ['on', 'never']) expect(problem({ REBUILD }).variable).toBe('REBUILD');
    expect(readConfiguration({ ROLLBACK_MINUTES: '0' }).graceMs).toBe(0);
    for (const ROLLBACK_MINUTES of ['-1', '10081', '1h'])
      expect(problem({ ROLLBACK_MINUTES }).variable).toBe('ROLLBACK_MINUTES');
  });

  it('bounds what one answer about former times may read', () => {
    expect(readConfiguration({}).historyEvents).toBe(100_000);
    expect(readConfiguration({ HISTORY_EVENTS: '1' }).historyEvents).toBe(1);
    for (const HISTORY_EVENTS of ['0', '-1', '1e6', 'all'])
      expect(problem({ HISTORY_EVENTS }).variable).toBe('HISTORY_EVENTS');
  });

  it.each(['DATA_KEY', 'SIGNING_KEY', 'OIDC_ISSUER', 'OIDC_AUDIENCE'])('needs %s in production', (name) => {
    expect(problem({ ...production, [name]: undefined }).variable).toBe(name);
  });

  it('lets candidates sign in by mailed codes wherever mails are sent', () => {
    const mailing = {
      SMTP_URL: 'smtp://mail.example.org',
      MAIL_FROM: 'jobs@example.org',
      PUBLIC_URL: 'https://assay.example.org',
    };
    const signInOf = (environment: Environment) => readConfiguration(environment).candidateSignIn;
    expect(signInOf({})).toBe('email');
    expect(signInOf({ CANDIDATE_SIGN_IN: 'oidc' })).toBe('oidc');
    expect(signInOf(production)).toBe('oidc');
    expect(signInOf({ ...production, ...mailing })).toBe('email');
    expect(signInOf({ ...production, ...mailing, CANDIDATE_SIGN_IN: 'oidc' })).toBe('oidc');
    const mute = problem({ ...production, CANDIDATE_SIGN_IN: 'email' });
    expect(mute).toMatchObject({
      variable: 'CANDIDATE_SIGN_IN',
      message: 'CANDIDATE_SIGN_IN can be email only where SMTP_URL is set: codes are sent by mail.',
    });
    expect(problem({ CANDIDATE_SIGN_IN: 'sms' }).variable).toBe('CANDIDATE_SIGN_IN');
  });

  it('refuses plain http and development identity in production', () => {
    expect(problem({ ...production, PUBLIC_URL: 'http://assay.example.org' }).variable).toBe('PUBLIC_URL');
    expect(problem({ ...production, OIDC_ISSUER: 'http://id.example.org' }).variable).toBe('OIDC_ISSUER');
    expect(problem({ ...production, DEVELOPMENT_ISSUER: 'on' }).variable).toBe('DEVELOPMENT_ISSUER');
  });

  it('runs the development issuer beyond loopback only where that is said', () => {
    expect(problem({ HOST: '0.0.0.0' }).variable).toBe('OIDC_ISSUER');
    expect(readConfiguration({ HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' }).identity.kind).toBe(
      'development',
    );
  });
});

describe('the keys of a first start', () => {
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'assay-keys-'));
    folders.push(made);
    return made;
  };
  afterEach(async () => {
    for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
  });

  it('are made once, for the owner alone, and stay', async () => {
    const dataDir = join(await folder(), 'a', 'b');
    const configuration = { ...readConfiguration({}), dataDir };
    const first = await serviceKeys(configuration);
    expect(first.dataKey).toHaveLength(32);
    expect(first.signingKey.equals(first.dataKey)).toBe(false);
    expect(await serviceKeys(configuration)).toEqual(first);
    expect((await readdir(dataDir)).sort()).toEqual(['data.key', 'signing.key']);
    for (const file of ['data.key', 'signing.key']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('are one and the same for all that start at once', async () => {
    const configuration = { ...readConfiguration({}), dataDir: await folder() };
    const all = await Promise.all(Array.from({ length: 20 }, () => serviceKeys(configuration)));
    expect(new Set(all.map(({ dataKey }) => dataKey.toString('hex'))).size).toBe(1);
    expect(new Set(all.map(({ signingKey }) => signingKey.toString('hex'))).size).toBe(1);
    expect((await readdir(configuration.dataDir)).sort()).toEqual(['data.key', 'signing.key']);
  });

  it('are those of the environment where it has them, and then no file is made', async () => {
    const dataDir = await folder();
    const keys = await serviceKeys({ ...readConfiguration(production), dataDir });
    expect(keys).toEqual({ dataKey: KEY, signingKey: KEY, dataKeyPrevious: null });
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('stop the start where their file is damaged, which is left as it is', async () => {
    const dataDir = await folder();
    await writeFile(join(dataDir, 'data.key'), 'half');
    const start = serviceKeys({ ...readConfiguration({}), dataDir });
    await expect(start).rejects.toMatchObject({ variable: 'DATA_KEY' });
    expect(await readFile(join(dataDir, 'data.key'), 'utf8')).toBe('half');
  });

  it('stop the start where DATA_DIR is no folder', async () => {
    const dataDir = join(await folder(), 'file');
    await writeFile(dataDir, '');
    await expect(serviceKeys({ ...readConfiguration({}), dataDir })).rejects.toMatchObject({
      variable: 'DATA_DIR',
    });
  });
});
