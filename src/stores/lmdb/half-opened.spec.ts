import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../test/faults/event-store-processes.js';

const LOG = `
  const { openEmbeddedLog } = await import(${JSON.stringify(`${root}dist/src/stores/lmdb/log/log.js`)});
  const open = () => openEmbeddedLog(folder);`;
const VAULT = `
  const { openEmbeddedVault } = await import(${JSON.stringify(`${root}dist/src/vault/lmdb/vault.js`)});
  const open = () => openEmbeddedVault(folder, Buffer.alloc(32));`;

/** Opens a folder while a call of the system fails, and prints what is open afterwards. */
const script = (call: string, isFailing: string, opens: string): string => `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { setTimeout as sleep } from 'node:timers/promises';
  const folder = process.argv[1];
  const { ${call}: real, readdirSync, readlinkSync } = fs;
  let failed = 0;
  fs.${call} = (...args) => {
    if (!(${isFailing})(...args)) return real(...args);
    failed++;
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  };
  syncBuiltinESMExports();
  const files = () => readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync('/proc/self/fd/' + fd)];
    } catch {
      return [];
    }
  });
  const sockets = () => files().filter((file) => file.startsWith('socket:')).length;
  const before = sockets();
  ${opens}
  const opened = await open().catch(() => null);
  await sleep(100);
  const names = files().filter((file) => file.startsWith(folder)).map((file) => file.slice(folder.length + 1));
  console.log(JSON.stringify({ failed, opens: opened !== null, names: [...new Set(names)].sort(), sockets: sockets() - before }));
  process.exit(0);`;

describe('of two things opened, the first is closed if the second fails', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'assay-half-opened-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    {
      name: 'the socket of a claim, before its mode is set',
      ...{ call: 'chmodSync', isFailing: `(path) => path.includes('.open.')`, opens: LOG },
      left: { opens: true, names: ['appended', 'data.mdb', 'lock.mdb'], sockets: 0 },
    },
    {
      name: 'the socket of a claim, before it gets its name',
      ...{ call: 'renameSync', isFailing: `(path) => path.includes('.open.')`, opens: LOG },
      left: { opens: true, names: ['appended', 'data.mdb', 'lock.mdb'], sockets: 0 },
    },
    {
      name: 'the lock file, before the commit number in it is read',
      ...{
        call: 'readSync',
        isFailing: `(_, bytes, __, ___, at) => bytes.length === 8 && at === 8`,
        opens: LOG,
      },
      left: { opens: false, names: [], sockets: 0 },
    },
    {
      name: 'the file of notices, before its mode is set',
      ...{ call: 'fchmodSync', isFailing: `() => true`, opens: LOG },
      left: { opens: true, names: ['data.mdb', 'lock.mdb'], sockets: 1 },
    },
    {
      name: 'the keys of the vault’s buckets, before they are read',
      ...{ call: 'readSync', isFailing: `(_, bytes) => bytes.length === 128`, opens: VAULT },
      left: { opens: false, names: [], sockets: 0 },
    },
  ])('$name', ({ call, isFailing, opens, left }) => {
    const args = ['--no-warnings', '--input-type=module', '-e', script(call, isFailing, opens), folder];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ stderr, ...JSON.parse(stdout || '{}') }).toEqual({ stderr: '', failed: 1, ...left });
    expect(readdirSync(folder).filter((file) => file.startsWith('.open.'))).toEqual([]);
  });
});
