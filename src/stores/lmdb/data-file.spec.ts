import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { open } from 'lmdb';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../core/errors.js';
import { assertSound } from './data-file.js';
import { Environment } from './environment.js';
import { Damaged, NotLmdb } from './faults.js';

const PAGE = 4_096;
const HEADER = 24;

/** The places of an LMDB file's parts, in bytes from its beginning. */
class Places {
  /** The newer head. */
  readonly head: number;
  /** The trees of free pages, and of tables. */
  readonly free: number;
  readonly main: number;
  /** The entry that names the only table, and that table's tree. */
  readonly entry: number;
  readonly table: number;
  /** A branch page of the table, and its first leaf. */
  readonly branch: number;
  readonly leaf: number;

  constructor(private readonly file: Buffer) {
    this.head = this.transaction(0) > this.transaction(PAGE) ? 0 : PAGE;
    this.free = this.head + 48;
    this.main = this.head + 96;
    this.entry = this.node(this.root(this.main), 0);
    this.table = this.value(this.entry);
    this.branch = this.root(this.table);
    this.leaf = this.child(this.branch, 0);
  }

  transaction = (head: number): bigint => this.file.readBigUInt64LE(head + 152);
  root = (tree: number): number => Number(this.file.readBigUInt64LE(tree + 40)) * PAGE;
  node = (page: number, index: number): number =>
    page + HEADER + this.file.readUInt16LE(page + HEADER + 2 * index);
  value = (node: number): number => node + 8 + this.file.readUInt16LE(node + 6);
  child = (page: number, index: number): number => this.file.readUInt32LE(this.node(page, index)) * PAGE;

  /** The first page of the long value, which is the table's first entry. */
  get overflow(): number {
    return Number(this.file.readBigUInt64LE(this.value(this.node(this.leaf, 0)))) * PAGE;
  }
}

