import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { View } from './domain.js';
import { openPostgresql } from './postgresql.js';
import { openSqlite } from './sqlite.js';
import type { PeerStore } from './store.js';

/** @param kind `sqlite` or `postgresql` @param location a folder, or a database's URL */
export const openStore = async (
  kind: string,
  location: string,
  views: readonly View[],
): Promise<PeerStore> => {
  if (kind === 'sqlite') {
    await mkdir(location, { recursive: true });
    return openSqlite(join(location, 'events.db'), views);
  }
  if (kind === 'postgresql') return openPostgresql(location, views);
  throw new Error(`There is no peer on ${kind}.`);
};
