import { join } from 'node:path';
import type { Backup } from './backup.js';
import type { Restored } from './restore.js';

/** What a backup holds, in lines for the screen. */
export const backupSummary = (folder: string, dataDir: string, backup: Backup): readonly string[] => {
  const { head, events, people, erased, bytes } = backup.manifest;
  return [
    `Saved in ${folder}: ${bytes} bytes`,
    `  events         ${events}${events > 0 ? `, to position ${head}` : ''}`,
    `  people’s keys  ${people}, and ${erased} tombstones of people who were erased`,
    `  sha256         ${backup.sha256}`,
    keysOf(dataDir, backup.keys),
  ];
};

/** Names keys, and never shows one. */
const keysOf = (dataDir: string, keys: readonly string[]): string =>
  keys.length > 0
    ? `It holds ${keys.join(' and ')} too: whoever gets at it can read everything in it.`
    : `It holds no key, and without DATA_KEY no personal text in it can ever be read. Keep DATA_KEY and SIGNING_KEY (${join(dataDir, 'data.key')} and signing.key, unless they are set) in a safe place apart from it.`;

/** What was restored and what is to be done now, in lines for the screen. */
export const restoreSummary = (dataDir: string, restored: Restored): readonly string[] => {
  const { manifest, sha256, erasures, withKeys } = restored;
  const { events, head, people, erased, madeAt } = manifest;
  return [
    `Restored into ${dataDir}, as of ${madeAt}:`,
    `  events         ${events}${events > 0 ? `, to position ${head}` : ''}`,
    `  people’s keys  ${people}, and ${erased} tombstones of people who were erased`,
    `  sha256         ${sha256}`,
    erasures
      ? `Erased after the backup, and here too: ${erasures.people} people; ${erasures.events} erasures were added to the log.`
      : 'Nobody’s erasure was carried over: whoever was erased after the backup is in it again.',
    ...(erasures?.complete === false
      ? ['Not every erasure could be read: some of those people may be in it again.']
      : []),
    withKeys
      ? 'The keys that were in the backup lie there too.'
      : `Before the first start set DATA_KEY and SIGNING_KEY to those of that time, or put data.key and signing.key into ${dataDir}.`,
    'The next start rebuilds the views.',
  ];
};
