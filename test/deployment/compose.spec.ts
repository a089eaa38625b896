import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { readConfiguration } from '../../src/process/config.js';
import { ConfigurationProblem } from '../../src/process/variable-reader.js';
import { VARIABLES } from '../../src/process/variables.js';
import { composed, type ComposeFile, readCompose, type Service, variablesOf } from './compose.js';
import { allOf, pairsOf, stagesOf } from './dockerfile.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const at = (path: string): string => join(root, path);
const BASE = [at('docker-compose.yml')];
const PRODUCTION = [...BASE, at('docker-compose.production.yml')];
const KEY = Buffer.alloc(32, 7).toString('base64');

/** The variables that an operator must set to run the overlay. */
const SECRETS: Readonly<Record<string, string>> = {
  DATA_KEY: KEY,
  SIGNING_KEY: Buffer.alloc(32, 8).toString('base64'),
  EVENTSTORE_PASSWORD: 'one-of-a-kind',
  EVENTSTORE_OPS_PASSWORD: 'another',
  MONGODB_PASSWORD: 'a-third',
  MONGODB_ROOT_PASSWORD: 'a-fourth',
  MONGODB_KEYFILE: 'shared-by-members',
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_AUDIENCE: 'assay',
  PUBLIC_URL: 'https://assay.example.org',
  CERTIFICATES: '/etc/assay/certificates',
};

const image = stagesOf(readFileSync(at('Dockerfile'), 'utf8')).at(-1)!;
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
const trying = composed(BASE, {});
const production = composed(PRODUCTION, SECRETS);
const both: [string, ComposeFile][] = [
  ['for trying it out', trying],
  ['in production', production],
];

const environmentOf = (service: Service): Record<string, string> => ({
  ...pairsOf(image, 'ENV'),
  ...service.environment,
});
const isOurs = (service: Service): boolean => service.build !== undefined;

const DURATION = /^(\d+(ms|s|m|h))+$/;
/** Keys of the Compose specification that a service here may use. */
const SERVICE_KEYS = [
  ...['build', 'cap_drop', 'command', 'depends_on', 'deploy', 'entrypoint', 'environment', 'healthcheck'],
  ...['image', 'init', 'logging', 'networks', 'platform', 'ports', 'read_only', 'restart', 'security_opt'],
  ...['stop_grace_period', 'tmpfs', 'ulimits', 'user', 'volumes'],
];

describe.each(both)('the compose files %s', (_, file) => {
  const services = Object.entries(file.services);
  const byName = (name: string): Service => file.services[name]!;

  it('hold the whole arrangement', () => {
    const names = ['api', 'projector', 'eventstoredb', 'mongodb', 'mongodb-init'];
    expect(Object.keys(file.services)).toEqual(names);
    const known = /^(name|services|networks|volumes|x-[a-z-]+)$/;
    expect(Object.keys(file).filter((key) => !known.test(key))).toEqual([]);
    for (const [, service] of services) {
      expect(Object.keys(service).filter((key) => !SERVICE_KEYS.includes(key))).toEqual([]);
    }
  });

  it.each(services)('pin the image of %s', (_, service) => {
    if (isOurs(service)) expect(service.image).toBe(`assay:${manifest.version}`);
    else expect(service.image).toMatch(/^[a-z/]+:\d+\.\d+\.\d+-[a-z-]+$/);
  });

  it.each(services)('give %s no rights but its own files', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      init: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const { cpus, memory } = service.deploy?.resources?.limits ?? {};
    expect([cpus, memory]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+[MG]$/)]);
    expect(service.restart).toMatch(/^(unless-stopped|no)$/);
    // MongoDB's image starts as root unless `user` is set; EventStoreDB's does not.
    expect(service.user ?? '1').not.toMatch(/^(0|root)/);
  });

  it.each(services)('bind no port of %s beyond this machine', (name, service) => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    if (!isOurs(service)) expect([service.ports, service.networks]).toEqual([undefined, ['stores']]);
    if (name === 'api') expect(service.ports).toHaveLength(1);
    expect(file.networks?.['stores']).toEqual({ internal: true });
  });

  it.each(services.filter(([, service]) => isOurs(service)))(
    'let %s reach the servers, and the internet: providers of models, receivers of webhooks',
    (_, { networks = ['default'] }) => {
      const isInternal = (name: string): boolean =>
        (file.networks?.[name] as { internal?: boolean } | undefined)?.internal === true;
      expect(networks).toContain('stores');
      expect(networks.filter((name) => !isInternal(name))).not.toEqual([]);
    },
  );

  it.each(services)('start %s after those that it waits for', (_, service) => {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      const other = byName(name);
      if (condition === 'service_healthy') expect(other.healthcheck?.test).toBeDefined();
      else expect([condition, other.restart]).toEqual(['service_completed_successfully', 'no']);
    }
    if (isOurs(service)) {
      expect(Object.keys(service.depends_on ?? {})).toEqual(['eventstoredb', 'mongodb', 'mongodb-init']);
    }
  });

  it.each(services)('ask %s how it is', (_, service) => {
    const { healthcheck } = service;
    if (isOurs(service)) expect(allOf(image, 'HEALTHCHECK')).toHaveLength(1);
    else if (service.restart !== 'no') expect(healthcheck).toBeDefined();
    if (!healthcheck) return;
    expect(healthcheck.test[0]).toMatch(/^(CMD|CMD-SHELL)$/);
    if (healthcheck.test[0] === 'CMD-SHELL') expect(healthcheck.test).toHaveLength(2);
    const { interval, timeout, start_period, start_interval } = healthcheck;
    for (const time of [interval, timeout, start_period, start_interval]) expect(time).toMatch(DURATION);
  });

  it('declare each volume and network that is used, and use each that is declared', () => {
    const volumes = services.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap((volume) => (typeof volume === 'string' ? [volume.split(':')[0]] : [])),
    );
    expect(new Set(volumes)).toEqual(new Set(Object.keys(file.volumes ?? {})));
    const networks = services.flatMap(([, service]) => service.networks ?? []);
    expect(new Set(networks)).toEqual(new Set(['default', ...Object.keys(file.networks ?? {})]));
  });

  it('keep what must be kept on volumes of their own', () => {
    const targets = (name: string) =>
      (byName(name).volumes ?? []).map((one) => (typeof one === 'string' ? one.split(':')[1] : one.target));
    expect(targets('eventstoredb')).toContain('/var/lib/eventstore');
    expect(targets('mongodb')).toContain('/data/db');
  });

  it.each(services.filter(([, service]) => isOurs(service)))(
    'give %s what its configuration knows and takes',
    (name, service) => {
      const environment = environmentOf(service);
      const known = Object.keys(VARIABLES);
      expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([]);
      expect(readConfiguration(environment)).toMatchObject({
        host: '0.0.0.0',
        port: 3000,
        healthPort: 3001,
        segments: 4,
        servers: { eventStoreUrl: environment['EVENTSTORE_URL'], mongodbUrl: environment['MONGODB_URL'] },
        ...(name === 'api' && { projector: 'off' }),
      });
      const [program = ''] = service.command ?? [];
      expect(existsSync(at(program))).toBe(true);
    },
  );
});

