import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { program } from '../../../test/support/written-work.js';
import { refuse } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import { START } from '../../core/event-store.js';
import type { Stored } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import type { TrialCompleted } from '../../domain/session/events.js';
import { NO_HAND_INS } from '../../domain/session/hand-ins.js';
import type { PageQuery } from '../../engine/reads/reads.js';
import { type Tree, treeOf } from '../../work/tree.js';
import { similarTo } from './similar-hand-in.js';
import { WorkComparison } from './work-comparison.js';

const going = new AbortController().signal;
const STARTER = program(1);
const tree = (text: string): Tree => treeOf([{ path: 'a.js', content: Buffer.from(text) }]);

/** An organisation's hand-ins for one ticket, as the view has them, on common stores. */
const given = () => {
  const vault = new MemoryVault();
  const documents = new Map<string, ReturnType<typeof documentOf>>();
  const works = new Map<string, string>();
  const comparing = new Set<string>();
  const seen: string[] = [];
  let broken: Error | null = null;
  let at = 0;
  let step = 1;

  const documentOf = (trialSessionId: string, candidateId: string, compared: boolean) => ({
    ...{ organisationId: 'o', ticketId: 'T', trialSessionId, candidateId, compared },
    handedInAt: `2026-03-02T09:00:00.${String((at += step)).padStart(3, '0')}Z`,
    work: { ticketVersion: 1, files: 1, treeSha256: '' },
    personal: { name: 'work.zip', manifest: [] },
  });
  const streams = {
    read: async ({ kind }: { readonly kind: string }, id: string) => {
      // Nothing came after the completion.
      if (kind === evaluationDecider.kind) return { state: evaluationDecider.initial, position: START };
      const ids = [...documents].flatMap(([one, { trialSessionId }]) => (trialSessionId === id ? [one] : []));
      const last = new Map(ids.map((one) => ['T', one]));
      return { state: { comparesWork: comparing.has(id), handIns: { ...NO_HAND_INS, all: ids, last } } };
    },
  } as unknown as CommandStreams;
  const reader = {
    waitFor: async () => undefined,
    page: async (_: unknown, { index, prefix, outlined }: PageQuery) => ({
      items: [...documents]
        .filter(([, one]) =>
          index === 'bySession' ? one.trialSessionId === prefix[0] : one.compared && one.ticketId === prefix[0],
        )
        .sort(([, one], [, other]) => (one.handedInAt < other.handedInAt ? -1 : 1))
        .map(([id, document]) => ({ id, document: outlined ? { ...document, personal: null } : document })),
      nextCursor: null,
    }),
  } as never; // prettier-ignore
  const uploads = {
    tree: async ({ fileId }: { readonly fileId: string }) => {
      seen.push(fileId);
      if (broken) throw broken;
      const text = works.get(fileId);
      return text === undefined
        ? refuse<'work_refused'>('work_refused', 'It cannot be unpacked.')
        : tree(text);
    },
  };
  /** As another process has it. */
  const process = () =>
    new WorkComparison({ streams, reader, vault, hasher: new KeyedHasher(Buffer.alloc(32, 1)) }, uploads, {
      starter: async () => tree(STARTER),
    });
  return {
    vault,
    seen,
    process,
    breaks: (error: Error | null) => void (broken = error),
    /** Each later hand-in gets an earlier time, as by the clock of another process. */
    runsBack: () => ([at, step] = [900, -1]),
    /** A session that hands in one after the other. */
    session: async (
      texts: readonly string[],
      { person = randomUUID() as PersonId, compared = true } = {},
    ) => {
      await vault.keys.create(person);
      const trialSessionId = randomUUID();
      if (compared) comparing.add(trialSessionId);
      const handIns = texts.map((text) => {
        const id = randomUUID();
        works.set(id, text);
        documents.set(id, documentOf(trialSessionId, person, compared));
        return id;
      });
      return { person, trialSessionId, handIns };
    },
    compare: ({ trialSessionId }: { readonly trialSessionId: string }, within = process()) => {
      const data = { trialSessionId, evaluationId: 'e' };
      return within.similarWork({ data, position: 'p' } as unknown as Stored<TrialCompleted>, going);
    },
  };
};

