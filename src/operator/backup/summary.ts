import { join } from 'node:path';
import type { Backup } from './backup.js';
import type { Restored } from './restore.js';

/** What a backup holds, in lines for the screen. */
export const backupSummary = (folder: string, dataDir: string, backup: Backup): readonly string[] => {
  const { head, events, people, erased, bytes } = backup.manifest;
  return [
    `Saved ${events} events, to position ${head === '' ? 'none' : head}, and the keys of ${people} people in ${folder}.`,
    ...(erased > 0 ? [`${erased} people are erased, and stay so wherever it is restored.`] : []),
    `${bytes} bytes  sha256 ${backup.sha256}`,
    keysOf(dataDir, backup.keys),
  ];
};

/** Names keys, and never shows one. */
const keysOf = (dataDir: string, keys: readonly string[]): string =>
  keys.length > 0
    ? `It holds ${keys.join(' and ')}: whoever has this backup can read everything in it. Lock it away.`
    : `It holds no key. Without DATA_KEY (unless it is set, ${join(dataDir, 'data.key')}) nobody can read a personal text in it: keep that and SIGNING_KEY (${join(dataDir, 'signing.key')}) in a safe place apart from it.`;

/** What was restored and what is to be done now, in lines for the screen. */
export const restoreSummary = (dataDir: string, restored: Restored): readonly string[] => {
  const { manifest, sha256, erasedSince, erasureEvents, withKeys } = restored;
  return [
    `Restored ${manifest.events} events and the keys of ${manifest.people} people into ${dataDir}, as of ${manifest.madeAt}.`,
    `sha256 ${sha256}`,
    `Erased since: ${erasedSince} people, by ${erasureEvents} events carried over.`,
    withKeys
      ? 'The keys that were in the backup lie there too.'
      : `Before the first start set DATA_KEY and SIGNING_KEY to those of that time, or put data.key and signing.key into ${dataDir}.`,
    'The next start rebuilds the views.',
  ];
};
