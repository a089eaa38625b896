import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import stringWidth from 'string-width';
import { views } from '../../../projections/index.js';
import { organisations } from '../../../projections/organisations.js';
import { beginDataFolder } from '../../../test/faults/backup-command.js';
import { startAssay } from '../../../test/support/assay.js';
import type { ProgramEnd } from '../../../test/support/program.js';
import { spawnService } from '../../../test/support/service.js';
import { viewHealth } from '../../engine/health/health.js';
import { readConfiguration } from '../../process/config.js';
import { openStores } from '../../process/stores.js';
import type { StoredDocument } from '../../stores/read-store.js';
import { OperatorRequests } from '../cli/requests.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'assay-projections-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
const dataDir = (): string => join(folder, 'data');

const start = (...flags: readonly string[]) => startAssay(dataDir(), flags);
/** The compiled program, as an operator runs it, without a terminal. */
const assay = (...flags: readonly string[]): Promise<ProgramEnd> => start('projections', ...flags).ended();
const json = ({ out }: ProgramEnd): unknown => JSON.parse(out);

describe('assay projections, called wrongly', () => {
  it.each([
    [
      ['status', 'signals'],
      /^error: there is no view "signals"\. Did you mean signal\? The views are: .*roles/,
    ],
    [['rebuild', 'toString'], /^error: there is no view "toString"\. The views are: /],
    [['rebuild'], /^error: name a view, or pass --all\./],
    [['rebuild', 'signal', '--all'], /^error: name a view or pass --all, not both\./],
    [['rebuild', 'signal', '--segments', '65'], /whole number from 1 to 64/],
    [['verify', 'signal', '--all', '--sample', '3'], /^error: --all and --sample do not go together/],
    [
      ['rebiuld', 'signal'],
      /^error: unknown command 'rebiuld'\n\(Did you mean `npm run -s assay -- projections rebuild`\?\)\n\(`npm run -s assay -- projections --help` shows/,
    ],
  ])('ends with exit code 2 and a sentence: %j', async (flags, sentence) => {
    const { code, out, err } = await assay(...flags);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });

  it('makes no data folder of a folder that is none, whatever lies in it', async () => {
    await mkdir(join(dataDir(), 'log'), { recursive: true });
    const { code, out, err } = await assay('status', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/ is not a data folder: it holds no event log .* DATA_DIR names/);
    expect(await readdir(dataDir(), { recursive: true })).toEqual(['log']);
    await rm(dataDir(), { recursive: true });
  });

  it('says on every level how it is called, with examples and exit codes', async () => {
    const [top, group, rebuild] = await Promise.all([
      start('--help').ended(),
      assay('--help'),
      assay('rebuild', '--help'),
    ]);
    for (const { code, out } of [top, group, rebuild])
      expect([code, out]).toEqual([0, expect.stringMatching(/\$ npm run -s assay -- /)]);
    expect(rebuild.out).toMatch(/^Usage: npm run -s assay -- projections rebuild /);
    for (const { out } of [top, group]) expect(out).toMatch(/Exit codes:\n {2}0 {4}done/);
  });
});

describe('assay projections, on a data folder', () => {
  beforeAll(async () => {
    const flags = ['--name', 'Example', '--owner-email', 'olga@example.org'];
    await beginDataFolder(dataDir());
    expect(await start('organisations', 'create', ...flags).ended()).toMatchObject({ code: 0 });
  });
  const open = () => openStores(readConfiguration({ DATA_DIR: dataDir() }));
  /** Builds what was never built, by the compiled code: another compiler's has other fingerprints. */
  const build = async (): Promise<void> => {
    const projector = spawnService(dataDir(), { entry: 'src/projector.js' });
    const stores = await open();
    for (let all = false; !all;) {
      await sleep(20);
      all = (await viewHealth(stores, views)).every(({ caughtUp }) => caughtUp === true);
    }
    await stores.close();
    projector.child.kill('SIGTERM');
    await projector.ended;
  };

  it('shows a fresh one as JSON and nothing else', async () => {
    const [list, all, one, rebuilt] = await Promise.all([
      assay('list', '--json'),
      assay('status', '--json'),
      assay('status', 'signal', '--json'),
      assay('rebuild', 'signal'),
    ]);
    expect([list, all, one].map(({ code, err }) => [code, err])).toEqual(Array(3).fill([0, '']));
    expect(json(list)).toEqual(
      views.map(({ name, version }) => ({
        ...{ view: name, version, state: 'never built' },
        ...{ live: null, next: null, former: null },
      })),
    );
    expect(json(all)).toHaveLength(views.length);
    expect(json(one)).toMatchObject({ view: 'signal', generations: [], open: [], last: null, paused: false });
    expect(rebuilt).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^"signal" was never built: /),
    });
  });

  it('is not healthy while no process feeds the views, and says so', async () => {
    const before = await start('organisations', 'list').ended();
    expect(before).toMatchObject({ code: 1, err: expect.stringContaining('never built') });
    await build();
    const { code, out, err } = await start('health', '--json').ended();
    expect(JSON.parse(out)).toMatchObject({
      ready: false,
      components: expect.arrayContaining([expect.objectContaining({ name: 'projectors', ready: false })]),
    });
    expect([code, err]).toEqual([1, 'Not ready: projectors.\n']);
    const projector = spawnService(dataDir(), { entry: 'src/projector.js' });
    // Until it feeds them; it may take its time on a busy machine.
    let well: ProgramEnd;
    while ((well = await start('health').ended()).code !== 0) await sleep(100);
    expect(well).toMatchObject({ out: expect.stringMatching(/^All is well: \d+ parts ready\.\n$/), err: '' });
    projector.child.kill('SIGTERM');
    await projector.ended;
    expect(await start('health').ended()).toMatchObject({ code: 1 });
  });

  it('lists organisations by id and name', async () => {
    const listed = await start('organisations', 'list', '--json').ended();
    expect(json(listed)).toEqual([
      { id: expect.any(String), name: 'Example', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await start('organisations', 'list').ended()).out).toMatch(/│ Example/);
  });

  it('shows all views in one table, and what is to be looked at', async () => {
    const { code, out } = await assay('status');
    expect([code, out.match(/┌/g)]).toEqual([0, ['┌']]);
    for (const { name } of views) expect(out).toMatch(new RegExp(`^│ ${name} .*│ none `, 'm'));
    expect(out).toMatch(/\n(\d+) of \1 need .*`npm run -s assay -- projections status organisations`\.\n$/);
    const { version } = views.find(({ name }) => name === 'roles')!;
    expect((await assay('status', 'roles')).out).toContain(`roles (version ${version})\n┌`);
  });

  it.each([
    ['promote', '"roles" has no built generation to promote.'],
    ['rollback', '"roles" has no former generation any more: rebuild it instead.'],
    ['cancel', 'No rebuild of "roles" is running: there is nothing to cancel.'],
  ])(
    'looks whether there is anything to do, before it asks or stores a request that fails: %s',
    async (name, err) => {
      for (const flags of [[], ['--yes']])
        expect(await assay(name, 'roles', ...flags)).toEqual({ code: 1, out: '', err: `${err}\n` });
      const { out } = await start('streams', 'show', 'operator-log').ended();
      expect(out).not.toContain(name);
    },
  );

  it('pauses and resumes, and says where there was nothing to do', async () => {
    expect(json(await assay('pause', 'roles', '--json'))).toEqual({
      view: 'roles',
      paused: true,
      changed: true,
    });
    expect(await assay('pause', 'roles')).toMatchObject({
      code: 0,
      out: expect.stringContaining('was already paused'),
    });
    expect(await assay('rebuild', 'roles')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is paused'),
    });
    expect(await assay('resume', 'roles')).toMatchObject({
      code: 0,
      out: expect.stringContaining('is updated again'),
    });
  });

  it('does the work itself if no projector is running, and goes back', async () => {
    const rebuilt = await assay('rebuild', 'members', '--json');
    expect(rebuilt).toMatchObject({ code: 0, err: expect.stringMatching(/^No projector is running: /) });
    expect(json(rebuilt)).toMatchObject({ view: 'members', kind: 'rebuild', result: 'done' });
    expect(json(await assay('status', 'members', '--json'))).toMatchObject({
      generations: [
        { role: 'live', generation: 'members.v1.g2', caughtUp: true, rate: 0 },
        { role: 'former', generation: 'members.v1.g1' },
      ],
      last: { kind: 'rebuild', result: 'done' },
    });
    expect(await assay('diff', 'members')).toMatchObject({ code: 0, err: '' });
    const all = await assay('verify', '--all', '--generation', 'former', '--json');
    expect(all).toMatchObject({
      code: 1,
      err: expect.stringContaining('"organisations" has no generation "former"'),
    });
    expect(json(all)).toMatchObject([
      { view: 'members', generation: 'members.v1.g1', different: 0 },
      ...views
        .filter(({ name }) => name !== 'members')
        .map(({ name }) => ({ view: name, problem: expect.stringContaining('no generation "former"') })),
    ]);
    expect(await assay('rollback', 'members')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^Switch readers .* back to the former generation\? No terminal: pass --yes/,
      ),
    });
    expect(await assay('rollback', 'members', '--yes')).toMatchObject({ code: 0 });
    expect(await assay('diff', 'members', 'live', 'none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('it has members.v1.g1 (live), members.v1.g2 (former).'),
    });
  });

  it('finds a document that is not what its events make of it, and mends it', async () => {
    const stores = await open();
    const collection = stores.readStore.collection(`organisations.v${organisations.version}.g1` as never, {});
    const documents: StoredDocument[] = [];
    for await (const document of collection.all()) documents.push(document);
    const document = documents[0]!;
    const body = { ...(document.body as object), name: 'Another' };
    const write = { document: { ...document, body, repairs: 1 }, expected: document.position, keys: {} };
    expect(await collection.apply([write])).toEqual(['written']);
    await stores.close();

    const found = await assay('verify', 'organisations', '--all');
    expect(found).toMatchObject({ code: 1, err: '1 of 1 document differ.\n' });
    expect(found.out).toContain('/body/name  stored: "Another"  from the log: "Example"');
    const machine = await assay('verify', 'organisations', '--sample', '5', '--seed', '7', '--json');
    expect([machine.code, json(machine)]).toMatchObject([1, { different: 1, sample: 5, seed: 7 }]);
    expect(await assay('replay', 'organisations', '--document', document.id)).toMatchObject({ code: 0 });
    expect(await assay('verify', 'organisations', '--all')).toMatchObject({ code: 0, err: '' });
  });

  it('leaves the work to a projector that is alive, says so when it is stopped, and takes it up when that is gone', async () => {
    const stores = await open();
    // This process, which feeds nothing.
    const owner = `${hostname()}/${process.pid}/idle `;
    const standing = await stores.readStore.leases.get('projectors.1');
    const lease = { owner, counter: (standing?.counter ?? 0) + 1 };
    expect(await stores.readStore.leases.swap('projectors.1', standing, lease)).toBe(true);
    const watching = start('projections', 'rebuild', 'signal');
    const requests = new OperatorRequests(stores.streams);
    while ((await requests.state()).open.size === 0) await sleep(20);
    expect(json(await assay('status', 'signal', '--json'))).toMatchObject({ open: [{ kind: 'rebuild' }] });
    watching.process.kill('SIGINT');
    const stopped = await watching.ended();
    expect(stopped).toMatchObject({ code: 130, out: '' });
    expect(stopped.err).toMatch(
      /^The rebuild of "signal" continues without this command\. Show: `npm run -s assay -- projections status signal`\./,
    );
    expect(await assay('rebuild', 'signal')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not finished yet'),
    });

    expect(await stores.readStore.leases.swap('projectors.1', lease, { owner: '', counter: 99 })).toBe(true);
    await stores.close();
    const taken = await assay('rebuild', 'signal');
    expect(taken).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The rebuild of "signal" requested at .* this command continues it\.\n/),
    });
    expect(json(await assay('status', 'signal', '--json'))).toMatchObject({
      generation: 'signal.v2.g2',
      open: [],
    });
  });

  it('prints no table that is wider than 80 columns: every command that prints one, over long names', async () => {
    const name = `${'Society for the '.repeat(6)}${'x'.repeat(60)} ${'Ω字'.repeat(10)}`;
    const flags = ['--name', name, '--owner-email', 'olga@example.org'];
    expect(await start('organisations', 'create', ...flags).ended()).toMatchObject({ code: 0 });
    await build();
    const printed = await Promise.all(
      [
        ['organisations', 'list'],
        ['projections', 'list'],
        ['projections', 'status'],
        ...['pending-evaluations', 'organisations'].map((view) => ['projections', 'status', view]),
        ['health'],
      ].map(async (words) => ({ words, lines: (await start(...words).ended()).out.split('\n') })),
    );
    for (const { words, lines } of printed) {
      const table = lines.filter((line) => /^[┌│├└]/.test(line));
      expect([words, table.length > 3]).toEqual([words, true]);
      expect([words, table.filter((line) => stringWidth(line) > 80)]).toEqual([words, []]);
    }
    expect(printed[0]?.lines.join('')).toContain('x'.repeat(20));
  });
});
