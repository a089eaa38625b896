import { describe, expect, it } from '@jest/globals';
import { refuse, type Refused } from '../../core/decider.js';
import { StoreUnavailable, VaultUnavailable } from '../../core/errors.js';
import type { CommandStreams } from '../../core/handle.js';
import { BrokenSeal, PersonErased, type PersonId } from '../../core/vault/port.js';
import { type LateWork, NO_LATE_WORK } from '../../domain/evaluation/late-work.js';
import {
  SHOWN_WORK_CHARACTERS,
  sizeOfChanges,
  UNREADABLE_WORK,
  WITHHELD_WORK,
} from '../../scoring/model/shown-work.js';
import { EXCEEDED } from '../../work/in-worker.js';
import { type Tree, treeOf } from '../../work/tree.js';
import { HandInChanges } from './hand-in-changes.js';

const going = new AbortController().signal;
const person = 'p' as PersonId;
const tree = (text: string): Tree => treeOf([{ path: 'a.js', content: Buffer.from(text) }]);

/** What was handed in; a refusal: what unpacking answers. */
type Content = string | Error | Refused;

/** A completed session that handed in those, in order: ticket, content. Starters are by ticket. */
const given = (
  handIns: readonly (readonly [string, Content])[],
  starters: Record<string, string> = {},
  modelReadsWork = true,
) => {
  const all = handIns.map(([ticketId, content], n) => ({
    ...{ handInId: `h${n}`, ticketId, name: 'work.zip', treeSha256: 'x', handedIn: true },
    bytes: typeof content === 'string' ? content.length : 0,
  }));
  const state = {
    candidateId: person,
    modelReadsWork,
    ticketVersions: new Map(handIns.map(([ticketId]) => [ticketId, 3])),
    handIns: { all, last: new Map(all.map((one) => [one.ticketId, one.handInId])), manifestBytes: 0 },
  };
  const read: string[] = [];
  const streams = { read: async () => ({ state }) } as unknown as CommandStreams;
  const uploads = {
    tree: async ({ person: of, fileId }: { person: PersonId; fileId: string }) => {
      expect(of).toBe(person);
      read.push(fileId);
      const content = handIns[Number(fileId.slice(1))]![1];
      if (content instanceof Error) throw content;
      return typeof content === 'string' ? tree(content) : content;
    },
  };
  const sets = {
    starter: async (ticketId: string, version: number | null) => {
      expect(version).toBe(3);
      return ticketId in starters ? tree(starters[ticketId]!) : null;
    },
  };
  const changes = new HandInChanges(streams, uploads, sets);
  return {
    all,
    read,
    of: (late: LateWork = NO_LATE_WORK, signal = going) => changes.shownWork('s', late, signal),
  };
};

describe('the changes of what was handed in', () => {
  it('are those of each ticket’s last hand-in to the starter that the session began with', async () => {
    const { of, read } = given([['A', 'old'], ['A', 'one\ntwo'], ['B', 'text']], { A: 'one' }); // prettier-ignore
    const work = await of();
    expect(read.sort()).toEqual(['h1', 'h2']);
    expect(work).toContainEqual({
      handInId: 'h1',
      lines: ['a.js:1- one', 'a.js:1+ one', 'a.js:2+ two'],
      notes: [],
    });
    expect(work).toContainEqual({ handInId: 'h2', lines: ['a.js:1+ text'], notes: [] });
  });

  it('are none if nothing was handed in', async () => {
    expect(await given([]).of()).toEqual([]);
  });

  it('are not read of a session whose candidate was not told that a model is shown them', async () => {
    const { of, read } = given([['A', 'old'], ['A', 'new'], ['B', 'text']], {}, false); // prettier-ignore
    expect(await of()).toEqual(['h1', 'h2'].map((handInId) => ({ handInId, ...WITHHELD_WORK })));
    expect(read).toEqual([]);
  });

  it('are those of work that arrived after the completion, and not of what it replaces', async () => {
    const { of, all } = given([['A', 'within'], ['A', 'late']]); // prettier-ignore
    const late = { ...NO_LATE_WORK, handIns: [{ handInId: 'h0', treeSha256: 'x' }] };
    Object.assign(all[0]!, { treeSha256: null });
    expect(await of(late)).toMatchObject([{ handInId: 'h0', lines: ['a.js:1+ within'] }]);
  });

  it.each([
    ['cannot be unpacked', refuse<'work_refused'>('work_refused', 'No.')],
    ['is damaged', new BrokenSeal(person)],
  ])('say of a hand-in that %s that it cannot be read, and hold up no evaluation', async (_, content) => {
    const { of } = given([['A', content], ['B', 'fine']]); // prettier-ignore
    const work = await of();
    expect(work).toContainEqual({ handInId: 'h0', ...UNREADABLE_WORK });
    expect(work).toContainEqual({ handInId: 'h1', lines: ['a.js:1+ fine'], notes: [] });
  });

  it.each([
    ['an erasure', new PersonErased(person)],
    ['a vault that is away', new VaultUnavailable('Away.')],
  ])('are not made up after %s', async (_, error) => {
    await expect(given([['A', error]]).of()).rejects.toBe(error);
  });

  it('are asked for again where the machine is too busy to unpack them', async () => {
    await expect(given([['A', EXCEEDED]]).of()).rejects.toThrow(StoreUnavailable);
  });

  it('read nothing more once they are not needed any more', async () => {
    const { of, read } = given([['A', 'a']]);
    await expect(of(NO_LATE_WORK, AbortSignal.abort(new Error('Over.')))).rejects.toThrow('Over.');
    expect(read).toEqual([]);
  });

  it('share their room between the tickets, whatever one of them takes', async () => {
    const large = Array.from({ length: 9_000 }, (_, n) => `filler ${n}`).join('\n');
    const { of } = given([['A', large], ['B', 'small'], ['C', large]]); // prettier-ignore
    const work = await of();
    const sizes = new Map(work.map((one) => [one.handInId, sizeOfChanges(one)]));
    expect([...sizes.values()].reduce((sum, size) => sum + size)).toBeLessThanOrEqual(SHOWN_WORK_CHARACTERS);
    expect(work).toContainEqual({ handInId: 'h1', lines: ['a.js:1+ small'], notes: [] });
    expect(Math.abs(sizes.get('h0')! - sizes.get('h2')!)).toBeLessThan(200);
  });
});
