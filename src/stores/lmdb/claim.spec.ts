import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { aStream, events } from '../../../test/contracts/event-store-kit.js';
import { root } from '../../../test/faults/event-store-processes.js';
import { StoreUnavailable } from '../../core/errors.js';
import { IDLE_POLL_MS } from '../../core/shared-interval.js';
import { Claim, OpenElsewhere, processesWith } from './claim.js';
import { Environment } from './environment.js';
import { openEmbeddedLog } from './log/log.js';

const LOG = JSON.stringify(`${root}dist/src/stores/lmdb/log/log.js`);
const HOLD = `
  const { openEmbeddedLog } = await import(${LOG});
  await openEmbeddedLog(process.argv[1]);
  console.log('open');
  setInterval(() => undefined, 1_000);`;
const OPEN = `
  const { openEmbeddedLog } = await import(${LOG});
  await openEmbeddedLog(process.argv[1]).catch((error) => console.log(error.name, error.message));
  process.exit(0);`;
const script = (source: string, folder: string): readonly string[] => [
  '--no-warnings',
  '--input-type=module',
  '-e',
  source,
  folder,
];

describe('a folder that processes cannot share with those that have it open', () => {
  let folder: string;
  let holder: ChildProcess | null = null;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-claim-'));
  });
  afterEach(async () => {
    holder?.kill('SIGKILL');
    holder = null;
    await rm(folder, { recursive: true, force: true });
  });

  const claims = (): string[] => readdirSync(folder).filter((name) => name.startsWith('open.'));

  /** As LMDB finds it where two containers mount one volume: a process of another PID namespace has it open. */
  const heldElsewhere = async (): Promise<void> => {
    holder = spawn(process.execPath, script(HOLD, folder), { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
    const [claim = ''] = claims();
    renameSync(join(folder, claim), join(folder, claim.replace(/\.(?:pid\d+|none)\.\d+\./, '.pid1.1.')));
  };

  it('is refused before it is opened, with what to do, and is never called damaged', async () => {
    await heldElsewhere();
    for (const readOnly of [false, true]) {
      const opening = openEmbeddedLog(folder, { readOnly });
      await expect(opening).rejects.toThrow(/another container, or another PID namespace .* has it open/);
      await expect(opening).rejects.toThrow(/Nothing is damaged .*docker compose exec/);
    }
    // A stopped one still has it open.
    holder!.kill('SIGSTOP');
    await expect(openEmbeddedLog(folder)).rejects.toThrow(/has it open/);
    expect(claims()).toHaveLength(1);
  });

  it('is not called damaged where LMDB gives no snapshot, since nothing was looked at', async () => {
    const kind = {
      name: 'event log',
      remedy: () => 'Restore it.',
      mayBeForeign: true,
      Unavailable: StoreUnavailable,
    };
    const environment = Environment.open(folder, kind);
    const none = (): never => {
      throw new TypeError("Cannot read properties of null (reading 'address')");
    };
    environment.root.useReadTransaction = none;
    expect(() => environment.read(none)).toThrow(/gives this process no snapshot/);
    expect(() => environment.read(none)).not.toThrow(/damaged|Restore it/);
    await environment.close();
  });

  it('opens at once after the other has been killed, and no claim is left', async () => {
    await heldElsewhere();
    holder!.kill('SIGKILL');
    await once(holder!, 'exit');
    const log = await openEmbeddedLog(folder);
    await log.append(aStream(), 'no-stream', events(1));
    expect(claims()).toHaveLength(1);
    await log.close();
    expect(claims()).toEqual([]);
  });

  it('opens without what a process left that was killed before it had tried the file system', async () => {
    const [ended, living] = [spawnSync('true').pid, process.ppid].map((pid) => `.mapping-${pid}-AbCdEf`);
    for (const name of [ended, living]) mkdirSync(join(folder, name!));
    // A process tries a file system once.
    expect(spawnSync(process.execPath, script(OPEN, folder)).status).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([living]);
  });

  it.each([
    ['another host name', 'elsewhere'],
    [
      'the same host name',
      hostname()
        .replaceAll(/[^\w.-]/g, '_')
        .slice(0, 40),
    ],
  ])(
    'is refused while another machine of %s renews its claim, and opens after that has ended',
    async (_, host) => {
      const path = join(folder, `open.other-boot.pid1.1.${host}`);
      writeFileSync(path, '');
      const renewer = spawn(process.execPath, [
        '-e',
        `setInterval(() => require('node:fs').utimesSync(process.argv[1], new Date(), new Date()), 100)`,
        path,
      ]);
      await once(renewer, 'spawn');
      await expect(openEmbeddedLog(folder)).rejects.toThrow(`another machine (${host}) has it open`);
      renewer.kill('SIGKILL');
      await once(renewer, 'exit');
      utimesSync(path, 0, 0);
      await (await openEmbeddedLog(folder)).close();
      expect(claims()).toEqual([]);
    },
  );

  it.each([
    ['ends the process that maps it', `process.kill(process.pid, 'SIGSEGV')`],
    ['refuses to map', `throw new Error('No such device')`],
    ['shows other bytes than were written', `return { ...store, get: () => 'else' }`],
  ])('is named with its file system where that %s', (_, deed) => {
    // What lmdb does in the child process on such a file system.
    const shim = join(folder, 'shim.cjs');
    writeFileSync(
      shim,
      `const Module = require('node:module');
       const load = Module._load;
       const store = { transactionSync: () => undefined, env: { info: () => ({ lastTxnId: 0 }) } };
       Module._load = (id, ...rest) => id.endsWith('index.cjs') && id.includes('lmdb')
         ? { open: ({ path }) => { require('node:fs').writeFileSync(path + '/data.mdb', ''); ${deed} } }
         : load(id, ...rest);`,
    );
    const place = join(folder, 'log');
    const env = { ...process.env, NODE_OPTIONS: `--require ${shim}` };
    const { stdout, status } = spawnSync(process.execPath, script(OPEN, place), { env, encoding: 'utf8' });
    expect(stdout).toMatch(/^StoreUnusable .* cannot be opened: the file system.* Nothing is damaged\./);
    expect(status).toBe(0);
    expect(readdirSync(place)).toEqual([]);
    rmSync(shim);
    const again = spawnSync(process.execPath, script(OPEN, place), { encoding: 'utf8' });
    expect(again.stdout).toBe('');
  });
});

