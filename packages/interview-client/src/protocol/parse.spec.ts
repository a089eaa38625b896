import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Fields } from './fields.js';
import {
  clientMessages,
  type Declarations,
  MAX_ACTIVITIES,
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  serverMessages,
} from './messages.js';
import { parseClientMessage, parseServerMessage } from './parse.js';

interface Schema {
  readonly type: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Values of a field by what is published of it, not by what checks it. */
const valuesOf = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectsOf(schema.properties);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 });
  if (schema.type === 'array') return fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })));
  if (schema.format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString());
  const texts = fc.string({
    unit: 'binary',
    minLength: schema.minLength ?? 0,
    maxLength: Math.min(schema.maxLength ?? 100, 200),
    size: 'max',
  });
  // The published pattern takes more than is taken: few languages have the classes of what cannot be seen.
  return schema.pattern === undefined ? texts : texts.map((text) => `${text}.`);
};
const objectsOf = (properties: Readonly<Record<string, Schema>>): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one)])));

const messagesOf = (all: Readonly<Record<string, Fields>>): fc.Arbitrary<{ readonly type: string }> =>
  fc.oneof(
    ...Object.entries(all).map(([type, fields]) => {
      const values = Object.entries(fields).map(([name, { schema }]) => [
        name,
        valuesOf(schema as unknown as Schema),
      ]);
      const requiredKeys = ['type', ...Object.keys(fields).filter((name) => !fields[name]?.optional)];
      return fc.record({ type: fc.constant(type), ...(Object.fromEntries(values) as object) }, {
        requiredKeys,
      } as { requiredKeys: ['type'] });
    }),
  );

const fieldsOf = (declarations: Declarations): Readonly<Record<string, Fields>> =>
  Object.fromEntries(Object.entries(declarations).map(([type, { fields }]) => [type, fields]));
const parsers = [
  ['clients', fieldsOf(clientMessages), parseClientMessage],
  ['the server', fieldsOf(serverMessages), parseServerMessage],
] as const;

