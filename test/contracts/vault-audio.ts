import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { PersonErased, type PersonId } from '../../src/core/vault/port.js';
import { lateNumber, lateTurn } from '../../src/vault/late-turns.js';
import type { AudioChunk, AudioOf, Vault } from '../../src/vault/port.js';

/** Where a suite's vaults live: every `open` is another instance on the same data. */
export interface AudioHarness {
  open(): Promise<Vault>;
  remove(): Promise<void>;
}

/** Opens vaults of a suite: each test has data of its own, and what it opened is closed after it. */
export const vaultsOf = <V extends Pick<Vault, 'close'>>(
  start: () => Promise<{ open(): Promise<V>; remove(): Promise<void> }>,
): (() => Promise<V>) => {
  let harness: Awaited<ReturnType<typeof start>>;
  let opened: V[];
  beforeEach(async () => {
    harness = await start();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((vault) => vault.close()));
    await harness.remove();
  });
  return async () => {
    const vault = await harness.open();
    opened.push(vault);
    return vault;
  };
};

/** A chunk of so many frames, with PCM that nothing else has. */
export const aChunk = (
  turn: number,
  firstSeq: number,
  frames = 10,
  more: Partial<AudioChunk> = {},
): AudioChunk => ({
  turn,
  firstSeq,
  lastSeq: firstSeq + frames - 1,
  timestampMs: firstSeq * 20,
  endOfTurn: false,
  answerGapMs: null,
  pcm: new Uint8Array(randomBytes(frames * 640)),
  ...more,
});

export const aSession = async (vault: Vault, person = randomUUID() as PersonId): Promise<AudioOf> => {
  await vault.keys.create(person);
  return { person, trialSessionId: randomUUID() };
};

/** Appends chunks one after another, each of so many frames. */
export const fillTurns = async (
  vault: Vault,
  of: AudioOf,
  turns: readonly number[],
  frames = 10,
): Promise<readonly AudioChunk[]> => {
  const chunks: AudioChunk[] = [];
  for (const turn of turns) {
    const { lastSeq } = await vault.audio.state(of);
    const chunk = aChunk(turn, lastSeq + 1, frames);
    expect(await vault.audio.append(of, lastSeq, chunk)).toBe(true);
    chunks.push(chunk);
  }
  return chunks;
};

/** As it was given: what a store answers may be another kind of bytes. */
export const readTurn = async (vault: Vault, of: AudioOf, turn: number): Promise<readonly AudioChunk[]> => {
  const chunks: AudioChunk[] = [];
  for await (const chunk of vault.audio.read(of, turn))
    chunks.push({ ...chunk, pcm: new Uint8Array(chunk.pcm) });
  return chunks;
};

export const sessionsOf = async (vault: Vault): Promise<readonly AudioOf[]> => {
  const sessions: AudioOf[] = [];
  for await (const { person, trialSessionId } of vault.audio.sessions())
    sessions.push({ person, trialSessionId });
  return sessions;
};

