import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { PersonErased, type PersonId } from '../../src/core/vault/port.js';
import type { FileOf, Vault } from '../../src/vault/port.js';
import { aChunk, type AudioHarness, sessionsOf, vaultsOf } from './vault-audio.js';

export const aFile = async (vault: Vault, person = randomUUID() as PersonId): Promise<FileOf> => {
  await vault.keys.create(person);
  return { person, fileId: randomUUID() };
};

/** Appends pieces of these lengths one after another. @returns what the file then holds */
export const fillFile = async (vault: Vault, of: FileOf, lengths: readonly number[]): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for (const length of lengths) {
    const piece = randomBytes(length);
    expect(await vault.files.append(of, await vault.files.size(of), piece)).toBe(true);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

export const readFile = async (vault: Vault, of: FileOf): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of vault.files.read(of)) pieces.push(piece);
  return Buffer.concat(pieces);
};

export const filesOf = async (vault: Vault, after?: FileOf): Promise<readonly FileOf[]> => {
  const files: FileOf[] = [];
  for await (const file of vault.files.files(after)) files.push(file);
  return files;
};

/** What a vault's files must satisfy. */
export function filesContract(start: () => Promise<AudioHarness>): void {
  describe('files', () => {
    const open = vaultsOf(start);

    it('come back byte for byte, for every instance', async () => {
      const vault = await open();
      const of = await aFile(vault);
      const content = await fillFile(vault, of, [1, 131_072, 5, 131_072, 40_000]);
      for (const one of [vault, await open()]) {
        expect(await one.files.size(of)).toBe(content.length);
        expect((await readFile(one, of)).equals(content)).toBe(true);
      }
    });

    it('keep many pieces in order', async () => {
      const vault = await open();
      const of = await aFile(vault);
      const content = await fillFile(
        vault,
        of,
        Array.from({ length: 90 }, (_, n) => n + 1),
      );
      expect((await readFile(vault, of)).equals(content)).toBe(true);
    });

    it('start empty', async () => {
      const vault = await open();
      const of = await aFile(vault);
      expect(await vault.files.size(of)).toBe(0);
      expect((await readFile(vault, of)).length).toBe(0);
      await vault.files.discard(of);
      expect(await filesOf(vault)).toEqual([]);
    });

    it('take nothing at another place than their end', async () => {
      const vault = await open();
      const of = await aFile(vault);
      const content = await fillFile(vault, of, [10, 10]);
      for (const offset of [0, 5, 10, 19, 21, 1_000_000])
        expect(await vault.files.append(of, offset, randomBytes(10))).toBe(false);
      expect((await readFile(vault, of)).equals(content)).toBe(true);
    });

    it('let exactly one of several writers win, at every place', async () => {
      const vaults = [await open(), await open()] as const;
      const of = await aFile(vaults[0]);
      const kept: Buffer[] = [];
      for (let round = 0; round < 8; round++) {
        const size = await vaults[0].files.size(of);
        const rivals = Array.from({ length: 4 }, (_, index) => randomBytes(5 + index));
        const won = await Promise.all(
          rivals.map((piece, index) => vaults[index % 2 === 0 ? 0 : 1].files.append(of, size, piece)),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
        kept.push(rivals[won.indexOf(true)]!);
      }
      expect((await readFile(vaults[1], of)).equals(Buffer.concat(kept))).toBe(true);
    });

    it('refuse what has no place in a file', async () => {
      const vault = await open();
      const of = await aFile(vault);
      await fillFile(vault, of, [3]);
      const wrong: [number, number][] = [[3, 0], [-1, 1], [0.5, 1], [NaN, 1], [4_294_967_295, 1]]; // prettier-ignore
      for (const [offset, length] of wrong)
        await expect(vault.files.append(of, offset, randomBytes(length))).rejects.toThrow(RangeError);
      for (const fileId of ['', 'a b', '../x', 'x'.repeat(129)])
        await expect(vault.files.append({ ...of, fileId }, 0, randomBytes(1))).rejects.toThrow(RangeError);
      expect(await vault.files.size(of)).toBe(3);
    });

    it('refuse an id that no file has, whatever is asked about it', async () => {
      const { files } = await open();
      const person = randomUUID() as PersonId;
      for (const fileId of ['', 'a b', '../x', 'x'.repeat(129)]) {
        const of = { person, fileId };
        for (const asked of [
          () => files.size(of),
          () => files.discard(of),
          () => files.read(of)[Symbol.asyncIterator]().next(),
          () => files.files(of)[Symbol.asyncIterator]().next(),
        ])
          await expect(asked()).rejects.toThrow(RangeError);
      }
    });

    it('keep owners, files and audio apart', async () => {
      const vault = await open();
      const first = await aFile(vault);
      const second = await aFile(vault, first.person);
      const third = { ...(await aFile(vault)), fileId: first.fileId };
      const contents = await Promise.all([first, second, third].map((of) => fillFile(vault, of, [20, 30])));
      // A session that has a file's id is another thing.
      const session = { person: first.person, trialSessionId: first.fileId };
      expect(await vault.audio.append(session, 0, aChunk(1, 1))).toBe(true);
      await vault.files.discard(second);
      expect((await readFile(vault, first)).equals(contents[0]!)).toBe(true);
      expect(await vault.files.size(second)).toBe(0);
      expect((await readFile(vault, third)).equals(contents[2]!)).toBe(true);
      expect(await sessionsOf(vault)).toEqual([session]);
      await vault.audio.discard(session, 1);
      expect((await readFile(vault, first)).equals(contents[0]!)).toBe(true);
      expect(await vault.audio.state(session)).toEqual({ lastSeq: 10 });
    });

    it('can be discarded, again and again, and written again from the start', async () => {
      const vault = await open();
      const of = await aFile(vault);
      await fillFile(vault, of, [10, 20, 30]);
      for (let round = 0; round < 2; round++) {
        await vault.files.discard(of);
        expect(await vault.files.size(of)).toBe(0);
        expect((await readFile(vault, of)).length).toBe(0);
      }
      // A piece that was on its way does not leave a file with a hole.
      expect(await vault.files.append(of, 60, randomBytes(5))).toBe(false);
      const content = await fillFile(vault, of, [15, 25]);
      expect((await readFile(await open(), of)).equals(content)).toBe(true);
    });

    it('are listed once each, from any place on', async () => {
      const vault = await open();
      const files: FileOf[] = [];
      for (let n = 0; n < 4; n++) {
        const of = await aFile(vault);
        files.push(of, await aFile(vault, of.person));
      }
      for (const of of files) await fillFile(vault, of, [1, 2, 3]);
      await vault.files.discard(files[1]!);
      const expected = files.filter((_, index) => index !== 1);
      const listed = await filesOf(await open());
      expect(listed).toHaveLength(expected.length);
      expect(listed).toEqual(expect.arrayContaining(expected));
      for (const [index, of] of listed.entries())
        expect(await filesOf(vault, of)).toEqual(listed.slice(index + 1));
    });

    it('go with their owner, and do not come back', async () => {
      const vault = await open();
      const other = await open();
      const of = await aFile(vault);
      const staying = await aFile(vault);
      await fillFile(vault, of, [10, 10]);
      const kept = await fillFile(vault, staying, [10]);
      await other.keys.get(of.person);
      await vault.keys.erase(of.person);
      for (const one of [vault, other]) {
        for (const offset of [0, 20])
          await expect(one.files.append(of, offset, randomBytes(1))).rejects.toMatchObject({
            code: 'erased',
          });
        await expect(readFile(vault, of)).rejects.toMatchObject({ code: 'erased' });
        expect(await one.files.size(of)).toBe(0);
        await one.files.discard(of);
        expect(await filesOf(one)).toEqual([staying]);
      }
      expect((await readFile(vault, staying)).equals(kept)).toBe(true);
    });

    it('are gone, whichever of appending and erasing comes first', async () => {
      const [writer, eraser] = [await open(), await open()];
      for (let round = 0; round < 8; round++) {
        const of = await aFile(writer);
        await fillFile(writer, of, [10]);
        const appended = writer.files.append(of, 10, randomBytes(10)).catch((error: unknown) => error);
        await Promise.all([appended, eraser.keys.erase(of.person)]);
        expect([true, new PersonErased(of.person)]).toContainEqual(await appended);
        expect(await filesOf(writer)).toEqual([]);
      }
    });

    it('have no hole, whichever of appending and discarding comes first', async () => {
      const [writer, sweeper] = [await open(), await open()];
      for (let round = 0; round < 8; round++) {
        const of = await aFile(writer);
        await fillFile(writer, of, [10]);
        const [appended] = await Promise.all([
          writer.files.append(of, 10, randomBytes(10)),
          sweeper.files.discard(of),
        ]);
        // The piece came before, and went along; or after, and found the file gone.
        expect([true, false]).toContain(appended);
        expect(await writer.files.size(of)).toBe(0);
        expect((await readFile(writer, of)).length).toBe(0);
      }
    });

    it('are not taken of an owner without a key', async () => {
      const vault = await open();
      const of: FileOf = { person: randomUUID() as PersonId, fileId: randomUUID() };
      await expect(vault.files.append(of, 0, randomBytes(1))).rejects.toMatchObject({ code: 'missing_key' });
      expect(await vault.files.size(of)).toBe(0);
    });
  });
}
