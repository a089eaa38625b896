import { isDeepStrictEqual } from 'node:util';
import { type Dimension, RoleDefinition } from './events.js';

/** One part of a definition that differs between two versions of a role. */
export interface RoleChange {
  /** As in `overallThreshold`, `notice.text` or, of the dimension that `dimensionName` names, `dimensions.weight`. */
  readonly path: string;
  /** Its name in the later version, or in the former if it is gone; `null`: the part belongs to no dimension. */
  readonly dimensionName: string | null;
  /** `null`: there was none. */
  readonly before: unknown;
  /** `null`: there is none any more. */
  readonly after: unknown;
}

/**
 * The changes from one definition of a role to a later one, in the order of its fields. Dimensions are compared by id:
 * a new name is a change of a dimension. If those that stay are in another order, one change has their names in the
 * former order and in the new one.
 */
export const changesBetween = (before: RoleDefinition, after: RoleDefinition): readonly RoleChange[] =>
  (Object.keys(RoleDefinition.properties) as (keyof RoleDefinition)[]).flatMap((field) =>
    field === 'dimensions'
      ? dimensionChanges(before.dimensions, after.dimensions)
      : changesIn(field, null, before[field] ?? null, after[field] ?? null),
  );

/** The parts of a value that differ. The records that it consists of must have the same fields before and after. */
const changesIn = (
  path: string,
  dimensionName: string | null,
  before: unknown,
  after: unknown,
): readonly RoleChange[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ path, dimensionName, before, after }];
  return Object.keys(after).flatMap((name) =>
    changesIn(`${path}.${name}`, dimensionName, before[name], after[name]),
  );
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const dimensionChanges = (
  before: readonly Dimension[],
  after: readonly Dimension[],
): readonly RoleChange[] => {
  const path = 'dimensions';
  const former = new Map(before.map((one) => [one.id, one]));
  const later = new Map(after.map((one) => [one.id, one]));
  const gone = before
    .filter(({ id }) => !later.has(id))
    .map((one) => ({ path, dimensionName: one.name, before: one, after: null }));
  const changed = after.flatMap((one) => changesIn(path, one.name, former.get(one.id) ?? null, one));
  // By their later names, so that a new name alone does not count as another order.
  const namesIn = (order: readonly Dimension[]) =>
    order.flatMap(({ id }) => (former.has(id) ? (later.get(id)?.name ?? []) : []));
  const moved = changesIn(path, null, namesIn(before), namesIn(after));
  return [...gone, ...changed, ...moved];
};
