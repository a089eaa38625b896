import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { playRounds } from '../support/hiring-rounds.js';
import { makePlace, type Place } from '../support/place.js';
import type { Service } from '../support/service.js';

/** As many candidates as are needed until each kind of work has been handed in. */
const CANDIDATES = 34;

const MARK = '=== the last answer';

/** The start command in the page's first shell block, and the block of the tour below it. */
const commandsOf = (page: string): { env: Readonly<Record<string, string>>; tour: string } => {
  const [start, tour] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
  if (start === undefined || tour === undefined) throw new Error('The page has no commands.');
  const settings = [...start.matchAll(/([A-Z_]+)=('[^']*'|\S+) /g)];
  const env = settings.map(([, name = '', value = '']) => [name, value.replaceAll("'", '')]);
  return { env: Object.fromEntries(env) as Record<string, string>, tour };
};

/** The explanation of a dimension that the page shows below its tour. */
const shownExplanation = (page: string): unknown => {
  const block = /```json\n(\{\s*"dimensionId".*?)```/s.exec(page)?.[1];
  if (block === undefined) throw new Error('The page shows no explanation.');
  return JSON.parse(block);
};

const withoutIds = (text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

/** The page's tour with the service's address. It ends at the first failing command; its last answer is marked. */
const scriptOf = (tour: string, url: string): string => {
  const lines = tour.trimEnd().replace('api=http://127.0.0.1:3000', `api=${url}`).split('\n');
  const last = lines.pop() ?? '';
  return ['set -euo pipefail', ...lines, `printf '\\n%s\\n' '${MARK}'`, last].join('\n');
};

const runInShell = (script: string, env: Readonly<Record<string, string>>) =>
  new Promise<{ code: number | null; output: string; errors: string }>((settle) => {
    const { PATH = '', HOME = '' } = process.env;
    const shell = spawn('bash', { env: { PATH, HOME, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    let [output, errors] = ['', ''];
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    shell.once('close', (code) => settle({ code, output, errors }));
    shell.stdin.end(script);
  });

describe('the first tour', () => {
  let page: string;
  let place: Place;
  let service: Service;
  beforeAll(async () => {
    page = await readFile('docs/tour.md', 'utf8');
    place = await makePlace({ RATE_LIMITS: 'on', ...commandsOf(page).env });
    service = await place.start();
  });
  afterAll(async () => {
    await service.kill();
    await place.remove();
  });

  it('runs as the page has it, and ends with a signal that counts one hired', async () => {
    const { tour } = commandsOf(page);
    expect(tour).toContain('api=http://127.0.0.1:3000');
    const { code, output, errors } = await runInShell(scriptOf(tour, service.url), {
      DATA_DIR: place.dataDir,
    });
    if (code !== 0) throw new Error(`The tour ended with ${code}:\n${errors}\n${output.slice(-2_000)}`);
    const [before = '', last = ''] = output.split(MARK);
    expect(before).not.toMatch(/"code":|\bundefined\b/);
    expect(withoutIds(before)).toContain(withoutIds(JSON.stringify(shownExplanation(page))));
    const counts = {
      trialCompletedCount: 2,
      outcomeRecordedCount: 1,
      awaitingOutcomeCount: 1,
      humanRound: { passed: 1, failed: 0 },
      disposition: { hired: 1, declined: 0 },
    };
    expect(JSON.parse(last)).toMatchObject({
      roles: [{ roleName: 'Backend engineer', ...counts }],
      totals: counts,
    });
  });
});

describe('simulated rounds with the tour’s checker', () => {
  it('agree about right, half right, hostile and missing work', async () => {
    const { env } = commandsOf(await readFile('docs/tour.md', 'utf8'));
    const place = await makePlace(env);
    const service = await place.start();
    const rounds = playRounds(place, CANDIDATES, 7);
    try {
      const { code, output } = await rounds.ended();
      expect(output).toMatch(/Everything agrees\.\n$/);
      expect(code).toBe(0);
    } finally {
      rounds.kill();
      await service.kill();
      await place.remove();
    }
  });
});
