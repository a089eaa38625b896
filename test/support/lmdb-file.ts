import { closeSync, openSync } from 'node:fs';
import { readHead, fullLength } from '../../src/stores/lmdb/data-file.js';

/** How long an LMDB data file is by its head: behind that, it has room for what is to come. */
export function lengthByHead(path: string): number {
  const file = openSync(path, 'r');
  try {
    return fullLength(readHead(file)!);
  } finally {
    closeSync(file);
  }
}
