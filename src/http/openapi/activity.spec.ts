import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import * as fc from 'fast-check';
import { ACTIVITY_TYPES } from '../../domain/session/activity-types.js';
import { checkActivities } from '../../domain/session/activity.js';
import { ActivityRecord } from './activity.js';

const event = {
  clientEventId: 'x',
  eventType: 'custom.thing',
  occurredAt: '2026-03-01T09:00:00Z',
  payload: {},
};

describe('the published schema of an activity', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const matches = ajv.compile(ActivityRecord);
  const branches = JSON.parse(JSON.stringify(ActivityRecord.anyOf)) as readonly {
    readonly examples: readonly { readonly eventType: string }[];
  }[];

  it('has an example of every type, and of another, that is accepted', () => {
    const examples = branches.flatMap((branch) => branch.examples);
    const types = examples.map(({ eventType }) => eventType);
    expect(types.slice(0, -1)).toEqual(Object.keys(ACTIVITY_TYPES));
    expect(types).toHaveLength(Object.keys(ACTIVITY_TYPES).length + 1);
    expect(checkActivities(examples)).toMatchObject({ kind: 'valid' });
    for (const example of examples) expect([example, matches(example)]).toEqual([example, true]);
  });

  it('accepts exactly what the check accepts', () => {
    const types = Object.entries(ACTIVITY_TYPES).map(([name, { example }]) => [name, example] as const);
    const value = fc.oneof(
      fc.constantFrom(0, -1, 0.5, 7, 2 ** 53, '', 'assistant', 'boss', null, true),
      fc.jsonValue(),
    );
    const given = fc.constantFrom(...types, ['other.type', { any: 1 }] as const).chain(([eventType, whole]) =>
      fc
        .tuple(
          fc.subarray(Object.entries(whole)),
          fc.dictionary(fc.constantFrom(...Object.keys(whole), 'x'), value),
        )
        .map(([kept, changed]) => ({
          ...event,
          eventType,
          payload: { ...Object.fromEntries(kept), ...changed },
        })),
    );
    let refused = 0;
    fc.assert(
      fc.property(given, (one) => {
        const isValid = checkActivities([one]).kind === 'valid';
        if (!isValid) refused += 1;
        expect(matches(one)).toBe(isValid);
      }),
      { numRuns: 1_000 },
    );
    expect(refused).toBeGreaterThan(100);
    for (const eventType of ['', 'X', '1a', 'a'.repeat(65)])
      expect(matches({ ...event, eventType })).toBe(false);
  });
});
