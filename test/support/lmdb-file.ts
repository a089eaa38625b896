import { closeSync, openSync } from 'node:fs';
import { readHead, toldLength } from '../../src/stores/lmdb/data-file.js';

/** How long an LMDB data file is by its head: behind that, it has room for what is to come. */
export function lengthByHead(path: string): number {
  const file = openSync(path, 'r');
  try {
    return toldLength(readHead(file)!);
  } finally {
    closeSync(file);
  }
}
