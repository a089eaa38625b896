import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAX_ACTIVITIES } from '../../../packages/interview-client/src/protocol/messages.js';
import { Type } from '../../core/json-schema.js';
import { ACTIVITY_TYPES, MAX_EVENT_BYTES } from './activity-types.js';
import { checkActivities } from './activity.js';

const event = {
  clientEventId: 'x',
  eventType: 'custom.thing',
  occurredAt: '2026-03-01T09:00:00Z',
  payload: {},
};
const check = (...events: readonly unknown[]) => checkActivities(events);
const problems = (...events: readonly unknown[]) => {
  const checked = check(...events);
  return checked.kind === 'invalid' ? checked.problems.map(({ path, rule }) => `${path} ${rule}`) : [];
};
const payload = (eventType: string, given: unknown) => problems({ ...event, eventType, payload: given });

describe('a batch of activity', () => {
  it('comes through with its times in one form and its payloads as they are', () => {
    const given = { ...event, occurredAt: '2026-03-01T10:00:00+01:00', payload: { a: 1 }, extra: true };
    const checked = check(given);
    expect(checked).toEqual({
      kind: 'valid',
      activities: [{ ...event, occurredAt: '2026-03-01T09:00:00.000Z', payload: { a: 1 } }],
    });
    expect(checked.kind === 'valid' && checked.activities[0]?.payload).toBe(given.payload);
  });

  it.each([undefined, null, {}, 'events', 7])('must be an array, not %p', (events) => {
    expect(checkActivities(events)).toMatchObject({
      kind: 'invalid',
      problems: [{ path: 'events', rule: 'array' }],
    });
  });

  it('holds at most 100 events', () => {
    const many = Array.from({ length: MAX_ACTIVITIES + 1 }, () => event);
    expect(problems(...many)).toEqual(['events maxItems']);
    expect(problems(...many.slice(1))).toEqual([]);
    expect(problems()).toEqual([]);
  });

  it('holds at most 512 KiB, however little it took to send', () => {
    const numbers = JSON.parse(`[${'1e20,'.repeat(600)}1e20]`) as unknown[];
    const long = { ...event, payload: { numbers } };
    expect(problems(...Array.from({ length: 38 }, () => long))).toEqual([]);
    expect(problems(...Array.from({ length: 40 }, () => long))).toEqual(['events maxBytes']);
  });

  it('is refused whole, with every offending field', () => {
    expect(
      problems(event, { ...event, clientEventId: '' }, null, {
        ...event,
        eventType: 'X',
        occurredAt: 'now',
        payload: [],
      }),
    ).toEqual([
      'events[1].clientEventId length',
      'events[2] object',
      'events[3].eventType pattern',
      'events[3].occurredAt timestamp',
      'events[3].payload object',
    ]);
    expect(problems({})).toEqual([
      'events[0].clientEventId length',
      'events[0].eventType pattern',
      'events[0].occurredAt timestamp',
      'events[0].payload object',
    ]);
  });

  it.each([
    ['clientEventId', 'x'.repeat(64), 'x'.repeat(65)],
    ['clientEventId', '😀'.repeat(64), '😀'.repeat(65)],
    ['eventType', 'a'.repeat(64), 'a'.repeat(65)],
    ['eventType', 'a_1.b', '1a'],
    ['eventType', 'a..b', 'a-b'],
    ['eventType', '__proto__'.slice(2, 7), '__proto__'],
    ['occurredAt', '1999-12-31T23:59:59Z', '1999-12-31'],
  ])('takes %s %p but not %p', (field, good, bad) => {
    expect(problems({ ...event, [field]: good })).toEqual([]);
    expect(problems({ ...event, [field]: bad })).toHaveLength(1);
  });

  it('takes events of at most 16 KiB of JSON, in bytes', () => {
    const room = MAX_EVENT_BYTES - Buffer.byteLength(JSON.stringify({ ...event, payload: { t: '' } }));
    expect(problems({ ...event, payload: { t: 'x'.repeat(room) } })).toEqual([]);
    expect(problems({ ...event, payload: { t: 'x'.repeat(room + 1) } })).toEqual(['events[0] maxBytes']);
    expect(problems({ ...event, payload: { t: 'é'.repeat(room / 2 + 1) } })).toEqual(['events[0] maxBytes']);
  });

  it('is refused where a number is too large to be kept as it came', () => {
    const parsed = (json: string): unknown => JSON.parse(json);
    expect(payload('custom.thing', parsed('{"a":[{"b":-1e400}]}'))).toEqual(['events[0].payload number']);
    expect(payload('custom.thing', parsed('{"a":[{"b":1e308}],"c":null}'))).toEqual([]);
  });

  it('never fails, whatever it is given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.anything({ withNullPrototype: true }).map((value) => ({ ...event, payload: value }))),
        (events) => {
          const parsed: unknown = JSON.parse(JSON.stringify(events));
          expect(['valid', 'invalid']).toContain(checkActivities(parsed).kind);
        },
      ),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(['valid', 'invalid']).toContain(checkActivities(value).kind);
        expect(['valid', 'invalid']).toContain(checkActivities([value]).kind);
      }),
    );
  });
});

