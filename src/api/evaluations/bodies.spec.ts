import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Readable } from 'node:stream';
import { candidates } from '../../../projections/candidates.js';
import { evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { evidence } from '../../../projections/evidence.js';
import { readyResult } from '../../../test/support/evaluation-results.js';
import { roleDefinition, SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { foldView } from '../../../test/support/given-view.js';
import { stored } from '../../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { Reads } from '../../application/reads.js';
import type { LogId, Position } from '../../core/event-store.js';
import type { AnyEvent, Stored } from '../../core/event.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { checkpointNames, collectionOf } from '../../engine/generations/generations.js';
import { ensurePointer } from '../../engine/generations/pointer.js';
import { silentLog } from '../../engine/log.js';
import { createViewReader } from '../../engine/reads/reads.js';
import { ConsistencyTokens } from '../../engine/reads/tokens.js';
import type { AnyView } from '../../engine/view.js';
import type { Generation } from '../../stores/read-store.js';
import { DocumentSealer } from '../../vault/documents.js';
import { EvaluationBodies } from './bodies.js';
import { MAX_CACHED_BYTES } from './body-cache.js';
import { StaffEvaluations } from './staff-evaluations.js';

const VIEWS: readonly AnyView[] = [evaluations, candidates, evaluationResults, evidence];
const PERSON = testId(9, 1) as PersonId;
const ORGANISATION = testId(2, 1);
const EVALUATION = testId(8, 1);
const ANY = { consistencyToken: null };
const ids = {
  organisationId: ORGANISATION,
  candidateId: PERSON as string,
  applicationId: testId(4, 1),
  trialSessionId: testId(5, 1),
  roleId: testId(3, 1),
  evaluationId: EVALUATION,
};

/** Views written as folds of a log leave them, over memory stores. */
class Rig {
  readonly eventStore = new MemoryEventStore();
  readonly database = new MemoryDatabase();
  readonly readStore = openMemoryReadStore(this.database);
  readonly vault = new MemoryVault();
  readonly sealer = new DocumentSealer(new Sealer(this.vault));
  readonly log: Stored[] = [];
  readonly calls: string[] = [];
  readonly bodies = this.open();

  /** As another process has it, which has kept nothing. */
  open(): EvaluationBodies {
    const readStore = openMemoryReadStore(this.database, {
      before: ({ operation }) => void this.calls.push(operation),
    });
    const reader = createViewReader({ eventStore: this.eventStore, readStore, sealer: this.sealer });
    const tokens = new ConsistencyTokens('log' as LogId, () => 'mark');
    const reads = new Reads(reader, this.eventStore, tokens);
    const staff = new StaffEvaluations(reads);
    const bodies = new EvaluationBodies(reads, staff, this.vault);
    OUTLINES.set(bodies, () => staff.outline(ORGANISATION, EVALUATION, ANY));
    return bodies;
  }

  async append(...events: readonly AnyEvent[]): Promise<void> {
    for (const event of events) {
      const at = String(this.log.length + 1).padStart(16, '0') as Position;
      this.log.push({ ...stored(event, { revision: this.log.length }), ...event, position: at });
    }
    for (const view of VIEWS) await this.write(view);
  }

  private async live(view: AnyView): Promise<Generation> {
    const { eventStore, readStore } = this;
    const known = await readStore.pointers.get(view.name);
    return (known ?? (await ensurePointer({ eventStore, readStore, log: silentLog }, view, 1))).live;
  }

  /** Brings what is stored of a view to the fold of the log. */
  async write(view: AnyView, fold = view): Promise<void> {
    const live = await this.live(view);
    const collection = collectionOf(this.readStore, view, live);
    for (const [id, { document, keys }] of foldView(fold, this.log)) {
      const own = this.log.filter(
        (event) => view.handles.includes(event.type) && view.documentId(event) === id,
      );
      const position = own.at(-1)!.position;
      const former = await collection.get(id);
      if (former?.position === position) continue;
      const names = Object.entries(view.indexes ?? {}).flatMap(([index, fields]) =>
        fields.map((field, at) => [field, keys[index]?.[at]] as const),
      );
      const listed = Object.fromEntries(names.filter(([, value]) => value !== undefined)) as never;
      const body = await this.sealer.seal(document);
      const write = { id, position, parkedAt: null, deleted: false, body };
      expect(
        await collection.apply([{ expected: former?.position ?? null, document: write, keys: listed }]),
      ).toEqual(['written']);
    }
    for (const name of checkpointNames(live)) {
      const from = await this.readStore.checkpoints.get(name);
      await this.readStore.checkpoints.advance(name, from, this.log.at(-1)!.position);
    }
  }

  /** Folds a document again from its first event, in place, as a repair does. */
  async repair(view: AnyView, id: string, change: object): Promise<void> {
    const live = await this.live(view);
    const collection = collectionOf(this.readStore, view, live);
    const former = (await collection.get(id))!;
    const { repairs = 0, position } = former;
    const body = { ...(former.body as object), ...change };
    const document = { ...former, body, repairs: repairs + 1 };
    // In an index as before.
    const keys = { trialSessionId: ids.trialSessionId, chunk: 0 };
    expect(
      await collection.apply([{ expected: position, expectedRepairs: repairs, document, keys }]),
    ).toEqual(['written']);
  }

  async read(bodies = this.bodies, generation: number | null = null): Promise<Buffer | Readable | null> {
    const outline = await OUTLINES.get(bodies)!();
    return (await bodies.bodyOf(outline, generation, ANY, 'sub'))?.body ?? null;
  }

  async text(bodies = this.bodies, generation: number | null = null): Promise<string> {
    const body = await this.read(bodies, generation);
    if (!Buffer.isBuffer(body)) throw new Error('The body is not whole.');
    return body.toString();
  }

  /** The body, with what the store was asked for it. */
  async counted(): Promise<{ readonly body: string; readonly calls: readonly string[] }> {
    this.calls.length = 0;
    const body = await this.text();
    return { body, calls: [...new Set(this.calls)].sort() };
  }
}

const OUTLINES = new WeakMap<
  EvaluationBodies,
  () => Promise<Awaited<ReturnType<StaffEvaluations['outline']>> & object>
>();

/** What a body that was kept costs the store: no document is read but for the evaluation's outline, and no checkpoint. */
const KEPT = ['get', 'heads', 'pointers.get'];

describe('the body of an evaluation', () => {
  let rig: Rig;
  let session: SessionBuilder;
  let events: readonly Stored[];

  const goOn = async (): Promise<void> => {
    const from = rig.log.length - 1;
    await rig.append(...events.slice(from));
  };

  beforeEach(async () => {
    rig = new Rig();
    await rig.vault.keys.create(PERSON);
    session = new SessionBuilder().started().message('Hello.');
    events = session.completed();
    const email = { email: 'ada@example.org', subject: null };
    const invited = { type: 'candidate.invited', data: ids, person: PERSON, personal: email };
    await rig.append(invited, ...events);
  });

  it('is made once, as long as nothing of it changes', async () => {
    const first = await rig.counted();
    expect(first.calls).toContain('page');
    expect(first.body).toContain('ada@example.org');
    const second = await rig.counted();
    expect(second.body).toBe(first.body);
    expect(second.calls).toEqual(KEPT);
    expect(await rig.read()).toBe(await rig.read());
  });

  it('is what it is where nothing is kept, after each event of any of its documents', async () => {
    const check = async (): Promise<void> => {
      const body = await rig.text();
      expect(body).toBe(await rig.text(rig.open()));
      expect((await rig.counted()).calls).toEqual(KEPT);
    };
    await check();
    // In the last document of the evidence, then beyond it, then beyond one that is far behind it.
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ['message.sent', { text: `${n}` }, n] as const);
    for (const count of [1, 45, 1, 120, 1, 30, 1]) {
      session.batch(many(count));
      await goOn();
      await check();
    }
    await rig.append(readyResult({ ...ids, generation: 1 }, roleDefinition()));
    await check();
    await rig.append({
      type: 'evaluation.regeneration_requested',
      data: { ...ids, generation: 2 },
      person: null,
      personal: null,
    });
    await check();
    const bound = { email: 'ada@example.org', subject: 'sub-ada' };
    await rig.append({ type: 'candidate.bound', data: ids, person: PERSON, personal: bound });
    await check();
  });

  it('of a former generation is kept beside that of the latest', async () => {
    await rig.append(readyResult({ ...ids, generation: 1 }, roleDefinition()));
    const first = await rig.text();
    expect(await rig.text(rig.bodies, 1)).toBe(first);
    const again = { type: 'evaluation.regeneration_requested', person: null, personal: null };
    await rig.append({ ...again, data: { ...ids, generation: 2 } });
    const latest = await rig.text();
    const former = await rig.text(rig.bodies, 1);
    expect(JSON.parse(latest)).toMatchObject({ generation: 2, status: 'generating' });
    expect(JSON.parse(former)).toMatchObject({ generation: 1, status: 'ready' });
    expect([await rig.text(), await rig.text(rig.bodies, 1)]).toEqual([latest, former]);
    expect(await rig.read(rig.bodies, 3)).toBeNull();
  });

  it('is made anew once a document of it is repaired where it is', async () => {
    const before = await rig.text();
    await rig.repair(evidence, `${ids.trialSessionId}:0`, { events: [] });
    const after = await rig.text();
    expect(after).not.toBe(before);
    expect(after).toBe(await rig.text(rig.open()));
  });

  it('is made anew once another generation of a view serves', async () => {
    const before = await rig.text();
    const former = (await rig.readStore.pointers.get('evidence'))!;
    const { revision, turn, live } = former;
    const name = live.name.replace(/\d+$/, '99') as typeof live.name;
    const next = { ...former, revision: revision + 1, turn: turn + 1, live: { ...live, name } };
    expect(await rig.readStore.pointers.swap('evidence', revision, next)).toBe(true);
    // At the same positions it holds something else.
    await rig.write(evidence, {
      ...evidence,
      evolve: (document, event) => ({ ...evidence.evolve(document as never, event as never), events: [] }),
    });
    expect(await rig.text()).not.toBe(before);
    expect(await rig.text()).toBe(await rig.text(rig.open()));
  });

  it('is shown to nobody once its candidate was erased, in whichever process', async () => {
    const beside = rig.open();
    const body = await rig.text();
    expect(await rig.text(beside)).toBe(body);
    // No view shows it yet.
    await rig.vault.keys.erase(PERSON);
    for (const bodies of [rig.bodies, beside])
      await expect(rig.read(bodies)).rejects.toMatchObject({ code: 'erased' });
  });

  it('is shown to nobody whose candidate is erased while it is looked for', async () => {
    await rig.read();
    const { get } = rig.vault.keys;
    let asked = 0;
    rig.vault.keys.get = async (person) => {
      const key = await get(person);
      if (++asked === 1) await rig.vault.keys.erase(person);
      return key;
    };
    await expect(rig.read()).rejects.toMatchObject({ code: 'erased' });
  });

  it('is opened with the key of the moment: one that is read again opens it, another one does not', async () => {
    const body = await rig.text();
    const known = rig.vault.known.get(PERSON)!;
    rig.vault.known.set(PERSON, { ...known });
    expect((await rig.counted()).calls).toEqual(KEPT);
    expect(await rig.read()).toBe(await rig.read());
    expect(await rig.text()).toBe(body);
    rig.vault.known.set(PERSON, { kind: 'key', key: Buffer.alloc(32, 1) });
    await expect(rig.read()).rejects.toMatchObject({ code: 'broken_seal' });
    rig.vault.known.delete(PERSON);
    await expect(rig.read()).rejects.toMatchObject({ code: 'missing_key' });
  });

  it('is read in pieces and not kept where it is large', async () => {
    session.batch([['message.sent', { text: 'x'.repeat(MAX_CACHED_BYTES) }, 9]]);
    await goOn();
    for (let time = 0; time < 2; time++) {
      rig.calls.length = 0;
      const body = await rig.read();
      expect(Buffer.isBuffer(body)).toBe(false);
      expect(rig.calls).toContain('page');
      (body as Readable).destroy();
    }
  });
});
