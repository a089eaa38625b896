import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import type { Json } from '../../read-store.js';
import { bodyOf, storedBody, type StoredBody } from './body.js';

/** What comes back from a server. */
const sent = (body: StoredBody): StoredBody =>
  (BSON.deserialize(BSON.serialize({ body })) as { body: StoredBody }).body;
const through = (body: Json): string => JSON.stringify(bodyOf(sent(storedBody(body))));

describe('the body of a document in MongoDB', () => {
  it('is BSON that can be queried, its times dates', () => {
    const body = { name: 'Ada', at: '2026-06-01T08:30:00.000Z', scores: [{ score: 7, on: 'x' }], none: null };
    expect(storedBody(body)).toEqual({ ...body, at: new Date('2026-06-01T08:30:00.000Z') });
  });

  it('keeps as text what only looks like a time', () => {
    for (const text of [
      '2026-06-01',
      '2026-02-30T08:30:00.000Z',
      '2026-06-01T08:30:00Z',
      '2026-06-01T24:00:00.000Z',
    ])
      expect(storedBody({ text })).toEqual({ text });
  });

  it('has no name that MongoDB would take for an operator or a path', () => {
    const body = JSON.parse(
      '{"$where":1,"a.b":{"$set":1},"__proto__":{"x":1},"":null,"100%":1,"a$":1}',
    ) as Json;
    const names = JSON.stringify(storedBody(body));
    expect(names).toBe(
      '{"%24where":1,"a%2Eb":{"%24set":1},"%5F_proto__":{"x":1},"%":null,"100%25":1,"a$":1}',
    );
    expect(through(body)).toBe(JSON.stringify(body));
  });

  it('is JSON text if BSON would not give back exactly the same', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`) as Json;
    for (const body of [deep, { a: '\ud800' }, { '\udfff': 1 }, 'text', 7, null, [1]] as Json[]) {
      expect(storedBody(body)).toBe(JSON.stringify(body));
      expect(through(body)).toBe(JSON.stringify(body));
    }
  });

  it('comes back exactly, whatever it is', () => {
    const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '$', '%', '%24', '__proto__', 'a.b', '\0'),
    );
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue().map((any) => any as Json),
        time,
        fc.dictionary(name, tie('value')),
        fc.array(tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(value, (body) => {
        // As it would be stored elsewhere: -0 and members without a value do not come here.
        const json = JSON.parse(JSON.stringify(body)) as Json;
        expect(through(json)).toBe(JSON.stringify(json));
      }),
      { numRuns: 500 },
    );
  });
});
