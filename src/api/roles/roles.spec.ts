import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { roles } from '../../../projections/roles.js';
import { eventsOf, stored } from '../../../test/support/given-when-then.js';
import { Nullable, type TSchema, Type } from '../../core/json-schema.js';
import {
  createRole,
  type DefinitionInput,
  readiness,
  type Role,
  role,
  updateRole,
} from '../../domain/role/decider.js';
import {
  AI_POLICY,
  CATEGORIES,
  DEFINITION_DEFAULTS,
  type Dimension,
  RoleDefinition,
  type RoleEvent,
} from '../../domain/role/events.js';
import { operationOf } from '../../http/openapi/operation.js';
import { validated } from '../../http/validation/validate.js';
import { AI_POLICIES } from '../../languages/en/shapes.js';
import { CreateRoleDto, UpdateRoleDto } from './bodies.js';
import { roleRecord } from './record.js';
import { RolesController } from './roles.js';

/** A definition with another value in each declared field. @param seed others for each number */
const sample = (seed: number): DefinitionInput => {
  let count = seed;
  const of = (schema: TSchema, name = ''): unknown => {
    if (name === 'reminderDays') return [1 + seed, 2 + seed];
    if (name === 'answerPauseMs') return 1_000 + seed;
    if (name === 'aiPolicy') return AI_POLICIES[seed % AI_POLICIES.length];
    if (Type.IsArray(schema)) return [of(schema.items), of(schema.items)];
    if (Type.IsObject(schema))
      return Object.fromEntries(
        Object.entries(schema.properties).flatMap(([key, field]) =>
          key === 'id' ? [] : [[key, of(field, key)]],
        ),
      );
    if ('anyOf' in schema) return of((schema.anyOf as readonly TSchema[])[0]!);
    count += 1;
    if (name === 'category') return CATEGORIES[count % CATEGORIES.length];
    const { type } = schema as { readonly type: string | readonly string[] };
    return [type].flat().includes('integer') ? count : `${name} ${count}`;
  };
  return of(RoleDefinition) as DefinitionInput;
};

/** A value with `null` in some of the places where its schema allows it. */
const withNulls = (schema: TSchema, value: unknown, isNull: () => boolean): unknown => {
  const { type, anyOf } = schema as { readonly type?: string | readonly string[]; anyOf?: TSchema[] };
  if ((anyOf !== undefined || [type].flat().includes('null')) && isNull()) return null;
  const whole = anyOf?.[0] ?? schema;
  if (Type.IsArray(whole))
    return (value as readonly unknown[]).map((item) => withNulls(whole.items, item, isNull));
  if (!Type.IsObject(whole)) return value;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, part]) => [
      name,
      withNulls(whole.properties[name]!, part, isNull),
    ]),
  );
};

const ids = ['01a1ff15-0000-7000-8000-000000000001', '01a1ff15-0000-7000-8000-000000000002'];
const withIds = (definition: DefinitionInput) => ({
  ...definition,
  dimensions: definition.dimensions.map((dimension, index) => ({ id: ids[index], ...dimension })),
});
const created = (definition: DefinitionInput) =>
  createRole(null, { organisationId: 'o', roleId: 'r', definition, dimensionIds: ids });
const updated = (state: Role, definition: DefinitionInput) =>
  updateRole(state, { definition, dimensionIds: ids, expectedVersion: null });

const definitionIn = (event: RoleEvent | undefined) =>
  event && 'definition' in event.data ? event.data.definition : undefined;

const USES = { scorer: { kind: 'rubric' }, checker: { kind: 'none' } } as const;

/** The record that the write side and the view have of a role. */
const recordsAfter = (...events: readonly RoleEvent[]) => {
  const all = events.map((event) => stored(event));
  const state = all.reduce(role.evolve, null)!;
  const document = all.reduce(roles.evolve, roles.initial('r'));
  return { state, records: [roleRecord(state, 'r', [], USES), roleRecord(document, 'r', [], USES)] };
};

