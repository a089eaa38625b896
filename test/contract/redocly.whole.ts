import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Service, startService } from '../support/service.js';

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

const REDOCLY = resolve('node_modules/.bin/redocly');

describe('redocly lint, with its recommended rules', () => {
  let folder: string;
  let service: Service;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-redocly-'));
    service = await startService();
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs in a folder without a configuration. */
  const lint = (name: string): Promise<string> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env['PATH'],
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      };
      const args = ['lint', name, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000'];
      execFile(REDOCLY, args, { cwd: folder, env }, (_, out) => resolve(out));
    });

  it.each(['openapi.json', 'asyncapi.json'])(
    'finds nothing wrong with /%s, and nothing to warn of',
    async (name) => {
      await writeFile(join(folder, name), await (await fetch(`${service.url}/${name}`)).text());
      const { problems } = JSON.parse(await lint(name)) as Report;
      const found = problems.map(
        ({ severity, ruleId, message, location }) =>
          `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
      );
      expect(found).toEqual([]);
    },
  );
});
