import { describe, expect, it } from '@jest/globals';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { VaultUnavailable } from '../../core/errors.js';
import type { ReadEntry, Reader } from '../../vault/port.js';
import { EvaluationReadRecorder } from './read-recorder.js';

const evaluation = { organisationId: 'o', evaluationId: 'e' };
const reader = (id: number): Reader => ({ type: 'staff', id: `${id}` });

/** A vault each of whose writes waits until it is let through, or fails. */
const given = () => {
  const vault = new MemoryVault();
  const writes: { readonly entries: readonly ReadEntry[]; readonly end: (error?: Error) => void }[] = [];
  const record = (entries: readonly ReadEntry[]): Promise<void> =>
    new Promise((settle, fail) => {
      const end = (error?: Error) => (error ? fail(error) : settle(vault.reads.record(entries)));
      writes.push({ entries, end });
    });
  const reads = new EvaluationReadRecorder({ reads: { ...vault.reads, record } });
  return { reads, writes, vault };
};
const turn = () => new Promise((settle) => setImmediate(settle));

describe('recording who read an evaluation', () => {
  it('answers once the entry is stored, and not before', async () => {
    const { reads, writes, vault } = given();
    let answered = false;
    const asked = Date.now();
    const recording = reads.record(evaluation, reader(1)).then(() => (answered = true));
    await turn();
    expect(answered).toBe(false);
    expect(vault.readEntries).toEqual([]);
    const ended = Date.now();
    writes[0]!.end();
    await recording;
    const [{ at, ...entry }] = vault.readEntries as [ReadEntry];
    expect(entry).toEqual({ ...evaluation, id: expect.any(String), actor: reader(1) });
    expect(vault.readEntries).toHaveLength(1);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(asked);
    expect(Date.parse(at)).toBeLessThanOrEqual(ended);
  });

  it('stores together whatever comes while a write is on its way, in its order', async () => {
    const { reads, writes, vault } = given();
    const recording = Array.from({ length: 1_200 }, (_, index) => reads.record(evaluation, reader(index)));
    for (const [index, size] of [1, 500, 500, 199].entries()) {
      expect(writes).toHaveLength(index + 1);
      expect(writes[index]!.entries).toHaveLength(size);
      writes[index]!.end();
      await turn();
    }
    await Promise.all(recording);
    expect(vault.readEntries.map(({ actor }) => actor.id)).toEqual(
      Array.from({ length: 1_200 }, (_, index) => `${index}`),
    );
    const ids = vault.readEntries.map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(1_200);
  });

  it('fails each of a write, and those that waited behind it; the next one is tried', async () => {
    const { reads, writes } = given();
    const failed = [1, 2, 3].map((one) => reads.record(evaluation, reader(one)));
    const outcomes = Promise.allSettled(failed);
    const away = new VaultUnavailable('It is away.');
    writes[0]!.end(away);
    expect(await outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: away }));
    const next = reads.record(evaluation, reader(4));
    expect(writes).toHaveLength(2);
    writes[1]!.end();
    await next;
  });

  it('of a page that shows several generations goes in one write, once for each reader and generation', async () => {
    const { reads, writes, vault } = given();
    const generatedAt = new Date(Date.now() - 1_000).toISOString();
    const shown = (evaluationId: string, generation = 1, at: string | null = generatedAt) => ({
      ...{ organisationId: 'o', evaluationId, generation, generatedAt: at },
    });
    const page = [shown('e1'), shown('e2'), shown('e3', 1, null)];
    const written = async (recording: Promise<void>, before = writes.length): Promise<number> => {
      let answered = false;
      void recording.then(() => (answered = true));
      await turn();
      const entries = writes.slice(before).flatMap((one) => one.entries);
      if (entries.length > 0) expect(answered).toBe(false);
      for (const one of writes.slice(before)) one.end();
      await recording;
      expect(writes.length - before).toBe(entries.length > 0 ? 1 : 0);
      return entries.length;
    };
    expect(await written(reads.recordOnce(page, reader(1)))).toBe(2);
    expect(vault.readEntries.map((one) => one.evaluationId)).toEqual(['e1', 'e2']);
    expect(await written(reads.recordOnce(page, reader(1)))).toBe(0);
    expect(await written(reads.recordOnce(page, reader(2)))).toBe(2);
    expect(await written(reads.recordOnce(page, { type: 'api_key', id: '1' }))).toBe(2);
    // Another process, or this one after a restart, finds what is recorded.
    const elsewhere = new EvaluationReadRecorder({ reads: vault.reads });
    await elsewhere.recordOnce(page, reader(1));
    expect(vault.readEntries).toHaveLength(6);
    const later = [shown('e1', 2, new Date(Date.now() + 1_000).toISOString())];
    expect(await written(reads.recordOnce(later, reader(1)))).toBe(1);
  });

  it('finds a former read behind many of others', async () => {
    const vault = new MemoryVault();
    const generatedAt = new Date(Date.now() - 1_000).toISOString();
    const reads = new EvaluationReadRecorder(vault);
    await reads.record(evaluation, reader(1));
    for (let other = 2; other < 252; other++) await reads.record(evaluation, reader(other));
    await new EvaluationReadRecorder(vault).recordOnce(
      [{ ...evaluation, generation: 1, generatedAt }],
      reader(1),
    );
    expect(vault.readEntries).toHaveLength(251);
  });

  it('of a page that could not be stored is tried again', async () => {
    const { reads, writes } = given();
    const page = [{ ...evaluation, generation: 1, generatedAt: new Date().toISOString() }];
    const failed = reads.recordOnce(page, reader(1));
    await turn();
    writes[0]!.end(new VaultUnavailable('It is away.'));
    await expect(failed).rejects.toThrow(VaultUnavailable);
    void reads.recordOnce(page, reader(1));
    await turn();
    expect(writes).toHaveLength(2);
  });

  it('lets no more wait than it has room for', async () => {
    const { reads, writes } = given();
    const recording = Array.from({ length: 10_001 }, (_, index) => reads.record(evaluation, reader(index)));
    await expect(reads.record(evaluation, reader(0))).rejects.toThrow(VaultUnavailable);
    for (let index = 0; index < writes.length; index++) {
      writes[index]!.end();
      await turn();
    }
    await Promise.all(recording);
  });
});