describe('the comparison of hand-ins', () => {
  let stage: ReturnType<typeof given>;

  beforeEach(() => {
    stage = given();
  });

  it('has the same figures from either side, and takes the other that has most in common', async () => {
    const half = program(2, 'v', 30);
    const one = await stage.session([program(2)]);
    const other = await stage.session([program(2, 'renamed')]);
    await stage.session([`${half}\n${program(3)}`]);
    const [mine] = await stage.compare(one);
    const [theirs] = await stage.compare(other);
    expect(mine).toMatchObject({ handInId: one.handIns[0], shared: mine!.fingerprints });
    expect(theirs).toEqual({
      ...{ handInId: other.handIns[0], shared: mine!.shared },
      ...{ fingerprints: mine!.otherFingerprints, otherFingerprints: mine!.fingerprints },
    });
    expect(await similarTo(stage.vault, { person: one.person, handInId: one.handIns[0]! })).toEqual({
      trialSessionId: other.trialSessionId,
      handInId: other.handIns[0],
    });
  });

  it('keeps the other hand-in of no similarity that is no finding', async () => {
    const one = await stage.session([`${program(2)}\n${program(3)}`]);
    await stage.session([`${program(3)}\n${program(4)}`]);
    const [found] = await stage.compare(one);
    expect(found!.shared).toBeGreaterThan(10);
    expect(await similarTo(stage.vault, { person: one.person, handInId: one.handIns[0]! })).toBeNull();
  });

  it('is of the last hand-ins alone, and never with another session of the same candidate', async () => {
    const one = await stage.session([program(2), program(3)]);
    await stage.session([program(3)], { person: one.person });
    await stage.session([program(2)]);
    await stage.session([program(3), program(4)]);
    for (const { shared, fingerprints } of await stage.compare(one))
      expect(shared).toBeLessThan(fingerprints / 2);
  });

  it('is of the hand-in that came last, also if the time of an earlier one is later: clocks differ', async () => {
    await stage.session([program(3)]);
    stage.runsBack();
    const one = await stage.session([program(2), program(3)]);
    const [found, ...rest] = await stage.compare(one);
    expect(rest).toEqual([]);
    expect(found).toMatchObject({ handInId: one.handIns[1], shared: found!.fingerprints });
  });

  it('never finds the starter, and compares nobody who was not told', async () => {
    const one = await stage.session([STARTER]);
    await stage.session([STARTER]);
    expect(await stage.compare(one)).toEqual([]);
    const told = await stage.session([program(2)]);
    const untold = await stage.session([program(2)], { compared: false });
    expect(await stage.compare(told)).toEqual([]);
    expect(await stage.compare(untold)).toEqual([]);
    expect(stage.seen).not.toContain(untold.handIns[0]);
  });

  it('discards none that another process stores at that moment', async () => {
    const one = await stage.session([program(2)]);
    const { files } = stage.vault;
    const read = files.read.bind(files);
    let isFirst = true;
    jest.spyOn(files, 'read').mockImplementation(async function* (file) {
      yield* read(file);
      if (!isFirst) return;
      isFirst = false;
      await stage.compare(one);
    });
    const discard = jest.spyOn(files, 'discard');
    await stage.compare(one);
    expect(stage.seen).toHaveLength(2);
    expect(discard.mock.calls.filter(([file]) => file.fileId.endsWith('-fingerprints'))).toEqual([]);
  });

  it('makes fingerprints once, for all processes, and again if they are lost or damaged', async () => {
    const one = await stage.session([program(2)]);
    const other = await stage.session([program(2)]);
    const first = await Promise.all([stage.process()].flatMap((p) => [one, other].map((s) => stage.compare(s, p))));
    expect(stage.seen).toHaveLength(2);
    expect(await stage.compare(one)).toEqual(first[0]);
    expect(stage.seen).toHaveLength(2);
    const file = { person: other.person, fileId: `${other.handIns[0]}-fingerprints` };
    await stage.vault.files.discard(file);
    await stage.vault.files.append(file, 0, Buffer.from('nonsense'));
    expect(await stage.compare(one)).toEqual(first[0]);
    expect(stage.seen).toHaveLength(3);
  }); // prettier-ignore

  it('goes on without what is erased or cannot be unpacked, and not without the store', async () => {
    const one = await stage.session([program(2)]);
    const erased = await stage.session([program(2)]);
    expect(await stage.compare(one)).toHaveLength(1);
    await stage.vault.keys.erase(erased.person);
    expect(await stage.compare(one)).toEqual([]);
    const files = [];
    for await (const { person } of stage.vault.files.files()) files.push(person);
    expect(files).toEqual([one.person]);
    await stage.session([program(2)]);
    stage.breaks(new StoreUnavailable('It is away.'));
    await expect(stage.compare(one)).rejects.toThrow('It is away.');
    stage.breaks(null);
    expect(await stage.compare(one)).toHaveLength(1);
  });
});