describe('every declared field of a role', () => {
  const first = eventsOf(created(validated(CreateRoleDto, sample(0)) as DefinitionInput));

  it('is kept when a role is created: in the event, in its order, in the view and in the record', () => {
    expect(JSON.stringify(definitionIn(first[0]))).toBe(JSON.stringify(withIds(sample(0))));
    for (const record of recordsAfter(...first).records) expect(record).toMatchObject(withIds(sample(0)));
  });

  it('is kept when a role is replaced', () => {
    const { state } = recordsAfter(...first);
    const body = validated(UpdateRoleDto, sample(20)) as DefinitionInput;
    const second = eventsOf(updated(state, body));
    expect(JSON.stringify(definitionIn(second[0]))).toBe(JSON.stringify(withIds(sample(20))));
    for (const record of recordsAfter(...first, ...second).records)
      expect(record).toMatchObject(withIds(sample(20)));
  });

  it('is in the document of each route', () => {
    // Records have `null` for what is absent.
    const fields = { ...RoleDefinition.properties, aiPolicy: Nullable(AI_POLICY) };
    const { create, list, read, update } = RolesController.prototype;
    for (const route of [create, read, update]) {
      const operation = operationOf(route);
      expect(operation && operation.success.schema).toMatchObject({ properties: fields });
    }
    const page = operationOf(list);
    expect(page && page.success.schema).toMatchObject({
      properties: { items: { items: { properties: fields } } },
    });
  });

  it('goes back as the record has it, whichever is null, and changes nothing', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (coins) => {
        const definition = withNulls(
          RoleDefinition,
          sample(0),
          () => coins.next().value === true,
        ) as DefinitionInput;
        const { state, records } = recordsAfter(...eventsOf(created(validated(CreateRoleDto, definition))));
        for (const record of records) {
          const body = Object.fromEntries(
            Object.entries(record).filter(([field]) => field in RoleDefinition.properties),
          );
          expect(body).toMatchObject(definition);
          expect(eventsOf(updated(state, validated(UpdateRoleDto, body)))).toEqual([]);
        }
      }),
    );
  });

  it('that an input may leave out is absent then, or as it was', () => {
    const { state } = recordsAfter(...first);
    const { name, overallThreshold, dimensions } = sample(0);
    const least = {
      name,
      overallThreshold,
      dimensions: dimensions.map((one) => ({ name: one.name, weight: one.weight, category: one.category })),
    };
    const cleared = least.dimensions.map((one, index): Dimension => ({
      ...{ id: ids[index]!, ...one },
      threshold: null,
      rubric: null,
    }));
    const [made] = eventsOf(created(validated(CreateRoleDto, least)));
    expect(definitionIn(made)).toEqual({
      ...{ ...least, dimensions: cleared, ticketIds: [], questions: [] },
      ...DEFINITION_DEFAULTS,
    });
    const [changed] = eventsOf(updated(state, validated(UpdateRoleDto, least)));
    expect(definitionIn(changed)).toEqual({ ...state.definition, dimensions: cleared });
    const [without] = eventsOf(updated(state, validated(UpdateRoleDto, { ...least, aiPolicy: null })));
    expect(definitionIn(without)).not.toHaveProperty('aiPolicy');
  });
});

describe('an update', () => {
  const careful = { name: 'Care', weight: 100, category: 'process' };
  const body = { name: 'Engineer', overallThreshold: 70, dimensions: [careful] };
  const dimension = (change: object) => ({ dimensions: [{ ...careful, ...change }] });
  const edges = (min: number, max: number, of: (value: number) => object) =>
    [min - 1, min, min + 0.5, max, max + 1].map(of);
  const changes: readonly object[] = [
    ...['', ' \n\t\u2003', 'x'].flatMap((text) => [
      { name: text },
      dimension({ name: text }),
      { notice: { version: text, text: 'It is recorded.' } },
      { notice: { version: '1', text } },
    ]),
    ...edges(0, 100, (overallThreshold) => ({ overallThreshold })),
    ...edges(0, 100, (weight) => dimension({ weight })),
    ...edges(0, 100, (threshold) => dimension({ threshold })),
    ...['process', 'correctness', 'Process'].map((category) => dimension({ category })),
    { dimensions: [] },
    ...edges(1, 10_080, (timeFrameMinutes) => ({ timeFrameMinutes })),
    ...edges(1, 30, (day) => ({ reminderDays: [7, day] })),
    ...edges(500, 10_000, (answerPauseMs) => ({ answerPauseMs })),
  ];

  it.each(changes.map((change) => [JSON.stringify(change), change] as const))(
    'is taken exactly if it makes a role ready: %s',
    (_, change) => {
      const changed = { ...body, ...change };
      const check = () => validated(UpdateRoleDto, changed);
      if (readiness(changed) === 'ready') expect(check).not.toThrow();
      else expect(check).toThrow();
    },
  );
});
