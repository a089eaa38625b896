import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as fs from 'node:fs';

const MIB = 1_024 * 1_024;
const disk = { size: 0, free: 0, reads: 0 };

jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  statfsSync: () => {
    disk.reads += 1;
    return { bsize: MIB, blocks: disk.size / MIB, bavail: disk.free / MIB };
  },
}));

describe('the reserve of a disk', () => {
  let room: typeof import('./disk-room.js');
  let folder = '';
  let folders = 0;

  beforeAll(async () => {
    room = await import('./disk-room.js');
  });
  beforeEach(() => {
    folder = `/folder ${folders++}`;
  });

  it.each([
    [10, 1],
    [20, 1],
    [200, 10],
    [1_280, 64],
    [1_000_000, 64],
  ])('is a twentieth of it, from 1 to 64 MiB: of %d MiB it is %d', (size, reserve) => {
    Object.assign(disk, { size: size * MIB, free: MIB });
    expect(room.diskRoom(folder)).toEqual({ size: size * MIB, free: MIB, reserve: reserve * MIB });
  });

  it('is refused to a write that needs free room, as long as no more is free', () => {
    Object.assign(disk, { size: 200 * MIB, free: 9 * MIB });
    const sentence =
      `The disk of ${folder} is full: 9.0 MiB of 200.0 MiB are free, and 10.0 MiB are reserved. ` +
      'Make room; nothing needs to be repaired or restarted.';
    expect(room.diskProblem(folder)).toBe(sentence);
    for (let write = 0; write < 2; write++)
      expect(() => room.assertRoom(folder)).toThrow(new room.DiskFull(sentence));
    disk.free = 10 * MIB;
    expect(room.diskProblem(folder)).toBeNull();
    expect(() => room.assertRoom(folder)).not.toThrow();
  });

  it('is read once in 10 ms while there is room, for each folder', () => {
    const now = jest.spyOn(performance, 'now');
    try {
      Object.assign(disk, { size: 200 * MIB, free: 20 * MIB, reads: 0 });
      for (const [at, reads] of [
        [1_000, 1],
        [1_009, 1],
        [1_010, 2],
      ] as const) {
        now.mockReturnValue(at);
        room.assertRoom(folder);
        expect(disk.reads).toBe(reads);
      }
      room.assertRoom(`${folder}, another`);
      expect(disk.reads).toBe(3);
    } finally {
      now.mockRestore();
    }
  });
});

describe('an error of the system', () => {
  it('says that the disk is full if that is its cause, and stays the same else', async () => {
    const { asDiskFull, DiskFull } = await import('./disk-room.js');
    for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG'])
      expect(asDiskFull('/folder', Object.assign(new Error('No.'), { code }))).toEqual(
        new DiskFull(
          `The disk of /folder is full (${code}). Make room; nothing needs to be repaired or restarted.`,
        ),
      );
    const other = Object.assign(new Error('No.'), { code: 'EACCES' });
    expect(asDiskFull('/folder', other)).toBe(other);
  });
});
