import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { freePort } from '../support/free-port.js';
import { damageRole, poisonSignal } from '../support/operators-troubles.js';
import { makePlace, type Place } from '../support/place.js';
import type { Service } from '../support/service.js';

/** A block of the page: each command with its output. */
interface Shown {
  readonly section: string;
  readonly command: string;
  readonly output: string;
}

const shownOn = (page: string): readonly Shown[] =>
  page.split(/^(?=## )/m).flatMap((section) =>
    [...section.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
      block.split(/^(?=\$ )/m).map((part) => {
        const [first = '', ...output] = part.trimEnd().split('\n');
        return {
          section: /^## (.*)$/m.exec(section)?.[1] ?? '',
          command: first.replace('$ ', ''),
          output: output.join('\n'),
        };
      }),
    ),
  );

/** Makes output comparable: without stages and progress, which a poll may miss; variable values have one name. */
const shapeOf = (text: string): readonly string[] =>
  text
    .replaceAll(`${process.cwd()}/`, '')
    // The page shows what is printed in the image.
    .replaceAll('`npm run -s assay -- ', '`assay ')
    .split('\n')
    .filter(
      (line) =>
        !/: \d+ of \d+ events|has caught up with the log\.|^Switching readers|^Building |^$/.test(line),
    )
    .map((line) =>
      line
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(/\b[0-9a-f]{14}\b/g, 'POSITION')
        .replaceAll(/[\w.-]+\/\d+\b/g, 'OWNER')
        .replaceAll(/\b\d+\b/g, 'N')
        .replaceAll(/─+/g, '─')
        .replaceAll(/ +/g, ' '),
    );

/** The id of a completed session. */
const completedIn = async (dataDir: string): Promise<string> => {
  const log = await openEmbeddedLog(join(dataDir, 'log'), { readOnly: true });
  try {
    for await (const { type, stream } of log.readAll())
      if (type === 'trial.completed') return stream.replace('trial-', '');
    throw new Error('No session was completed.');
  } finally {
    await log.close();
  }
};

/** A document's id is one, or two of them. */
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:[0-9a-f-]{36})?/;
const page = readFileSync('docs/operating.md', 'utf8');

describe('the operator’s page', () => {
  let place: Place;
  let service: Service;
  let bin: string;
  let healthPort: number;
  beforeAll(async () => {
    healthPort = await freePort();
    place = await makePlace({ HEALTH_PORT: `${healthPort}` });
    service = await place.start();
    bin = await mkdtemp(join(tmpdir(), 'assay-bin-'));
    const program = `#!/bin/sh\nexec ${process.execPath} --enable-source-maps ${resolve('dist/bin/operator.js')} "$@"\n`;
    await writeFile(join(bin, 'assay'), program, { mode: 0o755 });
    const args = ['dist/bin/simulate.js', '--candidates', '30', '--seed', '7', '--url', service.url];
    const env = { ...process.env, DATA_DIR: place.dataDir };
    const [code] = (await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')) as [number];
    expect(code).toBe(0);
  });
  afterAll(async () => {
    await service.kill();
    await place.remove();
    await rm(bin, { recursive: true, force: true });
  });

  /** The output in a terminal: both streams, and the exit code unless it is 0. */
  const run = async (command: string): Promise<string> => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { ...place.env, COLUMNS: '200', PATH: `${bin}:${PATH}`, HOME, DATA_DIR: place.dataDir };
    const script = command
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('http://127.0.0.1:3001', `http://127.0.0.1:${healthPort}`);
    const shell = spawn('bash', ['-c', `exec 2>&1; set -o pipefail; ${script}`], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(shell, 'close')) as [number | null];
    return code === 0 || command.includes('| head') ? output : `${output}(exit code ${code})`;
  };

  it('shows what its commands print', async () => {
    // These need other code, a terminal, a sign-in, a folder, or a moment without appends: other suites test them.
    const [fix = ''] = /\*\*The fix\.\*\*[\s\S]*?^```$/m.exec(page) ?? [];
    const [bar = ''] = /^```console\n.*\n\d+ views \[[\s\S]*?^```$/m.exec(page) ?? [];
    expect([fix, bar]).not.toContain('');
    const all = shownOn(page.replace(fix, '').replace(bar, ''));
    const shown = all.filter(
      ({ section, command }) =>
        !['Deploying a changed view', 'Pausing a view'].includes(section) &&
        !/^(curl|assay evidence export) /.test(command),
    );
    expect(shown.length).toBeGreaterThan(28);
    const ids = { role: '', row: '', session: await completedIn(place.dataDir) };
    const idFor = (command: string): string =>
      command.includes('--session') ? ids.session : command.includes('--document') ? ids.role : ids.row;
    for (const { section, command, output } of shown) {
      if (command === 'assay projections verify roles --all')
        ids.role = await damageRole(place.dataDir, 'Data engineer');
      if (section === 'Dead letters' && ids.row === '') {
        ids.row = await poisonSignal(place.dataDir);
        await sleep(1_500);
      }
      if (section === 'Where the work is done') await service.stop();
      const printed = await run(command.replace(ID, idFor(command)));
      expect([command, ...shapeOf(printed)]).toEqual([command, ...shapeOf(output)]);
    }
  });
});
