import { describe, expect, it } from '@jest/globals';
import { developmentAccess, isLoopback, issuerMode, modeWarning } from './issuer-mode.js';

const EXTERNAL = { OIDC_ISSUER: 'https://id.example.com/', OIDC_AUDIENCE: 'assay-web' };
const isExternal = { kind: 'external', issuer: 'https://id.example.com/', audience: 'assay-web' };
const isDevelopment = { kind: 'development', audience: 'assay' };

describe('which issuer runs', () => {
  it.each([
    ['a provider that is named', EXTERNAL, isExternal],
    ['that provider in production', { ...EXTERNAL, NODE_ENV: 'production' }, isExternal],
    [
      'that provider, whatever the development issuer may',
      { ...EXTERNAL, DEVELOPMENT_ISSUER: 'on' },
      isExternal,
    ],
    ['the development issuer where nothing is said', {}, isDevelopment],
    [
      'the development issuer where all is empty',
      { OIDC_ISSUER: '', DEVELOPMENT_ISSUER: '', HOST: '' },
      isDevelopment,
    ],
    ['the development issuer on loopback', { HOST: '127.0.0.1' }, isDevelopment],
    ['the development issuer on IPv6 loopback', { HOST: '::1' }, isDevelopment],
    ['the development issuer on localhost', { HOST: 'localhost' }, isDevelopment],
    [
      'the development issuer elsewhere where that is said',
      { HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' },
      isDevelopment,
    ],
    [
      'the development issuer behind a proxy where that is said',
      {
        PUBLIC_URL: 'https://assay.example.org',
        behindProxy: true,
        DEVELOPMENT_ISSUER: 'on',
      },
      isDevelopment,
    ],
    ['the development issuer at a loopback address', { PUBLIC_URL: 'http://[::1]:3000' }, isDevelopment],
    [
      'the development issuer for another audience',
      { OIDC_AUDIENCE: 'web' },
      { kind: 'development', audience: 'web' },
    ],
    [
      'a provider over plain HTTP outside production',
      { OIDC_ISSUER: 'http://keycloak:8080', OIDC_AUDIENCE: 'web' },
      { kind: 'external', issuer: 'http://keycloak:8080', audience: 'web' },
    ],
  ])('is %s', (_, environment, mode) => {
    expect(issuerMode(environment)).toEqual(mode);
  });

  it.each([
    ['in production without a provider', 'OIDC_ISSUER', { NODE_ENV: 'production' }],
    ['in production with it on', 'DEVELOPMENT_ISSUER', { NODE_ENV: 'production', DEVELOPMENT_ISSUER: 'on' }],
    [
      'in production with both',
      'DEVELOPMENT_ISSUER',
      { ...EXTERNAL, NODE_ENV: 'production', DEVELOPMENT_ISSUER: 'on' },
    ],
    ['open to the network unless that is said', 'OIDC_ISSUER', { HOST: '0.0.0.0' }],
    ['open to a network address unless that is said', 'OIDC_ISSUER', { HOST: '192.168.1.4' }],
    [
      'reached from outside unless that is said',
      'OIDC_ISSUER',
      { HOST: '127.0.0.1', PUBLIC_URL: 'https://assay.example.org' },
    ],
    ['behind a proxy unless that is said', 'OIDC_ISSUER', { behindProxy: true }],
    ['with neither of the two', 'OIDC_ISSUER', { DEVELOPMENT_ISSUER: 'off' }],
    ['with a wish that is neither on nor off', 'DEVELOPMENT_ISSUER', { DEVELOPMENT_ISSUER: 'true' }],
    ['with an issuer that is no URL', 'OIDC_ISSUER', { ...EXTERNAL, OIDC_ISSUER: 'id.example.com' }],
    ['with an issuer of another scheme', 'OIDC_ISSUER', { ...EXTERNAL, OIDC_ISSUER: 'file:///keys' }],
    [
      'with an issuer with a query',
      'OIDC_ISSUER',
      { ...EXTERNAL, OIDC_ISSUER: 'https://id.example.com?a=b' },
    ],
    [
      'in production with a provider over plain HTTP',
      'OIDC_ISSUER',
      { ...EXTERNAL, NODE_ENV: 'production', OIDC_ISSUER: 'http://id.example.com' },
    ],
    ['with a provider and no audience', 'OIDC_AUDIENCE', { OIDC_ISSUER: EXTERNAL.OIDC_ISSUER }],
  ])('is refused %s', (_, variable, environment) => {
    const mode = issuerMode(environment);
    expect(mode).toMatchObject({ kind: 'refused', variable });
    expect(mode).toHaveProperty('reason', expect.stringMatching(new RegExp(`^${variable}[^\n]*\\.$`)));
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'localhost.example.com', '1127.0.0.1', ''])(
    'does not take %j for loopback',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('what is for development alone, the development issuer and the outbox', () => {
  it.each([
    ['on this machine', 'local', {}],
    ['on this machine beside a provider', 'local', EXTERNAL],
    ['on this machine at its own address', 'local', { ...EXTERNAL, PUBLIC_URL: 'http://localhost:3000' }],
    ['anywhere if that is said', 'anyone', { HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' }],
    ['not in production', null, { ...EXTERNAL, NODE_ENV: 'production' }],
    ['not beside a provider on other addresses', null, { ...EXTERNAL, HOST: '0.0.0.0' }],
    ['not beside a provider behind a proxy', null, { ...EXTERNAL, behindProxy: true }],
    ['not beside a provider at a public address', null, { ...EXTERNAL, PUBLIC_URL: 'https://a.example' }],
    [
      'not beside a provider by what is said of the issuer',
      null,
      { ...EXTERNAL, HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' },
    ],
  ])('is open %s', (_, access, environment) => {
    expect(developmentAccess(environment)).toBe(access);
  });

  it.each([
    ['a provider', 'OIDC_ISSUER is', EXTERNAL],
    [
      'a public address',
      'PUBLIC_URL is public',
      { PUBLIC_URL: 'https://a.example', DEVELOPMENT_ISSUER: 'on' },
    ],
  ])('is warned of with %s, unless NODE_ENV is set', (_, why, environment) => {
    expect(modeWarning(environment, false)).toContain(`NODE_ENV is not set, and ${why}`);
    expect(modeWarning(environment, true)).toBeNull();
  });

  it.each([{}, { PUBLIC_URL: 'http://127.0.0.1:3000' }, { HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' }])(
    'is not warned of with %j',
    (environment) => expect(modeWarning(environment, false)).toBeNull(),
  );
});
