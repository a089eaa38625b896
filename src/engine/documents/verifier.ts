import { START, type Position } from '../../core/event-store.js';
import type { Generation, ReadStore, ViewCollection } from '../../stores/read-store.js';
import { positionsOf } from '../generations.js';
import { segmentOf } from '../segments.js';
import type { AnyView } from '../view.js';
import type { Targets } from './afresh.js';
import { chunksOf } from './chunks.js';
import { isNone } from './differences.js';
import type { Findings } from './findings.js';
import { meet, type MeetOptions, type Pair } from './meet.js';
import type { FoldStores, ReadingOptions } from './own-events.js';
import { saidByFresh, saidByStored, saidDifferently, Unreadable } from './said.js';

/**
 * `different`: it says something else than its events (left is what is stored, right what they make of it).
 * `missing`: its events are there and it is not. `extra`: it is there, without any event.
 * `behind`: events of its own were passed without reaching it. `unreadable`: it does not open.
 */
export type Flaw = 'different' | 'missing' | 'extra' | 'behind' | 'unreadable';

export type VerifyStores = FoldStores & { readonly readStore: ReadStore };

/** Compares a generation's documents with their fresh folds, some at a time. */
export class Verifier {
  constructor(
    private readonly stores: VerifyStores,
    private readonly view: AnyView,
    private readonly generation: Generation,
    private readonly collection: ViewCollection,
    private readonly findings: Findings<Flaw>,
  ) {}

  /** Every document that is stored, or ought to be, of a part of all ids. */
  async part(mine: (id: string) => boolean, options: ReadingOptions): Promise<void> {
    // Read before the documents: all that was passed by then, they have to show.
    const passed = await positionsOf(this.stores.readStore, this.generation);
    const upTo = passed.reduce((a, b) => (a > b ? a : b), START);
    const passedOf = (id: string): Position => passed[segmentOf(id, passed.length)] ?? START;
    const targets = new Map<string, Position>();
    for await (const { id, position } of this.collection.all()) if (mine(id)) targets.set(id, position);
    /** Of documents that seem not to have all of their events: the last of those. */
    const unseen = new Map<string, Position>();
    const tell = (id: string, position: Position): void => {
      if (position <= passedOf(id) && mine(id)) unseen.set(id, position);
    };
    await this.documents(targets, { ...options, others: { tell, upTo } });
    for (const ids of chunksOf(unseen.keys(), CHUNK)) await this.#lookFor(ids, unseen);
  }

  /** Documents that are stored, from where they stood. */
  async documents(targets: Targets, options: MeetOptions): Promise<void> {
    const { stores, view, collection, findings } = this;
    const moving = await meet(stores, view, collection, targets, options, async (pairs) => {
      const again: string[] = [];
      for (const pair of pairs) if (!(await this.#compare(pair))) again.push(pair.stored.id);
      return again;
    });
    findings.moving += moving.length;
  }

  /** @returns false: it was changed meanwhile */
  async #compare(pair: Pair): Promise<boolean> {
    const { stored, fresh } = pair;
    if ((await this.#differenceIn(pair)) !== null) {
      // Looked at again: a repair, or an erasure, may have come between the two.
      const now = await this.collection.get(stored.id);
      if (now?.position !== stored.position) return false;
      const found = await this.#differenceIn({ stored: now, fresh });
      if (found !== null) this.findings.add(found.kind, stored.id, found.differences, found.note);
    }
    this.findings.compared++;
    return true;
  }

  async #differenceIn({ stored, fresh }: Pair) {
    const { sealer } = this.stores;
    const left = await saidByStored(sealer, stored);
    const right = await saidByFresh(sealer, fresh);
    if (left instanceof Unreadable) return flaw('unreadable', left.reason);
    if (right === null) return left === null ? null : flaw('extra', 'The log holds no event of it.');
    if (left === null) return flaw('missing', 'It is a tombstone without content, and its events are there.');
    const differences = saidDifferently(left, right, this.findings.shown.fields);
    return isNone(differences) ? null : { kind: 'different' as const, differences, note: null };
  }

  async #lookFor(ids: readonly string[], unseen: Targets): Promise<void> {
    const standing = await this.collection.getMany(ids);
    for (const id of ids) {
      const last = unseen.get(id) ?? START;
      const stored = standing.get(id);
      if (stored === undefined) {
        this.findings.compared++;
        this.findings.add('missing', id, undefined, `Its events reach to ${last}.`);
      } else if (stored.position < last) {
        this.findings.add(
          'behind',
          id,
          undefined,
          `It stands at ${stored.position}, its events reach to ${last}.`,
        );
      }
    }
  }
}

const CHUNK = 100;

const flaw = (kind: Flaw, note: string) => ({ kind, differences: undefined, note });