describe.each([
  ['for trying it out', BASE, {}],
  ['in production', PRODUCTION, SECRETS],
])('providers that are chosen %s', (_, files, secrets) => {
  const variables = Object.keys(VARIABLES).filter((name) =>
    /^(OPENAI_|WEBHOOK_|SMTP_|MAIL_|CANDIDATE_)|^(INTERVIEWER|SCORER|TRANSCRIBER|SYNTHESISER|DETECTOR)/.test(
      name,
    ),
  );
  /** The configurations of the API and the projector. */
  const configurations = (choice: Readonly<Record<string, string>>) =>
    ['api', 'projector'].map((name) =>
      readConfiguration(environmentOf(composed(files, { ...secrets, ...choice }).services[name]!)),
    );

  it('are handed on by their variables, each of them', () => {
    expect(variables.length).toBeGreaterThan(12);
    const choice = Object.fromEntries(variables.map((name) => [name, `chosen-${name}`]));
    const { services } = composed(files, { ...secrets, ...choice });
    for (const name of ['api', 'projector']) expect(services[name]!.environment).toMatchObject(choice);
  });

  it('are the ones that are used, and none is where none is chosen', () => {
    const openai = { INTERVIEWER: 'openai', SCORER: 'openai', TRANSCRIBER: 'openai', SYNTHESISER: 'openai' };
    const chosen = configurations({
      ...openai,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'm',
      WEBHOOK_ALLOW_PRIVATE: 'on',
    });
    for (const { interviewer, scorer, transcriber, synthesiser, webhookAllowPrivate } of chosen) {
      const kinds = [interviewer, scorer, transcriber, synthesiser].map(({ kind }) => kind);
      expect([...kinds, webhookAllowPrivate]).toEqual([...Object.values(openai), true]);
    }
    for (const { interviewer, scorer, webhookAllowPrivate } of configurations({}))
      expect([interviewer.kind, scorer.kind, webhookAllowPrivate]).toEqual(['scripted', 'rubric', false]);
  });
});

describe('the compose file for trying it out', () => {
  it('requires no variable, and names the development mode explicitly', () => {
    for (const name of ['api', 'projector']) {
      const environment = environmentOf(trying.services[name]!);
      expect(environment).toMatchObject({ NODE_ENV: 'development', DEVELOPMENT_ISSUER: 'on' });
      expect(readConfiguration(environment).identity.kind).toBe('development');
    }
  });

  it('is refused without changes in production mode', () => {
    const environment = { ...environmentOf(trying.services['api']!), NODE_ENV: 'production' };
    expect(() => readConfiguration(environment)).toThrow(ConfigurationProblem);
  });
});