const bad = (problem: RegExp | string, id: string | null = null) => ({
  kind: 'bad',
  problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  id,
});

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe.each(parsers)('messages of %s', (_, all, parse) => {
  it('that are as they are described come back as they were sent', () => {
    fc.assert(
      fc.property(messagesOf(all), (message) => {
        const text = JSON.stringify(message);
        // In JSON -0 is 0.
        expect(parse(text)).toEqual({ kind: 'message', message: JSON.parse(text) as unknown });
      }),
      { numRuns: 200 },
    );
  });

  it('lose the fields that the protocol does not know, and nothing else', () => {
    const later = fc.dictionary(
      fc.string().map((name) => `later-${name}`),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(messagesOf(all), later, (message, more) => {
        const known = JSON.parse(JSON.stringify(message)) as unknown;
        expect(parse(JSON.stringify({ ...more, ...message }))).toEqual({ kind: 'message', message: known });
      }),
      { numRuns: 100 },
    );
  });

  it('without one of their fields are refused by its name', () => {
    for (const [type, fields] of Object.entries(all))
      for (const [name, { optional, must }] of Object.entries<Fields[string]>(fields)) {
        const rest = Object.keys(fields).filter((one) => one !== name);
        const [whole] = fc.sample(
          messagesOf({ [type]: fields }).filter((one) => rest.every((key) => key in one)),
          { numRuns: 1, seed: 7 },
        );
        const without = Object.fromEntries(Object.entries(whole ?? {}).filter(([key]) => key !== name));
        const id = 'id' in without ? without.id : null;
        const refused = optional ? { kind: 'message' } : bad(`${name} is missing: it must be ${must}.`, id);
        expect(parse(JSON.stringify(without))).toMatchObject(refused);
        expect(parse(JSON.stringify({ ...without, [name]: null }))).toEqual(
          bad(`${name} must be ${must}.`, id),
        );
      }
  });

  it('are refused in one sentence, whatever comes instead', () => {
    const almost = fc.record({ type: fc.constantFrom(...Object.keys(all)), id: fc.jsonValue() });
    const frames = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json({ maxDepth: 4 }),
      fc.tuple(almost, fc.dictionary(fc.string(), fc.jsonValue())).map((two) => {
        const [one, more] = two;
        return JSON.stringify({ ...more, ...one });
      }),
    );
    fc.assert(
      fc.property(frames, (frame) => {
        const parsed = parse(frame);
        if (parsed.kind === 'bad') expect(parsed.problem).toMatch(/^[A-Za-z]\w*.*\.$/);
        else expect(Object.keys(all)).toContain(parsed.message.type);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Ping', 'client.ready '])(
    'have no type %j',
    (type) => {
      expect(parse(JSON.stringify({ type }))).toEqual(bad('type is none of this protocol’s messages.'));
    },
  );

  it.each(['', ' ', 'ping', '{"type":"ping"', '{"type":"ping"}{}', "{'type':'ping'}", '\u0000'])(
    'are JSON, which %j is not',
    (frame) => {
      expect(parse(frame)).toEqual(bad('The frame is not valid JSON.'));
    },
  );

  it.each(['null', '7', '"ping"', '[]', '[{"type":"ping"}]', 'true'])(
    'are objects, which %s is not',
    (frame) => {
      expect(parse(frame)).toEqual(bad('A message must be a JSON object.'));
    },
  );

  it.each(['{}', '{"type":null}', '{"type":7}', '{"type":["ping"]}', '{"__proto__":{"type":"ping"}}'])(
    'name their type, which %s does not',
    (frame) => {
      expect(parse(frame)).toEqual(bad('type is missing: it must be the name of a message.'));
    },
  );
});

describe('a client’s message', () => {
  const commit = { type: 'turn.commit', id: 'c1', turn: 1 };

  it.each<[string, object, RegExp]>([
    ['a number in words', { turn: '1' }, /^turn must be a whole number from 1 to 65535\.$/],
    ['half a turn', { turn: 1.5 }, /^turn must/],
    ['turn 0', { turn: 0 }, /^turn must/],
    ['more turns than there are', { turn: 65_536 }, /^turn must/],
    ['a number without end', { turn: 1e308 * 10 }, /^turn must/],
    ['true for one', { turn: true }, /^turn must/],
    ['a list of one', { turn: [1] }, /^turn must/],
  ])('with %s is refused, under its own id', (_, change, problem) => {
    expect(parseClientMessage(JSON.stringify({ ...commit, ...change }))).toEqual(bad(problem, 'c1'));
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['a number', 7],
    ['65 characters long', 'x'.repeat(65)],
    ['65 characters long, of two units each', '😀'.repeat(65)],
    ['an object', { toString: 'c1' }],
  ])('whose id is %s is refused, without an id', (_, id) => {
    expect(parseClientMessage(JSON.stringify({ ...commit, id }))).toEqual(
      bad('id must be a string of 1 to 64 characters.'),
    );
  });

  it.each(['x'.repeat(64), '😀'.repeat(64), '\ud800', '__proto__', ' '])('may have the id %j', (id) => {
    const message = { ...commit, id };
    expect(parseClientMessage(JSON.stringify(message))).toEqual({ kind: 'message', message });
  });

  it('holds so many bytes of text as it may, however many characters that is', () => {
    const of = (text: string) =>
      parseClientMessage(JSON.stringify({ type: 'message.text', id: 'a1', turn: 1, text })).kind;
    expect(of('x'.repeat(MAX_TEXT_BYTES))).toBe('message');
    expect(of('x'.repeat(MAX_TEXT_BYTES + 1))).toBe('bad');
    expect(of('😀'.repeat(MAX_TEXT_BYTES / 4))).toBe('message');
    expect(of(`${'😀'.repeat(MAX_TEXT_BYTES / 4)}x`)).toBe('bad');
    // As JSON each of these characters takes six or two bytes, and the server's frame with the answer has to hold them.
    const most = MAX_FRAME_BYTES - 512 - 2;
    expect(of('\ud800'.repeat(Math.floor(most / 6)))).toBe('message');
    expect(of('\ud800'.repeat(Math.floor(most / 6) + 1))).toBe('bad');
    expect(of('"'.repeat(most / 2))).toBe('message');
    expect(of('"'.repeat(most / 2 + 1))).toBe('bad');
  });

  it('has visible text: a blank one would close the turn', () => {
    const of = (text: string) =>
      parseClientMessage(JSON.stringify({ type: 'message.text', id: 'a1', turn: 1, text }));
    for (const blank of ['', ' ', '\n\t\u00a0', '\u200b\u2060\ufeff', '\u3164\u115f', '\u202e', '\u0000'])
      expect(of(blank)).toEqual(
        bad(
          'text must be a string of at most 16384 bytes in UTF-8, and 32256 as JSON, with something in it that can be seen.',
          'a1',
        ),
      );
    for (const said of ['.', ' \u{1f600} ', '\u05d0', '\u200bx']) expect(of(said).kind).toBe('message');
  });

  it('may say where its text is from, and only so', () => {
    const answer = { type: 'message.text', id: 'a1', turn: 1, text: 'x' };
    for (const source of ['typed', 'speech'])
      expect(parseClientMessage(JSON.stringify({ ...answer, source })).kind).toBe('message');
    for (const source of ['transcribed', 'toString', null])
      expect(parseClientMessage(JSON.stringify({ ...answer, source }))).toEqual(
        bad('source must be one of typed, speech.', 'a1'),
      );
  });

  it('keeps the keys of events as they were sent, and is harmed by none', () => {
    const events =
      '[{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"$where":"1","a.b":1}]';
    const parsed = parseClientMessage(
      `{"type":"activity","id":"w1","events":${events},"__proto__":{"id":"x"}}`,
    );
    expect(JSON.stringify(parsed)).toContain(events);
    expect(Object.getPrototypeOf((parsed as unknown as { message: object }).message)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('holds so many events as it may', () => {
    const of = (count: number) =>
      parseClientMessage(JSON.stringify({ type: 'activity', id: 'w1', events: Array(count).fill({}) }));
    expect(of(MAX_ACTIVITIES).kind).toBe('message');
    expect(of(MAX_ACTIVITIES + 1)).toEqual(bad('events must be a list of at most 100 items.', 'w1'));
  });

  it('nests 32 levels at most, however deep it goes on', () => {
    const of = (levels: number) => parseClientMessage(`{"type":"ping","id":"p1","later":${deep(levels)}}`);
    expect(of(31).kind).toBe('message');
    for (const levels of [32, 33, 16_000])
      expect(of(levels)).toEqual(bad('The message is nested too deeply.', 'p1'));
  });

  it('takes the last of two fields of one name, as JSON has it', () => {
    expect(parseClientMessage('{"type":"turn.commit","id":"a","id":"b","turn":9,"turn":1}')).toEqual({
      kind: 'message',
      message: { type: 'turn.commit', id: 'b', turn: 1 },
    });
  });

  it('is none of the server’s', () => {
    for (const type of Object.keys(serverMessages))
      expect(parseClientMessage(JSON.stringify({ type }))).toEqual(
        bad('type is none of this protocol’s messages.'),
      );
  });
});