/** What a vault's audio must satisfy. */
export function audioContract(start: () => Promise<AudioHarness>): void {
  describe('audio', () => {
    const open = vaultsOf(start);

    it('comes back as it was appended, turn by turn, for every instance', async () => {
      const vault = await open();
      const of = await aSession(vault);
      const chunks = [
        aChunk(1, 1, 10, { answerGapMs: 1234.5 }),
        aChunk(1, 11, 1, { endOfTurn: true, answerGapMs: 0 }),
        aChunk(2, 12, 25, { timestampMs: 0xffff_ffff }),
        aChunk(1, 37, 5, { pcm: new Uint8Array() }),
        aChunk(10, 42, 50),
        aChunk(2, 92, 8, { endOfTurn: true }),
      ];
      for (const chunk of chunks) expect(await vault.audio.append(of, chunk.firstSeq - 1, chunk)).toBe(true);
      for (const one of [vault, await open()]) {
        expect(await one.audio.state(of)).toEqual({ lastSeq: 99 });
        for (const turn of [1, 2, 10])
          expect(await readTurn(one, of, turn)).toEqual(chunks.filter((chunk) => chunk.turn === turn));
        expect(await readTurn(one, of, 3)).toEqual([]);
        expect([...(await one.audio.turns(of))]).toEqual([
          [1, 11 * 640],
          [2, 33 * 640],
          [10, 50 * 640],
        ]);
      }
    });

    it('keeps many chunks of a turn in order', async () => {
      const vault = await open();
      const of = await aSession(vault);
      const chunks = await fillTurns(
        vault,
        of,
        Array.from({ length: 75 }, () => 1),
        1,
      );
      expect(await readTurn(vault, of, 1)).toEqual(chunks);
    });

    it('starts empty', async () => {
      const vault = await open();
      const of = await aSession(vault);
      expect(await vault.audio.state(of)).toEqual({ lastSeq: 0 });
      expect(await vault.audio.turns(of)).toEqual(new Map());
      expect(await readTurn(vault, of, 1)).toEqual([]);
      await vault.audio.discard(of, 1);
      expect(await sessionsOf(vault)).toEqual([]);
    });

    it('stores nothing where the audio goes elsewhere', async () => {
      const vault = await open();
      const of = await aSession(vault);
      const chunks = await fillTurns(vault, of, [1, 1]);
      for (const after of [0, 5, 10, 19, 21, 1000])
        expect(await vault.audio.append(of, after, aChunk(1, after + 1))).toBe(false);
      expect(await vault.audio.state(of)).toEqual({ lastSeq: 20 });
      expect(await readTurn(vault, of, 1)).toEqual(chunks);
    });

    it('lets exactly one of two writers win, at every place', async () => {
      const vaults = [await open(), await open()] as const;
      const of = await aSession(vaults[0]);
      const kept: AudioChunk[] = [];
      for (let round = 0; round < 10; round++) {
        const { lastSeq } = await vaults[round % 2 === 0 ? 0 : 1].audio.state(of);
        const rivals = Array.from({ length: 4 }, (_, index) => aChunk(1, lastSeq + 1, 5 + index));
        const won = await Promise.all(
          rivals.map((chunk, index) => vaults[index % 2 === 0 ? 0 : 1].audio.append(of, lastSeq, chunk)),
        );
        expect(won.filter(Boolean)).toHaveLength(1);
        kept.push(rivals[won.indexOf(true)]!);
      }
      expect(await readTurn(vaults[1], of, 1)).toEqual(kept);
      expect(await vaults[0].audio.state(of)).toEqual({ lastSeq: kept.at(-1)!.lastSeq });
    });

    it('keeps sessions and persons apart', async () => {
      const vault = await open();
      const first = await aSession(vault);
      const second = await aSession(vault, first.person);
      const third = { ...(await aSession(vault)), trialSessionId: first.trialSessionId };
      const chunks = await Promise.all([first, second, third].map((of) => fillTurns(vault, of, [1, 2])));
      await vault.audio.discard(second, 1);
      expect(await readTurn(vault, first, 1)).toEqual([chunks[0]![0]]);
      expect(await readTurn(vault, second, 1)).toEqual([]);
      expect(await readTurn(vault, second, 2)).toEqual([chunks[1]![1]]);
      expect(await readTurn(vault, third, 1)).toEqual([chunks[2]![0]]);
    });

    it('refuses a chunk that its caller has put wrongly together', async () => {
      const vault = await open();
      const of = await aSession(vault);
      await fillTurns(vault, of, [1]);
      const wrong: [number, AudioChunk][] = [
        [10, aChunk(1, 10)],
        [10, aChunk(1, 12)],
        [10, { ...aChunk(1, 11), lastSeq: 10 }],
        [10, aChunk(0, 11)],
        [10, aChunk(65_536, 11)],
        [10, aChunk(1.5, 11)],
        [9.5, aChunk(1, 10.5)],
        [-1, aChunk(1, 0)],
        [10, aChunk(1, 11, 10, { timestampMs: NaN })],
        [10, aChunk(1, 11, 10, { answerGapMs: Infinity })],
      ];
      for (const [after, chunk] of wrong)
        await expect(vault.audio.append(of, after, chunk)).rejects.toThrow(RangeError);
      for (const trialSessionId of ['', 'a b', '../x', 'x'.repeat(129)])
        await expect(vault.audio.append({ ...of, trialSessionId }, 0, aChunk(1, 1))).rejects.toThrow(
          RangeError,
        );
      expect(await vault.audio.state(of)).toEqual({ lastSeq: 10 });
    });

    it('takes the last turn that there can be, and late speech to it', async () => {
      const vault = await open();
      const { audio } = vault;
      const of = await aSession(vault);
      const late = lateNumber({ turn: 65_535, firstSeq: 11 });
      expect(await audio.append(of, 0, aChunk(65_535, 1))).toBe(true);
      expect(await audio.append(of, 10, aChunk(late, 11))).toBe(true);
      expect(new Set((await audio.turns(of)).keys())).toEqual(new Set([65_535, late]));
    });

    it('refuses an id that no session has, whatever is asked about it', async () => {
      const { audio } = await open();
      const person = randomUUID() as PersonId;
      for (const trialSessionId of ['', 'a b', '../x', 'x'.repeat(129)]) {
        const of = { person, trialSessionId };
        for (const asked of [
          () => audio.state(of),
          () => audio.turns(of),
          () => audio.discard(of, 1),
          () => audio.read(of, 1)[Symbol.asyncIterator]().next(),
          () => audio.sessions(of)[Symbol.asyncIterator]().next(),
        ])
          await expect(asked()).rejects.toThrow(RangeError);
      }
    });

    it('discards a turn for good, and never goes back', async () => {
      const vault = await open();
      const of = await aSession(vault);
      const [, second] = await fillTurns(vault, of, [1, 2, 1, 3]);
      await vault.audio.discard(of, 1);
      await vault.audio.discard(of, 1);
      await vault.audio.discard(of, 3);
      for (const one of [vault, await open()]) {
        expect(await readTurn(one, of, 1)).toEqual([]);
        expect(await readTurn(one, of, 2)).toEqual([second]);
        expect([...(await one.audio.turns(of))]).toEqual([[2, 6400]]);
        expect(await one.audio.state(of)).toEqual({ lastSeq: 40 });
      }
      // Nothing goes where the discarded was.
      for (const after of [0, 20, 30])
        expect(await vault.audio.append(of, after, aChunk(1, after + 1))).toBe(false);
      await fillTurns(vault, of, [1]);
      expect((await readTurn(vault, of, 1)).map(({ firstSeq }) => firstSeq)).toEqual([41]);
    });

    it('keeps each stretch of late speech apart from its turn, and from the others', async () => {
      const vault = await open();
      const of = await aSession(vault);
      const numbers = [
        lateNumber({ turn: 3, firstSeq: 11 }),
        lateNumber({ turn: 65_535, firstSeq: 4_294_967_295 }),
      ];
      const [own, first, last] = await fillTurns(vault, of, [3, ...numbers]);
      expect([...(await vault.audio.turns(of)).keys()]).toEqual([3, ...numbers]);
      expect(numbers.map(lateTurn)).toEqual([
        { turn: 3, firstSeq: 11 },
        { turn: 65_535, firstSeq: 4_294_967_295 },
      ]);
      expect(await readTurn(vault, of, numbers[0]!)).toEqual([first]);
      await vault.audio.discard(of, numbers[0]!);
      expect(await readTurn(vault, of, numbers[0]!)).toEqual([]);
      expect(await readTurn(vault, of, 3)).toEqual([own]);
      expect(await readTurn(vault, of, numbers[1]!)).toEqual([last]);
    });

    it('lists every session with kept audio once', async () => {
      const vault = await open();
      const sessions: AudioOf[] = [];
      for (let n = 0; n < 3; n++) {
        const of = await aSession(vault);
        sessions.push(of, await aSession(vault, of.person));
      }
      for (const of of sessions) await fillTurns(vault, of, [1, 2, 1]);
      await vault.audio.discard(sessions[0]!, 1);
      await vault.audio.discard(sessions[1]!, 1);
      await vault.audio.discard(sessions[1]!, 2);
      const expected = sessions.filter((_, index) => index !== 1);
      const listed = await sessionsOf(await open());
      expect(listed).toHaveLength(expected.length);
      expect(listed).toEqual(expect.arrayContaining(expected));
    });

    it('goes with the person, and does not come back', async () => {
      const vault = await open();
      const other = await open();
      const of = await aSession(vault);
      const staying = await aSession(vault);
      await fillTurns(vault, of, [1, 2]);
      const [kept] = await fillTurns(vault, staying, [1]);
      await vault.keys.erase(of.person);
      const erased = { code: 'erased' };
      await expect(vault.audio.append(of, 20, aChunk(1, 21))).rejects.toMatchObject(erased);
      await expect(vault.audio.append(of, 0, aChunk(1, 1))).rejects.toMatchObject(erased);
      await expect(readTurn(vault, of, 1)).rejects.toMatchObject(erased);
      // Whatever keys another process still has in memory.
      await expect(other.audio.append(of, 0, aChunk(1, 1))).rejects.toMatchObject(erased);
      for (const one of [vault, other]) {
        expect(await one.audio.state(of)).toEqual({ lastSeq: 0 });
        expect(await one.audio.turns(of)).toEqual(new Map());
        await one.audio.discard(of, 1);
        expect(await sessionsOf(one)).toEqual([staying]);
      }
      expect(await readTurn(vault, staying, 1)).toEqual([kept]);
    });

    it('is read no further once the person is erased, by a reader that has begun', async () => {
      const vault = await open();
      const of = await aSession(vault);
      await fillTurns(vault, of, [1, 1, 1]);
      const reading = vault.audio.read(of, 1)[Symbol.asyncIterator]();
      expect((await reading.next()).done).toBe(false);
      await vault.keys.erase(of.person);
      await expect(reading.next()).rejects.toThrow(PersonErased);
    });

    it('is gone, whichever of appending and erasing comes first', async () => {
      const [writer, eraser] = [await open(), await open()];
      for (let round = 0; round < 8; round++) {
        const of = await aSession(writer);
        await fillTurns(writer, of, [1]);
        const appended = writer.audio.append(of, 10, aChunk(1, 11)).catch((error: unknown) => error);
        await Promise.all([appended, eraser.keys.erase(of.person)]);
        expect([true, new PersonErased(of.person)]).toContainEqual(await appended);
        expect(await eraser.audio.turns(of)).toEqual(new Map());
        expect(await sessionsOf(writer)).toEqual([]);
      }
    });

    it('is not taken of somebody whose key is not there', async () => {
      const vault = await open();
      const of: AudioOf = { person: randomUUID() as PersonId, trialSessionId: randomUUID() };
      await expect(vault.audio.append(of, 0, aChunk(1, 1))).rejects.toMatchObject({ code: 'missing_key' });
      expect(await vault.audio.state(of)).toEqual({ lastSeq: 0 });
    });
  });
}