describe('an LMDB file that is checked before it is mapped', () => {
  let folder: string;
  let path: string;
  let file: Buffer;
  let at: Places;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assay-file-'));
    path = join(folder, 'data.mdb');
    const root = open({ path: folder, noSubdir: false, overlappingSync: false });
    const table = root.openDB<Buffer, number>({ name: 'things', encoding: 'binary' });
    root.transactionSync(() => {
      for (let key = 1; key <= 200; key++) table.putSync(key, Buffer.alloc(100, key));
    });
    root.transactionSync(() => table.putSync(0, Buffer.alloc(20_000, 'x')));
    await root.close();
    file = readFileSync(path);
    at = new Places(file);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const check = (): void => assertSound(path);

  it('passes whole, empty, and where there is none', () => {
    check();
    writeFileSync(path, '');
    check();
    rmSync(path);
    check();
  });

  const damages: [string, () => void, string][] = [
    ['a page size', () => void file.writeUInt32LE(3_000, 48), 'its page size makes no sense'],
    [
      'a page size that others have',
      () => void file.writeUInt32LE(2 * PAGE, 48),
      'second meta page is broken',
    ],
    ['a tree’s depth', () => void file.writeUInt16LE(33, at.main + 6), 'a tree has no sensible depth'],
    ['the end of a page’s entries', () => void file.writeUInt16LE(PAGE, at.leaf + 22), 'impossible bounds'],
    [
      'the end of a page’s list of entries',
      () => void file.writeUInt16LE(file.readUInt16LE(at.leaf + 22) + 2, at.leaf + 20),
      'impossible bounds',
    ],
    ['an odd list of entries', () => void file.writeUInt16LE(3, at.leaf + 20), 'impossible bounds'],
    ['a branch’s number of entries', () => void file.writeUInt16LE(2, at.branch + 20), 'too few entries'],
    [
      'an entry’s place, beyond the page',
      () => void file.writeUInt16LE(PAGE - HEADER - 4, at.leaf + HEADER),
      'a wild entry',
    ],
    ['an entry’s place, in the list', () => void file.writeUInt16LE(0, at.leaf + HEADER), 'a wild entry'],
    ['a key’s length', () => void file.writeUInt16LE(PAGE, at.node(at.leaf, 0) + 6), 'a key beyond its end'],
    [
      'an entry’s kind',
      () => void file.writeUInt16LE(0x10, at.node(at.leaf, 1) + 4),
      'an entry beyond its end',
    ],
    ['a value’s length', () => void file.writeUInt32LE(PAGE, at.node(at.leaf, 1)), 'an entry beyond its end'],
    ['a long value’s pages', () => void file.writeUInt32LE(1, at.overflow + 20), 'is too short'],
    ['a long value’s length', () => void file.writeUInt32LE(60_000, at.overflow + 20), 'beyond its end'],
    ['a table’s head', () => void file.writeUInt32LE(47, at.entry), 'names a broken table'],
    ['a page of the list of free pages', () => void file.writeUInt8(1, at.root(at.free)), 'not what it'],
    ['a page’s number', () => void file.writeUInt8(1, at.leaf), 'not what it should be'],
    ['a page’s kind', () => void file.writeUInt16LE(0x01, at.leaf + 18), 'not what it should be'],
    [
      'a child that was never used',
      () => {
        const page = Number(file.readBigUInt64LE(at.head + 144)) + 1;
        file.writeUInt32LE(page, at.node(at.branch, 0));
        file.copy(file, page * PAGE, at.leaf, at.leaf + PAGE);
        file.writeUInt32LE(page, page * PAGE);
      },
      'beyond its end',
    ],
  ];

  it.each(damages)('is refused over %s', (_, damage, message) => {
    file = Buffer.concat([file, Buffer.alloc(PAGE)]);
    damage();
    writeFileSync(path, file);
    expect(check).toThrow(Damaged);
    expect(check).toThrow(message);
  });

  it('is refused in another format, as no damage', () => {
    file.writeUInt16LE(3, 28);
    writeFileSync(path, file);
    expect(check).toThrow(NotLmdb);
    expect(check).toThrow('another file format');
  });

  describe('while another process writes to it', () => {
    const damage = (): Buffer => {
      const half = Buffer.from(file);
      half.writeUInt8(1, at.leaf);
      return half;
    };
    /** Runs while the check waits before it reads again. */
    const meanwhile = (write: (pause: number) => void): void => {
      let pauses = 0;
      jest.spyOn(Atomics, 'wait').mockImplementation(() => {
        write(++pauses);
        return 'timed-out';
      });
    };

    it('passes once it is read whole', () => {
      writeFileSync(path, damage());
      meanwhile((pause) => {
        if (pause === 3) writeFileSync(path, file);
      });
      check();
    });

    it.each([0, PAGE])('passes as long as commits follow one another, noted at %i', (head) => {
      const half = damage();
      writeFileSync(path, half);
      meanwhile((pause) => {
        half.writeBigUInt64LE(BigInt(1_000 * pause), head + 152);
        writeFileSync(path, half);
      });
      check();
    });

    it('is refused if nothing is committed any more', () => {
      writeFileSync(path, damage());
      meanwhile(() => undefined);
      expect(check).toThrow(Damaged);
    });
  });

  it('is given the length that its newer head names, where it lacks free pages at its end', async () => {
    const last = file.readBigUInt64LE(at.head + 144);
    const pages = BigInt(file.length / PAGE) + 5n;
    expect(pages).toBeGreaterThan(last);
    file.writeBigUInt64LE(pages, at.head + 144);
    writeFileSync(path, file);
    const environment = Environment.open(folder, {
      name: 'store',
      remedy: () => 'Remove it.',
      mayBeForeign: false,
      Unavailable: StoreUnavailable,
    });
    expect(statSync(path).size).toBeGreaterThanOrEqual(Number(pages + 1n) * PAGE);
    await environment.close();
  });
});
