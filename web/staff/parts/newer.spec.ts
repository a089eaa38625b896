import { describe, expect, it } from '@jest/globals';
import { readNewer } from './newer.js';

describe('what somebody else wrote', () => {
  const reads = (...versions: readonly number[]) => {
    let at = 0;
    return () => Promise.resolve({ version: versions[Math.min(at++, versions.length - 1)] ?? 0 });
  };
  const none = () => Promise.resolve();

  it('is read until it is there', async () => {
    expect(await readNewer(reads(4), 3, none)).toEqual({ version: 4 });
    expect(await readNewer(reads(3, 3, 5), 3, none)).toEqual({ version: 5 });
  });

  it('is not waited for without end', async () => {
    expect(await readNewer(reads(3), 3, none)).toEqual({ version: 3 });
  });
});
