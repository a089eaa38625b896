import { describe, expect, it } from '@jest/globals';
import { foldView } from '../test/support/given-view.js';
import { SessionBuilder, testId } from '../test/support/evidence-builder.js';
import { evidence, type EvidenceDocument, evidenceChunkId, evidenceEvents } from './evidence.js';

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

  it('that can no longer be read has null for payloads and keeps the rest', () => {
    const events = new SessionBuilder().started().message('Hi').completed();
    const folded = foldView(
      evidence,
      events.map((event) => ({ ...event, personal: null })),
    );
    expect(evidenceEvents(chunk(folded, 0))).toMatchObject([
      { payload: { identity: 'verified' } },
      { payload: null, eventType: 'message.sent', sequenceNumber: 2 },
      { payload: {} },
    ]);
    const document = { ...chunk(foldView(evidence, events), 0), personal: null };
    expect(evidenceEvents(document)[1]).toMatchObject({ payload: null });
  });
});
