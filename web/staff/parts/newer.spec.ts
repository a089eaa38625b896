import { describe, expect, it } from '@jest/globals';
import { readNewer, mergeDrafts } from './newer.js';

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

describe('a form over what somebody else saved', () => {
  it('keeps what was changed here alone', () => {
    const base = { name: 'A', days: [3, 1], notice: null as string | null, audio: false };
    const theirs = { name: 'B', days: [7], notice: 'Theirs', audio: false };
    expect(mergeDrafts(base, base, theirs)).toEqual(theirs);
    const mine = { ...base, name: 'C', audio: true };
    expect(mergeDrafts(mine, base, theirs)).toEqual({ ...theirs, name: 'C', audio: true });
    expect(mergeDrafts({ ...base, days: [3] }, base, theirs)).toEqual({ ...theirs, days: [3] });
  });
});