describe('a claim', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'assay-claim-'))));
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  const claims = (): string[] => readdirSync(folder).filter((name) => name.startsWith('open.'));
  /** The path of a claim of a process of this machine, in another PID namespace. */
  const besideThis = (): string => {
    const claim = Claim.take(folder);
    const [own = ''] = claims();
    claim.release();
    return join(folder, own.replace(/\.(?:pid\d+|none)\.\d+\./, '.pid1.1.'));
  };
  /** Runs while a claim is observed; no time passes. */
  const meanwhile = (change: (observedMs: number) => void): void => {
    let observedMs = 0;
    jest.spyOn(Atomics, 'wait').mockImplementation((...[, , , ms = 0]) => {
      change((observedMs += ms));
      return 'timed-out';
    });
  };
  const taking = () => Claim.take(folder);

  it('is renewed as long as it is held', () => {
    jest.useFakeTimers();
    const claim = taking();
    const [path = ''] = claims().map((name) => join(folder, name));
    for (let renewals = 0; renewals < 3; renewals++) {
      utimesSync(path, 0, 0);
      jest.advanceTimersByTime(IDLE_POLL_MS);
      expect(statSync(path).mtimeMs).toBeGreaterThan(0);
    }
    claim.release();
    expect(jest.getTimerCount()).toBe(0);
    expect(claims()).toEqual([]);
  });

  it('of another machine is observed until that would have renewed it', () => {
    const path = join(folder, 'open.other-boot.pid1.1.elsewhere');
    writeFileSync(path, '');
    meanwhile((observedMs) => {
      if (observedMs >= IDLE_POLL_MS) utimesSync(path, 1, 1);
    });
    expect(taking).toThrow(OpenElsewhere);
    expect(claims()).toEqual([basename(path)]);
  });

  it('that is ended while it is observed counts no more', () => {
    const path = join(folder, 'open.other-boot.pid1.1.elsewhere');
    writeFileSync(path, '');
    meanwhile(() => rmSync(path, { force: true }));
    taking().release();
    expect(claims()).toEqual([]);
  });

  it('is observed where the file system has no sockets', () => {
    const path = besideThis();
    writeFileSync(path, '');
    meanwhile(() => utimesSync(path, 1, 1));
    expect(taking).toThrow(OpenElsewhere);
  });

  it('is observed where the process that probes it cannot run', async () => {
    const path = besideThis();
    const server = createServer().listen(path);
    await once(server, 'listening');
    const options = process.env['NODE_OPTIONS'];
    process.env['NODE_OPTIONS'] = '--require /there/is/none.cjs';
    try {
      meanwhile(() => utimesSync(path, 1, 1));
      expect(taking).toThrow(OpenElsewhere);
    } finally {
      if (options === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = options;
      server.close();
    }
  });

  it('names the running processes of this PID namespace that have a folder open, and no others', () => {
    const other = besideThis();
    const claim = taking();
    const [own = ''] = claims();
    writeFileSync(other.replace('.1.', `.${process.ppid}.`), '');
    writeFileSync(join(folder, own.replace(`.${process.pid}.`, `.${spawnSync('true').pid}.`)), '');
    expect(processesWith(folder)).toEqual([process.pid]);
    expect(processesWith(join(folder, 'none'))).toEqual([]);
    claim.release();
  });
});
