import { describe, expect, it } from '@jest/globals';
import { aSession, fillTurns } from '../../../test/contracts/vault-audio.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import type { CandidateHandIn } from '../../application/hand-ins/candidate-hand-ins.js';
import { wavHeader } from '../../clients/pcm.js';
import { lateNumber } from '../../vault/late-turns.js';
import type { Vault } from '../../vault/port.js';
import { handInPieces, recordingPieces } from './parts.js';

interface Recording {
  readonly turn: number;
  readonly contentType: string;
  readonly content: string;
}

/** A session with chunks of these turns. */
const given = async (turns: readonly number[]) => {
  const vault = new MemoryVault();
  const of = await aSession(vault);
  const chunks = await fillTurns(vault, of, turns);
  const read = async (
    kept: readonly number[],
    keptLate: readonly number[] = [],
  ): Promise<readonly Recording[]> => {
    let text = '';
    const wanted = { kept: new Set(kept), keptLate: new Set(keptLate) };
    for await (const piece of recordingPieces({ vault }, of, wanted)) text += piece;
    return JSON.parse(text) as readonly Recording[];
  };
  return { vault, of, chunks, read };
};

describe('a hand-in in an export', () => {
  const contentOf = async (status: string): Promise<string | null> => {
    const vault = {
      files: {
        size: async () => 9,
        read: async function* () {
          yield Buffer.from('some work');
        },
      },
    } as unknown as Pick<Vault, 'audio' | 'files' | 'keys'>;
    const file = { ticketId: 't', bytes: 9, sha256: 's', begunAt: 'b', handedInAt: null, work: null };
    const document = { ...file, candidateId: 'c', status, personal: null, checks: { visible: null } };
    const found = { id: 'h', document, isChecked: false } as unknown as CandidateHandIn;
    let text = '';
    for await (const piece of handInPieces({ vault }, found)) text += piece;
    return (JSON.parse(text) as { readonly content: string | null }).content;
  };

  it('has its file, and has none once it is refused, though its bytes are still stored', async () => {
    const file = Buffer.from('some work').toString('base64');
    expect([await contentOf('handed_in'), await contentOf('refused')]).toEqual([file, null]);
  });
});

describe('recordings in an export', () => {
  it('are a WAV file for each wanted turn that is kept, in base64', async () => {
    const { chunks, read } = await given([1, 2, 2, 3]);
    const recordings = await read([2, 3, 4]);
    expect(recordings.map(({ turn, contentType }) => [turn, contentType])).toEqual([
      [2, 'audio/wav'],
      [3, 'audio/wav'],
    ]);
    const pcm = Buffer.concat(chunks.filter(({ turn }) => turn === 2).map((chunk) => chunk.pcm));
    const expected = Buffer.concat([wavHeader(pcm.byteLength), pcm]);
    expect(Buffer.from(recordings[0]!.content, 'base64').equals(expected)).toBe(true);
    expect(await read([])).toEqual([]);
  });

  it('have what came late to a turn and was kept after what it was answered with', async () => {
    const late = [1, 2].map((turn) => lateNumber({ turn, firstSeq: 21 }));
    const { chunks, read } = await given([late[1]!, 1, ...late, 2]);
    const pcmOf = (...numbers: readonly number[]) =>
      Buffer.concat(
        numbers.flatMap((number) => chunks.filter(({ turn }) => turn === number)).map(({ pcm }) => pcm),
      );
    const recordings = await read([1, 2], [2]);
    expect(recordings.map(({ turn }) => turn)).toEqual([1, 2]);
    const contents = recordings.map(({ content }) => Buffer.from(content, 'base64').subarray(44));
    expect(contents[0]!.equals(pcmOf(1))).toBe(true);
    expect(contents[1]!.equals(pcmOf(2, late[1]!))).toBe(true);
    expect((await read([], [1])).map(({ turn }) => turn)).toEqual([1]);
  });

  it('fail where less comes than was said to be there, and for an erased candidate', async () => {
    const { vault, of, read } = await given([1, 1]);
    const [first] = vault.chunks.kept;
    const sizes = vault.chunks.sizes;
    vault.chunks.sizes = async (asked) => {
      const known = await sizes(asked);
      vault.chunks.kept = [first!];
      return known;
    };
    await expect(read([1])).rejects.toThrow('bytes less');
    vault.chunks.sizes = async (asked) => {
      const known = await sizes(asked);
      await vault.keys.erase(of.person);
      return known;
    };
    await expect(read([1])).rejects.toMatchObject({ code: 'erased' });
  });
});
