import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from './config.js';
import { ConfigurationProblem } from './variable-reader.js';
import type { Environment } from './variables.js';

const COMMAND = { CHECKER: 'command', CHECKER_COMMAND: 'check "$@"' };
const problem = (environment: Environment): string => {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationProblem) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

describe('the checker’s settings', () => {
  it('are none, or a command that shares the work’s process, runs one work at a time, and a minute at most', () => {
    expect(readConfiguration({}).checker).toEqual({ kind: 'none' });
    expect(readConfiguration(COMMAND).checker).toEqual({
      kind: 'command',
      command: 'check "$@"',
      isolations: ['shared'],
      timeoutMs: 60_000,
      atOnce: 1,
      giveUpMs: 1_800_000,
    });
  });

  it.each([
    'check "$@"',
    'cd /opt && exec check $*',
    'check "$1" "$2" "$3"',
    'docker run -v "${2}:/in" image',
  ])('take a command that passes its arguments on: %s', (command) => {
    expect(readConfiguration({ ...COMMAND, CHECKER_COMMAND: command }).checker).toMatchObject({ command });
  });

  it('refuse a command without its arguments, and one that is missing or not used', () => {
    expect(problem({ ...COMMAND, CHECKER_COMMAND: 'check' })).toMatch(
      /^CHECKER_COMMAND must pass its arguments on: /,
    );
    expect(problem({ CHECKER: 'command' })).toBe(
      'CHECKER_COMMAND must be a command line while CHECKER is command.',
    );
    expect(problem({ CHECKER_COMMAND: 'check "$@"' })).toBe(
      'CHECKER_COMMAND is used only while CHECKER is command.',
    );
    for (const [name, value] of [
      ['CHECKER_ISOLATION', 'separate'],
      ['CHECKER_SECONDS', '5'],
      ['CHECKER_AT_ONCE', '2'],
      ['CHECKER_GIVE_UP_MINUTES', '5'],
      ['CHECKER_UNSAFE', 'on'],
    ] as const)
      expect(problem({ [name]: value })).toBe(`${name} is used only while CHECKER is command.`);
  });

  it.each<[Environment, string]>([
    [{ HOST: '0.0.0.0', DEVELOPMENT_ISSUER: 'on' }, 'HOST is not loopback'],
    [{ PUBLIC_URL: 'https://assay.example.org', DEVELOPMENT_ISSUER: 'on' }, 'PUBLIC_URL is not loopback'],
    [{ TRUSTED_PROXIES: '10.0.0.1', DEVELOPMENT_ISSUER: 'on' }, 'TRUSTED_PROXIES is set'],
    [{ DEVELOPMENT_ISSUER: 'on' }, 'DEVELOPMENT_ISSUER is on'],
  ])('refuse to run work without isolation where others reach the service: %j', (reached, way) => {
    expect(problem({ ...COMMAND, ...reached, CHECKER_UNSAFE: 'on' })).toBe(
      `CHECKER_UNSAFE cannot be on while ${way}.`,
    );
    expect(readConfiguration({ ...COMMAND, CHECKER_UNSAFE: 'on' }).checker.kind).toBe('command');
  });

  it('refuse it in production too', () => {
    const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'a' };
    const keys = { DATA_KEY: 'ab'.repeat(32), SIGNING_KEY: 'cd'.repeat(32) };
    expect(problem({ ...COMMAND, ...production, ...keys, CHECKER_UNSAFE: 'on' })).toBe(
      'CHECKER_UNSAFE cannot be on while NODE_ENV is production.',
    );
  });
});
