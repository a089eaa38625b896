import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { evidenceEvents } from '../src/api/evaluations/record.js';
import type { Stored } from '../src/core/event.js';
import type { LateEvidence } from '../src/domain/evaluation/events.js';
import { SessionBuilder, testId } from '../test/support/evidence-builder.js';
import { foldView, givenView } from '../test/support/given-view.js';
import { evidence, type EvidenceDocument, evidenceChunkId } from './evidence.js';

const session = testId(5, 1);
const chunk = (folded: ReturnType<typeof foldView<typeof evidence>>, number: number): EvidenceDocument =>
  folded.get(evidenceChunkId(session, number))!.document;

describe('the evidence of a session', () => {
  it('lies in documents of 50 events, in order, without a gap', () => {
    const builder = new SessionBuilder().started();
    for (let n = 0; n < 99; n++) builder.activity('page.hidden', { n });
    const folded = foldView(evidence, builder.completed());
    expect([...folded.keys()]).toEqual([0, 1, 2].map((number) => evidenceChunkId(session, number)));
    const all = [0, 1, 2].flatMap((number) => evidenceEvents(chunk(folded, number)));
    expect(all.map(({ sequenceNumber }) => sequenceNumber)).toEqual(
      Array.from({ length: 101 }, (_, n) => n + 1),
    );
    expect([0, 1, 2].map((number) => chunk(folded, number).events.length)).toEqual([50, 50, 1]);
    expect(folded.get(evidenceChunkId(session, 2))?.keys.bySession).toEqual([session, 2]);
  });

  it('holds a batch whole, in the document of its first activity', () => {
    const activities = Array.from({ length: 100 }, (_, n) => ['page.hidden', { n }, n] as const);
    const folded = foldView(
      evidence,
      new SessionBuilder().started().batch(activities).batch(activities).completed(),
    );
    expect([...folded.keys()]).toEqual([0, 2, 4].map((number) => evidenceChunkId(session, number)));
    const all = [0, 2, 4].map((number) => evidenceEvents(chunk(folded, number)));
    expect(all.map(({ length }) => length)).toEqual([101, 100, 1]);
    expect(all.flat().map(({ sequenceNumber }) => sequenceNumber)).toEqual(
      Array.from({ length: 202 }, (_, n) => n + 1),
    );
  });

  it('shows the same events however activities were sent together', () => {
    const sent = fc.record({
      type: fc.constantFrom('message.sent', 'page.hidden', 'custom.thing'),
      // As it is read: there is no negative zero.
      payload: fc
        .dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<unknown>, { noNullPrototype: true })
        .map((payload) => JSON.parse(JSON.stringify(payload)) as Record<string, unknown>),
      at: fc.nat({ max: 100 }),
    });
    const sessions = fc.array(fc.array(sent, { minLength: 1, maxLength: 70 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(sessions, fc.boolean(), (batches, isReadable) => {
        const shown = (cut: typeof batches) => {
          const builder = new SessionBuilder().started();
          for (const batch of cut)
            builder.batch(
              batch.map(({ type, payload, at }) => [type, payload, at]),
              100,
            );
          const documents = [...foldView(evidence, builder.completed()).values()].map(
            ({ document }) => document,
          );
          return documents.flatMap((document) =>
            evidenceEvents(isReadable ? document : { ...document, personal: null }),
          );
        };
        expect(shown(batches)).toEqual(shown(batches.flat().map((one) => [one])));
      }),
      { numRuns: 50 },
    );
  });

  it('carries the chain through a batch', () => {
    const [, batch] = new SessionBuilder()
      .started()
      .batch(['a', 'b'].map((type) => [type, {}, 1]))
      .completed();
    const [b, c] = ['bb', 'cc'].map((two) => two.repeat(32)) as [string, string];
    const items = [b, c].map((hash) => ({ commitment: null, hash }));
    const chain = { previousHash: 'aa', commitment: null, hash: c, items };
    const folded = foldView(evidence, [{ ...batch!, chain }]);
    expect(evidenceEvents(chunk(folded, 0))).toMatchObject([
      { id: testId(7, 2), hash: b, previousHash: 'aa' },
      { id: testId(7, 3), hash: c, previousHash: b },
    ]);
  });

  it('says of each event what kind it is', () => {
    const folded = foldView(
      evidence,
      new SessionBuilder().started('mismatch').message('Hi').activity('trial.started').completed(),
    );
    expect(evidenceEvents(chunk(folded, 0))).toMatchObject([
      { kind: 'lifecycle', eventType: 'trial.started', payload: { consent: true, identity: 'mismatch' } },
      { kind: 'message', eventType: 'message.sent', payload: { text: 'Hi', to: 'assistant' } },
      { kind: 'activity', eventType: 'trial.started', payload: {} },
      { kind: 'lifecycle', eventType: 'trial.completed', payload: {} },
    ]);
  });

  it('holds an interview: what was said, cut off and taken over, and the connections', () => {
    const folded = foldView(
      evidence,
      new SessionBuilder()
        .started()
        .connected()
        .asked('How?')
        .cutOff(900)
        .connected('former')
        .answered('So.', { gapMs: 2_500 })
        .completed(),
    );
    const events = evidenceEvents(chunk(folded, 0));
    expect(events).toMatchObject([
      {},
      { kind: 'system', eventType: 'interview.connected', payload: { superseded: null, deviceId: 'laptop' } },
      { kind: 'message', eventType: 'interview.question_asked', payload: { turn: 1, text: 'How?' } },
      { kind: 'activity', eventType: 'interview.interrupted', payload: { playedMs: 900, sentMs: 10_000 } },
      { kind: 'integrity', eventType: 'interview.connected', payload: { superseded: 'former' } },
      { kind: 'message', eventType: 'interview.answer_recorded', payload: { gapMs: 2_500, text: 'So.' } },
      {},
    ]);
    for (const { payload, occurredAt, recordedAt } of events) {
      expect(payload).not.toHaveProperty('trialSessionId');
      expect(payload).not.toHaveProperty('sequenceNumber');
      expect(occurredAt).toBe(recordedAt);
    }
    expect(evidenceEvents({ ...chunk(folded, 0), personal: null }).map(({ payload }) => payload)).toEqual([
      { consent: true, identity: 'verified' },
      null,
      null,
      null,
      null,
      null,
      {},
    ]);
  });

  it('holds hand-ins by name and figures, without their manifests', () => {
    const [folded] = foldView(evidence, new SessionBuilder().started().handsIn('T-1').completed()).values();
    const shown = evidenceEvents(folded!.document);
    const facts = { handInId: testId(12, 1), ticketId: 'T-1', bytes: 120, sha256: '1'.padStart(64, '0') };
    expect(shown.slice(1, 3).map(({ kind, eventType, payload }) => ({ kind, eventType, payload }))).toEqual([
      { kind: 'activity', eventType: 'work.hand_in_begun', payload: { ...facts, name: 'work.zip' } },
      {
        kind: 'activity',
        eventType: 'work.handed_in',
        payload: { ...facts, ticketVersion: 1, files: 1, treeSha256: facts.sha256, name: 'work.zip' },
      },
    ]);
    const unreadable = evidenceEvents({ ...folded!.document, personal: null });
    expect(unreadable.slice(1, 3).map(({ payload }) => payload)).toEqual([null, null]);
    expect(JSON.stringify(folded)).not.toContain('parser.ts');
  });

  it('holds a hand-in that arrived after the completion as any other', () => {
    const session = new SessionBuilder().started().handsIn('T-1').completed();
    const [handedIn, completion] = session.slice(-2);
    if (handedIn?.type !== 'work.handed_in' || completion?.type !== 'trial.completed') throw new Error();
    const late: Stored<LateEvidence> = {
      ...handedIn,
      id: testId(7, 5),
      type: 'evaluation.work_handed_in',
      data: {
        ...handedIn.data,
        evaluationId: completion.data.evaluationId,
        generation: 1,
        sequenceNumber: completion.data.sequenceNumber + 1,
      },
    };
    const [folded] = foldView(evidence, [...session, late]).values();
    const shown = evidenceEvents(folded!.document);
    const [within, after] = [shown[2]!, shown[4]!];
    const { kind, eventType, source, payload } = within;
    expect(after).toMatchObject({ id: testId(7, 5), sequenceNumber: 5, kind, eventType, source, payload });
    expect(Object.keys(after.payload ?? {})).toEqual(Object.keys(payload ?? {}));
    expect(JSON.stringify(folded)).not.toContain('parser.ts');
  });

  it('says why a connection or an interview ended, whatever becomes of the candidate’s data', () => {
    const ids = { trialSessionId: session, organisationId: 'o', candidateId: 'c' };
    const facts = { connectionId: 'n', code: 1006, waited: { turn: 1, ms: 5, anew: true }, elapsedMs: 9 };
    const { documents } = givenView(evidence, [
      { type: 'interview.disconnected', data: { ...ids, sequenceNumber: 1, ...facts } },
      { type: 'trial.interrupted', data: { ...ids, sequenceNumber: 2, connectionId: 'n' } },
      { type: 'trial.resumed', data: { ...ids, sequenceNumber: 3 } },
      { type: 'interview.ended', data: { ...ids, sequenceNumber: 4, reason: 'finished' } },
    ]);
    expect(evidenceEvents(documents.get(evidenceChunkId(session, 0))!)).toMatchObject([
      { kind: 'system', payload: facts },
      { kind: 'lifecycle', payload: { connectionId: 'n' } },
      { kind: 'lifecycle', payload: {} },
      { kind: 'lifecycle', payload: { reason: 'finished' } },
    ]);
  });

  it('carries the chain', () => {
    const link = { previousHash: 'aa', commitment: null, hash: 'bb' };
    const [first] = new SessionBuilder().started().completed();
    const folded = foldView(evidence, [{ ...first!, chain: link }]);
    expect(chunk(folded, 0).events).toMatchObject([{ hash: 'bb', previousHash: 'aa' }]);
  });

  it('gives payloads back as they were sent, whatever their keys, also through a store', () => {
    const text = '{"__proto__":{"admin":true},"$where":"1","a.b":[null],"constructor":1}';
    const payload = JSON.parse(text) as Record<string, unknown>;
    const events = new SessionBuilder().started().activity('custom.thing', payload).completed();
    for (const page of [1, Infinity]) {
      const [, sent] = evidenceEvents(chunk(foldView(evidence, events, page), 0));
      expect(JSON.stringify(sent?.payload)).toBe(text);
    }
  });

  it('that can no longer be read has null for payloads and keeps what the service itself recorded', () => {
    const events = new SessionBuilder().started().message('Hi').completed();
    const folded = foldView(
      evidence,
      events.map((event) => ({ ...event, personal: null })),
    );
    expect(evidenceEvents(chunk(folded, 0))).toMatchObject([
      { payload: { identity: 'verified' } },
      { payload: null, kind: 'activity', eventType: 'trial.activity_recorded', sequenceNumber: 2 },
      { payload: {} },
    ]);
    const document = { ...chunk(foldView(evidence, events), 0), personal: null };
    expect(evidenceEvents(document)[1]).toMatchObject({ payload: null });
  });

  it('of an erased candidate ends with the erasure, whose document holds nothing personal', () => {
    const events = new SessionBuilder().started().message('Hi').completed();
    const last = events.at(-1)!;
    const erased = {
      ...last,
      type: 'trial.erased',
      data: { ...last.data, sequenceNumber: 4, opening: null, withdrawn: false },
    } as (typeof events)[number];
    const document = chunk(foldView(evidence, [...events, erased]), 0);
    expect(document.personal).toBeNull();
    expect(evidenceEvents(document)).toMatchObject([
      {},
      { payload: null, kind: 'activity', eventType: 'trial.activity_recorded' },
      {},
      { kind: 'lifecycle', eventType: 'trial.erased', payload: { withdrawn: false }, sequenceNumber: 4 },
    ]);
  });
});
