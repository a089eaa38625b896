import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const page = readFileSync(
  fileURLToPath(new URL('../../docs/production/install.md', import.meta.url)),
  'utf8',
);
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const recipe = (what: string): string => {
  const [found, ...others] = blocks.filter((block) => block.includes(what));
  expect([typeof found, others]).toEqual(['string', []]);
  return found ?? '';
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-recipe-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'elsewhere'));
  // Only root may change the owner of files: replace chown.
  writeFileSync(join(folder, 'bin', 'chown'), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script as if it were pasted into a shell whose umask lets others read files. /etc is a folder of the test. */
const paste = (script: string, bin = ''): number | null => {
  const own = script.replaceAll('/etc/', `${folder}/etc/`);
  const PATH = `${bin === '' ? '' : `${bin}:`}${folder}/bin:${process.env['PATH'] ?? ''}`;
  const options = { cwd: join(folder, 'elsewhere'), env: { PATH }, encoding: 'utf8' as const };
  return spawnSync('sh', ['-c', `umask 022\n${own}`], options).status;
};
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the recipe for certificates', () => {
  const script = recipe('openssl req');
  const at = (path: string): string => join(folder, 'etc/assay/certificates', path);

  it('makes them in a folder that is not there yet, no private key readable by others', () => {
    expect(paste(script)).toBe(0);
    const authority = new X509Certificate(readFileSync(at('ca.crt')));
    for (const server of ['eventstoredb', 'mongodb']) {
      const certificate = new X509Certificate(readFileSync(at(`${server}/node.crt`)));
      expect(certificate.verify(authority.publicKey)).toBe(true);
      expect([certificate.ca, certificate.checkHost(server)]).toEqual([false, server]);
    }
    const modes = ['ca.key', 'eventstoredb/node.key', 'mongodb/node.key', 'mongodb/server.pem'].map(at);
    expect(modes.map(modeOf)).toEqual(['600', '600', '600', '600']);
    expect([modeOf(at('ca.crt')), modeOf(at(''))]).toEqual(['644', '700']);
  }, 60_000);

  it('writes no key anywhere where the folder cannot be made', () => {
    mkdirSync(join(folder, 'etc'));
    writeFileSync(join(folder, 'etc/assay'), '');
    expect(paste(script)).not.toBe(0);
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
  });

  it('ends where a command fails', () => {
    mkdirSync(join(folder, 'failing'));
    writeFileSync(join(folder, 'failing/openssl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(paste(script, join(folder, 'failing'))).not.toBe(0);
    expect(readdirSync(at('mongodb'))).toEqual([]);
  });
});

describe('the recipe for secrets', () => {
  const script = recipe('DATA_KEY=$(openssl');
  const file = (): string => join(folder, 'etc/assay/assay.env');

  it('writes a file for its owner alone, and never over one that is there', () => {
    expect(paste(script)).toBe(0);
    const made = readFileSync(file(), 'utf8');
    expect(made).toMatch(/^DATA_KEY=[\w+/]{43}=$/m);
    expect(modeOf(file())).toBe('600');
    expect(paste(script)).not.toBe(0);
    expect(readFileSync(file(), 'utf8')).toBe(made);
  });
});
