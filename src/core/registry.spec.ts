import { describe, expect, it } from '@jest/globals';
import type { EventOf } from './event.js';
import { defineEvents, type EventDefinitions } from './registry.js';
import type { Upcaster } from './upcaster.js';

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

  it('does not compile with a missing or a surplus type', () => {
    type Events = EventOf<'a', object> | EventOf<'b', object>;
    const first = { version: 1 };
    const complete: EventDefinitions<Events> = { a: first, b: first };
    // @ts-expect-error b is missing
    const missing: EventDefinitions<Events> = { a: first };
    // @ts-expect-error c is no event
    const surplus: EventDefinitions<Events> = { a: first, b: first, c: first };
    expect([complete, missing, surplus].map((definitions) => defineEvents(definitions).size)).toEqual([
      2, 1, 3,
    ]);
  });
});
