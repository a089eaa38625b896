import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  hashOf,
  keys,
  logOf,
  renumbered,
  storedSession,
  type StoredSession,
  withData,
  withMetadata,
} from '../../../test/evidence/evidence-log.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { linkHash, signedBytes } from '../../core/chain.js';
import { storedLinks } from '../../core/codec-evidence.js';
import type { RecordedEvent, StreamName } from '../../core/event-store.js';
import { Sealer } from '../../core/sealing.js';
import { evidenceKeys } from '../../core/signing.js';
import { sessionEvidence } from './session-evidence.js';
import { evidenceOfOne } from './stray-evaluation.js';
import { type Finding, verifyAll, verifySession } from './verify.js';

const STRANGER = evidenceKeys(Buffer.alloc(32, 0x22));

describe('the verification of evidence', () => {
  const vault = new MemoryVault();
  const sealer = new Sealer(vault);
  const { trusted } = keys;
  let stored: StoredSession;
  let events: readonly RecordedEvent[];

  beforeAll(async () => {
    stored = await storedSession(vault);
    ({ events } = stored);
  });

  const verifyOne = (session: string, log: readonly RecordedEvent[], opened: Sealer | null = sealer) => {
    const checking = { log: logOf(log), trusted, sealer: opened };
    const searching = { past: null, signal: new AbortController().signal };
    return verifySession(session, evidenceOfOne(checking, session, searching));
  };
  const check = (changed: readonly RecordedEvent[], opened: Sealer | null = sealer) =>
    verifyOne(stored.session, changed, opened);
  const all = async (changed: readonly RecordedEvent[]): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    const options = { signal: new AbortController().signal, onRead: () => undefined };
    for await (const one of verifyAll({ log: logOf(changed), trusted, sealer }, null, options))
      found.push(one);
    return found;
  };
  /** Where a place in `events` is, as a broken link names it. */
  const placeOf = (at: number, event: RecordedEvent = events[at]!) => ({
    session: stored.session,
    stream: event.stream,
    number: at < 5 ? at + 1 : at - 4,
  });
  const expectBroken = async (
    changed: readonly RecordedEvent[],
    at: number,
    what?: string,
  ): Promise<void> => {
    const report = await check(changed);
    expect(report?.broken).toMatchObject({
      ...placeOf(at),
      ...(what !== undefined && { what: expect.stringContaining(what) }),
    });
  };

  it('finds nothing wrong with what was written, erased or not, with keys or without', async () => {
    const counted = { events: 8, results: 2, broken: null, evaluationId: stored.evaluation };
    expect(await check(events)).toMatchObject({
      ...counted,
      personal: { asWritten: 5, erased: 0, unopened: 0 },
    });
    expect(await check(events, null)).toMatchObject({
      ...counted,
      personal: { asWritten: 0, erased: 0, unopened: 5 },
    });
    const erased = new MemoryVault();
    await erased.keys.erase(stored.person);
    expect(await check(events, new Sealer(erased))).toMatchObject({
      ...counted,
      personal: { asWritten: 0, erased: 5, unopened: 0 },
    });
    expect(await check(events, new Sealer(new MemoryVault()))).toMatchObject({
      ...counted,
      personal: { unopened: 5 },
    });
  });

  it('compares what was handed in with its event, until that is erased', async () => {
    const work = await storedSession(vault, keys, false, [1], true);
    const at = { stream: `evaluation-${work.evaluation}`, number: 1, type: 'evaluation.work_handed_in' };
    const isIts = ({ person }: { readonly person: string }) => person === work.person;
    const verified = async (opened: Sealer | null = sealer, { files } = vault) => {
      const checking = { log: logOf(work.events), trusted, sealer: opened, files };
      return verifySession(work.session, sessionEvidence(checking, work.session));
    };
    expect(await verified()).toMatchObject({ broken: null, results: 2 });
    const stored = vault.pieces.kept;
    const damaged = stored.map((one) =>
      isIts(one) ? { ...one, sealed: Buffer.alloc(one.sealed.byteLength) } : one,
    );
    for (const kept of [damaged, stored.filter((one) => !isIts(one))]) {
      vault.pieces.kept = kept;
      const what = 'what is stored of its hand-in is not what was handed in';
      expect(await verified()).toMatchObject({ broken: { ...at, what } });
      expect(await verified(null)).toMatchObject({ broken: null });
    }
    // Erased between its event and its content.
    const erasing = new MemoryVault();
    erasing.files.read = async function* ({ person }) {
      yield Buffer.from('# An');
      await vault.keys.erase(person);
      erasing.files.read = vault.files.read.bind(vault.files);
    };
    expect(await verified(sealer, erasing)).toMatchObject({ broken: null });
    expect(await verified()).toMatchObject({ broken: null, personal: { erased: 5 } });
  });

  it('goes on from what completed the session, though the erasure follows that', async () => {
    const gone = await storedSession(vault, keys, true);
    await vault.keys.erase(gone.person);
    const report = await verifyOne(gone.session, gone.events);
    expect(report).toMatchObject({ events: 10, results: 2, personal: { erased: 5 }, broken: null });
  });

  it('knows no session that has no evidence, whatever it is called', async () => {
    for (const session of [randomUUID(), '', 'a b', 'x'.repeat(300)])
      expect(await verifyOne(session, events)).toBeNull();
  });

  it('finds any one byte changed in what is stored of an event', async () => {
    // Of the metadata: person, personal part and link; what of the rest is covered is tried below.
    const from = (metadata: Uint8Array): number => Buffer.from(metadata).indexOf('"person":');
    const place = fc.nat(events.length - 1).chain((index) => {
      const { data, metadata } = events[index]!;
      return fc.record({
        index: fc.constant(index),
        part: fc.constantFrom(
          ...Array.from(data, (_, at) => ['data', at] as const),
          ...Array.from(metadata, (_, at) => ['metadata', at] as const).slice(from(metadata)),
        ),
      });
    });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async ({ index, part: [name, at] }, flip) => {
        const bytes = Buffer.from(events[index]![name]);
        bytes.writeUInt8(bytes.readUInt8(at) ^ flip, at);
        await expectBroken(events.with(index, { ...events[index]!, [name]: bytes }), index);
      }),
      { numRuns: 600 },
    );
  });

  it('finds any one byte changed in the metadata that its hash covers', async () => {
    const covered = [
      /"schemaVersion":\d/,
      /"recordedAt":"2026-01-02T03:04:05\.006Z"/,
      /"type":"candidate"/,
      /"id":"person-1"/,
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(events.length - 1),
        fc.constantFrom(...covered),
        fc.nat(),
        fc.integer({ min: 1, max: 127 }),
        async (index, member, place, flip) => {
          const metadata = Buffer.from(events[index]!.metadata);
          const found = member.exec(metadata.toString())!;
          const at = found.index + (place % found[0].length);
          metadata.writeUInt8(metadata.readUInt8(at) ^ flip, at);
          await expectBroken(events.with(index, { ...events[index]!, metadata }), index);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('finds another id or type', async () => {
    for (const [index, event] of events.entries()) {
      await expectBroken(events.with(index, { ...event, id: randomUUID() }), index);
      await expectBroken(events.with(index, { ...event, type: 'trial.withdrawn' }), index);
    }
  });

  it('finds a removed event, tracks covered or not', async () => {
    for (const at of [0, 1, 2, 3, 5, 6]) {
      await expectBroken(events.toSpliced(at, 1), at, 'is missing');
      await expectBroken(renumbered(events.toSpliced(at, 1)), at, 'does not follow');
    }
  });

  it('finds that the end of a session was removed, or all of it, by the evaluation that is left', async () => {
    for (const removed of [1, 2, 5]) {
      const left = events.toSpliced(5 - removed, removed);
      const strays = (await all(left)).filter(({ kind }) => kind === 'stray');
      expect(strays).toEqual([
        {
          kind: 'stray',
          broken: expect.objectContaining({ session: stored.session, stream: events[5]!.stream, number: 1 }),
        },
      ]);
      await expectBroken(left, 5, 'evidence was removed');
    }
  });

  it('finds that a session was completed anew, away from its evaluation', async () => {
    const other = randomUUID();
    const anew = rehashed(withData(events[4]!, (text) => text.replaceAll(stored.evaluation, other)));
    const changed = events.with(4, anew);
    await expectBroken(changed, 5, 'evidence was removed');
    expect((await all(changed)).filter(({ kind }) => kind === 'stray')).toHaveLength(1);
  });

  it('knows the evaluation of a session that was erased before it had a result', async () => {
    const gone = await storedSession(vault, keys, true);
    const erased = { ...following(gone.events[9]!, gone.events[4]!), revision: 0 };
    const report = await verifyOne(gone.session, [...gone.events.slice(0, 6), erased]);
    expect(report).toMatchObject({ events: 7, results: 0, broken: null });
  });

  it('finds what was put behind the end of a session, chained by the rules', async () => {
    const gone = (await storedSession(vault, keys, true)).events;
    const cases = [
      [events, 4, events[3]!, 'follows trial.completed'],
      [events, 4, events[4]!, 'follows trial.completed'],
      [gone, 5, gone[4]!, 'follows trial.erased'],
    ] as const;
    for (const [given, at, event, what] of cases) {
      const more = { ...following(event, given[at]!), stream: given[0]!.stream, revision: at + 1 };
      const changed = given.toSpliced(at + 1, 0, more);
      const session = given[0]!.stream.slice('trial-'.length);
      const report = await verifyOne(session, changed);
      expect(report?.broken).toMatchObject({ number: at + 2, what: expect.stringContaining(what) });
    }
  });

  it('finds swapped events, and one put in twice or from elsewhere', async () => {
    for (const at of [0, 1, 2, 3, 5, 6]) {
      const swapped = renumbered(events.toSpliced(at, 2, events[at + 1]!, events[at]!));
      await expectBroken(swapped, at);
      await expectBroken(renumbered(events.toSpliced(at, 0, events[at]!)), at + 1, 'does not follow');
    }
    const other = await storedSession(vault);
    for (const [at, event] of events.entries())
      await expectBroken(events.with(at, { ...other.events[at]!, stream: event.stream }), at);
  });

  it('finds a whole session that was put in another’s place', async () => {
    const other = await storedSession(vault);
    const moved = other.events.map((event, at) => ({ ...event, stream: events[at]!.stream }));
    await expectBroken(moved, 0, 'trialSessionId');
  });

  it('finds an evaluation that was written anew, chained by the rules, by its signature', async () => {
    for (const at of [5, 7]) {
      for (const [was, is] of [
        ['"sequenceNumber":5', '"sequenceNumber":4'],
        ['"overallThreshold":60', '"overallThreshold":90'],
      ] as const) {
        const forged = rehashed(withData(events[at]!, (text) => text.replace(was, is)));
        expect(forged.data).not.toEqual(events[at]!.data);
        await expectBroken(events.slice(0, at).concat(forged), at);
      }
    }
  });

  it('finds a changed head, signature or key', async () => {
    const { link } = storedLinks(events[5]!)[0]!;
    const { keyId, value } = link.signature!;
    const later = storedLinks(events[7]!)[0]!.link.signature!.value;
    const head = { sequenceNumber: 5, hash: hashOf(events[4]!) };
    const foreign = STRANGER.signer.sign(signedBytes(head, link.hash));
    const changes: readonly (readonly [string, string, string])[] = [
      [value, later, 'is not valid'],
      [value, foreign, 'is not valid'],
      [
        `"${keyId}","value":"${value}"`,
        `"${STRANGER.signer.keyId}","value":"${foreign}"`,
        'which is neither',
      ],
      [`,"signature":{"keyId":"${keyId}","value":"${value}"}`, '', 'it is not signed'],
    ];
    for (const [was, is, what] of changes)
      await expectBroken(
        events.with(
          5,
          withMetadata(events[5]!, (text) => text.replace(was, is)),
        ),
        5,
        what,
      );
    const signature = `,"signature":{"keyId":"${keyId}","value":"${value}"}}}`;
    const decorated = withMetadata(events[4]!, (text) => text.replace(/\}\}$/, signature));
    await expectBroken(events.with(4, decorated), 4, 'has a signature');
  });

  it('finds a result that names another head than its session’s, though it is well signed', async () => {
    const text = Buffer.from(events[5]!.data).toString();
    const forged = rehashed(
      withData(events[5]!, () => text.replace('"sequenceNumber":5', '"sequenceNumber":4')),
    );
    const { link } = storedLinks(forged)[0]!;
    const value = keys.signer.sign(signedBytes({ sequenceNumber: 4, hash: hashOf(events[4]!) }, link.hash));
    const signed = withMetadata(forged, (said) => said.replace(link.signature!.value, value));
    await expectBroken([...events.slice(0, 5), signed], 5, 'not its session’s own');
  });

  it('finds a past that was made anew by whoever has every other key', async () => {
    const forged = await storedSession(vault, STRANGER);
    const report = await verifyOne(forged.session, forged.events);
    expect(report?.broken).toMatchObject({ number: 1, stream: `evaluation-${forged.evaluation}` });
  });

  it('names bytes that are nothing at all, and a personal part that is gone', async () => {
    for (const [index, event] of events.entries())
      for (const text of ['', 'null', '{}', '{"chain":{}}', '{"chain":null}'])
        for (const change of [withData, withMetadata])
          await expectBroken(
            events.with(
              index,
              change(event, () => text),
            ),
            index,
          );
    await expectBroken(events.with(2, { ...events[2]!, metadata: Buffer.of(0xff) }), 2, 'cannot be read');
    const bare = withMetadata(events[2]!, (text) => text.replace(/"personal":"[^"]*",/, ''));
    await expectBroken(events.with(2, bare), 2, 'its personal part is gone');
  });

  it('goes on to the next session, and names of each the first link that broke', async () => {
    const sessions = [
      stored,
      await storedSession(vault),
      await storedSession(vault),
      await storedSession(vault),
    ];
    const gone = withData(sessions[1]!.events[2]!, () => '');
    const damaged = [
      sessions[0]!.events,
      sessions[1]!.events.with(2, gone).toSpliced(3, 1),
      sessions[2]!.events.with(
        7,
        withData(sessions[2]!.events[7]!, () => 'x'),
      ),
      sessions[3]!.events.toSpliced(0, 1),
    ];
    // By turns, as a log has them.
    const log = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((at) => damaged.flatMap((one) => one[at] ?? []));
    const roles = { ...events[0]!, stream: 'role-1' as StreamName, data: Buffer.from('damaged') };
    const found = await all([roles, ...log]);
    const reports = found
      .flatMap((one) => (one.kind === 'session' ? [one.report] : []))
      .map(({ session, broken }) => [session, broken?.number ?? null]);
    expect(found).toHaveLength(4);
    expect(reports).toEqual([
      [sessions[0]!.session, null],
      [sessions[1]!.session, 3],
      [sessions[2]!.session, 3],
      [sessions[3]!.session, 1],
    ]);
  });
});

/** An event whose hash is computed again from its changed content, with the old signature. */
const rehashed = (event: RecordedEvent): RecordedEvent => {
  const { link, content } = storedLinks(event)[0]!;
  return withMetadata(event, (text) =>
    text.replaceAll(`"hash":"${link.hash}"`, `"hash":"${linkHash(link.previousHash, content)}"`),
  );
};

/** An event as somebody would chain it who puts it behind another one. */
const following = (event: RecordedEvent, former: RecordedEvent): RecordedEvent => {
  const { link } = storedLinks(event)[0]!;
  const place = `"sequenceNumber":${event.revision + 1}`;
  const placed = withData(event, (text) => text.replace(place, `"sequenceNumber":${former.revision + 2}`));
  return rehashed(withMetadata(placed, (text) => text.replace(link.previousHash, hashOf(former))));
};
