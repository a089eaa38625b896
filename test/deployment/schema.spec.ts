import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Rules about the order of keys, which we do not follow. */
const TASTE = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];
const rules = Object.fromEntries(TASTE.map((rule) => [rule, 0 as const]));

interface Finding {
  readonly messages: readonly { readonly rule: string; readonly message: string }[];
}

interface Linter {
  lintFiles(paths: readonly string[], recursive: boolean): readonly Finding[];
}

// Imported without types: the package's types name files that it does not ship.
const loaded: unknown = await import('dclint');
const { DCLinter } = loaded as { readonly DCLinter: new (options: object) => Linter };

const problems = (path: string): string[] => {
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const findings = linter.lintFiles([path], false);
  return findings.flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`));
};

describe('the schema of the Compose specification', () => {
  it.each(['docker-compose.yml', 'docker-compose.production.yml'])('fits %s', (file) => {
    expect(problems(join(root, file))).toEqual([]);
  });

  it('finds a key that it does not know', () => {
    const path = join(folder, 'docker-compose.yml');
    writeFileSync(
      path,
      readFileSync(join(root, 'docker-compose.yml'), 'utf8').replace('read_only:', 'readonly:'),
    );
    expect(problems(path)).toEqual([expect.stringMatching(/^invalid-schema/)]);
  });
});