describe('the compose file for production', () => {
  const overlay = readFileSync(PRODUCTION[1]!, 'utf8');
  // Parsed, since comments name variables too.
  const asked = variablesOf(JSON.stringify(PRODUCTION.map(readCompose)));

  it('is served to people of an identity provider, from encrypted servers with credentials', () => {
    for (const name of ['api', 'projector']) {
      const configuration = readConfiguration(environmentOf(production.services[name]!));
      expect(configuration.production).toBe(true);
      expect(configuration.identity.kind).toBe('external');
      expect(configuration.servers?.eventStoreUrl).toMatch(/^esdb:\/\/admin:one-of-a-kind@.*tls=true/);
      expect(configuration.servers?.mongodbUrl).toMatch(/^mongodb:\/\/assay:a-third@.*tls=true/);
    }
    expect(production.services['eventstoredb']!.environment).toMatchObject({
      EVENTSTORE_INSECURE: 'false',
      EVENTSTORE_DEFAULT_ADMIN_PASSWORD: 'one-of-a-kind',
      EVENTSTORE_DEFAULT_OPS_PASSWORD: 'another',
    });
    expect(production.services['mongodb']!.command?.join()).toMatch(/--keyFile \S+ --tlsMode requireTLS/);
  });

  it.each(Object.keys(SECRETS))('does not start without %s', (name) => {
    const rest = Object.fromEntries(Object.entries(SECRETS).filter(([key]) => key !== name));
    expect(() => composed(PRODUCTION, rest)).toThrow(`${name} is missing`);
    expect(() => composed(PRODUCTION, { ...SECRETS, [name]: '' })).toThrow(`${name} is missing`);
  });

  it('has no default for any secret, and none written into it', () => {
    for (const { name, default: otherwise, required } of asked) {
      if (/KEY|PASSWORD|SECRET/.test(name))
        expect([name, required || otherwise === '']).toEqual([name, true]);
    }
    expect(asked.filter(({ required }) => required).map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(SECRETS)),
    );
    for (const [, password] of overlay.matchAll(/:\/\/\w+:([^@\s]*)@/g))
      expect(password).toMatch(/^\$\{\w+:\?/);
    for (const [, value] of overlay.matchAll(/^\s*\w*(?:PASSWORD|KEY|KEYFILE): (.*)$/gm)) {
      expect(value).toMatch(/^\$\{/);
    }
  });

  it('mounts certificates, which it may not change, where its addresses look for them', () => {
    for (const name of ['api', 'projector', 'mongodb-init']) {
      const service = production.services[name]!;
      const text = Object.values(service.environment ?? {}).join(' ');
      const files = new Set([...text.matchAll(/tlsCAFile=([^&\s]+)/g)].map(([, path]) => path));
      expect(files).toEqual(new Set(['/certificates/ca.crt']));
      expect(service.volumes).toContainEqual(
        expect.objectContaining({
          source: '/etc/assay/certificates/ca.crt',
          target: '/certificates/ca.crt',
          read_only: true,
        }),
      );
    }
  });

  it('is explained, down to each variable', () => {
    const page = readFileSync(at('docs/production/install.md'), 'utf8');
    const names = new Set(
      [...asked, ...variablesOf(JSON.stringify(readCompose(BASE[0]!)))].map((one) => one.name),
    );
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the step that prepares MongoDB', () => {
  const [script = ''] = trying.services['mongodb-init']!.command ?? [];

  /** Runs the script against a server in this state. @returns the commands that changed the server */
  const changesOf = (server: { initiated: boolean; user: boolean; password?: string }): unknown[] => {
    const done: unknown[] = [];
    let waits = 2;
    const fault = Object.assign(new Error('no replset config'), { codeName: 'NotYetInitialized' });
    const admin = {
      runCommand: (command: Record<string, unknown>) => {
        if ('replSetGetStatus' in command && !server.initiated) throw fault;
        if ('replSetInitiate' in command) done.push(command['replSetInitiate']);
      },
      hello: () => ({ isWritablePrimary: waits-- <= 0 }),
      getSiblingDB: (name: string) => ({
        ...admin,
        getUser: () => (server.user ? {} : null),
        createUser: (user: object) => done.push({ create: name, ...user }),
        updateUser: (user: string, rights: object) => done.push({ update: name, user, ...rights }),
      }),
    };
    runInNewContext(script, {
      process: { env: { SERVER_URL: 'mongodb://server', ASSAY_PASSWORD: server.password } },
      connect: () => admin,
      sleep: () => undefined,
    });
    return done;
  };

  const set = { _id: 'assay', members: [{ _id: 0, host: 'mongodb:27017' }] };
  const rights = { user: 'assay', pwd: 'p', roles: [{ role: 'readWrite', db: 'assay' }] };

  it('makes a new server a replica set', () => {
    expect(changesOf({ initiated: false, user: false })).toEqual([set]);
  });

  it('makes the user where a password is given', () => {
    expect(changesOf({ initiated: false, user: false, password: 'p' })).toEqual([
      set,
      { create: 'assay', ...rights },
    ]);
  });

  it('run again, changes the password at most', () => {
    expect(changesOf({ initiated: true, user: true })).toEqual([]);
    expect(changesOf({ initiated: true, user: true, password: 'p' })).toEqual([
      { update: 'assay', ...rights },
    ]);
  });
});