describe('a payload', () => {
  it.each<[string, object]>([
    ['message.sent', { text: '', to: 'assistant' }],
    ['message.sent', { text: 'Hi', to: 'interviewer', more: [1] }],
    ['ticket.started', { ticketId: 'T-1' }],
    ['ticket.finished', { ticketId: 'T-1' }],
    ['file.changed', { path: 'a.ts', linesAdded: 0, linesRemoved: 3 }],
    ['test.run', { passed: 1, failed: 0, durationMs: 12.5 }],
    ['clipboard.pasted', { characters: 3, nonBlankCharacters: 2 }],
    ['clipboard.pasted', { characters: 3, nonBlankCharacters: 2, source: 'prompt' }],
    ['page.hidden', {}],
    ['page.shown', { any: 'thing' }],
    ['fullscreen.exited', {}],
    ['network.changed', {}],
    ['unknown.type', { $where: '1', 'a.b': 1 }],
    ['constructor', {}],
  ])('of %s may be %j', (eventType, given) => {
    expect(payload(eventType, given)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['message.sent', {}, ['text string', 'to oneOf']],
    ['message.sent', { text: 1, to: 'boss' }, ['text string', 'to oneOf']],
    ['ticket.started', { ticketId: null }, ['ticketId string']],
    ['ticket.finished', {}, ['ticketId string']],
    [
      'file.changed',
      { path: 1, linesAdded: -1, linesRemoved: 1.5 },
      ['path string', 'linesAdded count', 'linesRemoved count'],
    ],
    [
      'test.run',
      { passed: '1', failed: 2 ** 53, durationMs: -1 },
      ['passed count', 'failed count', 'durationMs duration'],
    ],
    ['clipboard.pasted', { characters: 3 }, ['nonBlankCharacters count']],
    ['clipboard.pasted', { characters: 3, nonBlankCharacters: 1, source: null }, ['source string']],
  ])('of %s may not be %j', (eventType, given, expected) => {
    expect(payload(eventType, given)).toEqual(expected.map((problem) => `events[0].payload.${problem}`));
  });

  it('is not read through the prototype', () => {
    const fields = { text: 'x', to: 'assistant' };
    expect(payload('message.sent', JSON.parse(`{"__proto__":${JSON.stringify(fields)}}`))).toHaveLength(2);
    expect(payload('message.sent', Object.create(fields))).toHaveLength(2);
  });

  it('is checked for exactly the types that the interface names', () => {
    expect(Object.keys(ACTIVITY_TYPES).sort()).toEqual([
      'clipboard.pasted',
      'file.changed',
      'fullscreen.exited',
      'message.sent',
      'network.changed',
      'page.hidden',
      'page.shown',
      'test.run',
      'ticket.finished',
      'ticket.started',
    ]);
  });
});

describe('the page of activity', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const rows = readFileSync(join(root, 'docs/activity.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  it('has every type and every field as they are declared, and none besides', () => {
    const types = Object.entries(ACTIVITY_TYPES).map(([type, { meaning, fields }]) => [
      `\`${type}\``,
      Object.entries(fields)
        .map(([name, field]) => `\`${name}${Type.IsOptional(field) ? '?' : ''}\``)
        .join(', '),
      meaning,
    ]);
    const fields = Object.entries(ACTIVITY_TYPES).flatMap(([eventType, { fields: declared, example }]) =>
      Object.entries(declared).map(([name, { description }]: [string, { description?: string }]) => {
        const checked = check({ ...event, eventType, payload: { ...example, [name]: [] } });
        const [message = ''] = checked.kind === 'invalid' ? checked.problems.map((one) => one.message) : [];
        return [`\`${name}\``, / must be (.+?)(?:, or left out)?\.$/.exec(message)?.[1], description];
      }),
    );
    expect(rows).toEqual([...types, ...new Map(fields.map((row) => [row[0], row])).values()]);
  });
});
