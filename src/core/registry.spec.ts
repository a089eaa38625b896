import { describe, expect, it } from '@jest/globals';
import {
  defineEvents,
  type EventIn,
  type EventShape,
  eventsOf,
  eventType,
  type Upcaster,
  upcast,
  upcastRecord,
} from './registry.js';
import type { PersonId } from './vault/port.js';

const same: Upcaster = (shape) => shape;

describe('event registry', () => {
  it('knows every type by name', () => {
    const registry = defineEvents({ a: { version: 1 }, b: { version: 3, upcasters: { 1: same, 2: same } } });
    expect([...registry.keys()]).toEqual(['a', 'b']);
    expect(registry.get('b')?.version).toBe(3);
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.get('__proto__')).toBeUndefined();
  });

  it('refuses versions that no upcaster leads to, and upcasters that lead nowhere', () => {
    expect(() => defineEvents({ a: { version: 2 } })).toThrow('no upcaster from version 1');
    expect(() => defineEvents({ a: { version: 3, upcasters: { 1: same } } })).toThrow('version 2');
    expect(() => defineEvents({ a: { version: 1, upcasters: { 1: same } } })).toThrow('version 1');
    for (const version of [0, -1, 1.5, Number.NaN])
      expect(() => defineEvents({ a: { version } })).toThrow('whole number');
  });

  it('gives each type that holds a record the versions of that record', () => {
    const versions = [(one: object) => ({ ...one, b: 2 }), (one: object) => ({ ...one, c: 3 })];
    const definition = upcastRecord(versions, (data: { readonly held: object | null }, next) => ({
      ...data,
      held: data.held && next(data.held),
    }));
    const read = (version: number, held: object | null) =>
      upcast(definition, version, { data: { held, beside: true }, personal: null }).data;
    expect([...defineEvents({ a: definition }).values()][0]).toMatchObject({ version: 3 });
    expect(read(1, { a: 1 })).toEqual({ held: { a: 1, b: 2, c: 3 }, beside: true });
    expect(read(2, { a: 1 })).toEqual({ held: { a: 1, c: 3 }, beside: true });
    expect(read(3, { a: 1 })).toEqual({ held: { a: 1 }, beside: true });
    expect(read(1, null)).toEqual({ held: null, beside: true });
  });

  it('has the events that are declared, with their parts, and no other', () => {
    const declared = { a: eventType<{ n: number }>(), b: eventType<object, { name: string }>() };
    type Events = EventIn<typeof declared>;
    const of = ({ type }: Events) => type;
    const types = [
      of({ type: 'a', data: { n: 1 }, person: null, personal: null }),
      of({ type: 'b', data: {}, person: null, personal: { name: 'Ada' } }),
      // @ts-expect-error a has a number
      of({ type: 'a', data: { n: '1' }, person: null, personal: null }),
      // @ts-expect-error c is no event
      of({ type: 'c', data: {}, person: null, personal: null }),
    ];
    expect([...defineEvents(declared).keys()]).toEqual(types.slice(0, 2));
  });

  it('makes events of declared types and shapes, about a person or none', () => {
    const make = eventsOf<{ readonly a: EventShape<{ n: number }, null> }>();
    const person = 'p1' as PersonId;
    expect(make('a', { n: 1 })).toEqual({ type: 'a', data: { n: 1 }, person: null, personal: null });
    expect(make('a', { n: 1 }, person)).toEqual({ type: 'a', data: { n: 1 }, person, personal: null });
    // @ts-expect-error b is no event
    make('b', { n: 1 });
    // @ts-expect-error a has no m
    make('a', { n: 1, m: 2 });
  });
});
