import { closeSync, openSync } from 'node:fs';
import { readHead, fullLength } from '../../src/stores/lmdb/data-file.js';

/** The used bytes of an LMDB data file, by its header. The file is longer: it has free space at its end. */
export function lengthByHead(path: string): number {
  const file = openSync(path, 'r');
  try {
    return fullLength(readHead(file)!);
  } finally {
    closeSync(file);
  }
}
