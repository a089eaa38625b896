import { isDeepStrictEqual } from 'node:util';
import type { Decider, Decision, Problem } from '../../core/decider.js';
import { accept, refuse, refuseInvalid, staleVersion } from '../../core/decider.js';
import { type TSchema, Type } from '../../core/json-schema.js';
import { areLarger } from '../../core/json.js';
import {
  ANSWER_PAUSE_MS,
  CATEGORIES,
  DEFINITION_DEFAULTS,
  DEFINITION_LIMITS,
  type Dimension,
  MAX_DEFINITION_BYTES,
  type PartialDefinition,
  PERCENT,
  type Range,
  REMINDER_DAYS,
  RoleDefinition,
  roleEvent,
  type RoleEvent,
  type RoleStatus,
  TIME_FRAME_MINUTES,
} from './events.js';

/** An assessment role as its stream has it. */
export interface Role {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
  /** The time since which candidates can no longer be invited to it; `null` if it is not archived. */
  readonly archivedAt: string | null;
  /** Events that changed the role. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `null` until it is created. */
export type RoleState = Role | null;

/** Folds the stream `role-<roleId>`. */
export const role: Decider<RoleState, RoleEvent> = {
  kind: 'role',
  initial: null,
  evolve(state, event) {
    const { recordedAt } = event.metadata;
    if (event.type === 'role.created')
      return {
        ...event.data,
        archivedAt: null,
        version: 1,
        createdAt: recordedAt,
        updatedAt: recordedAt,
      };
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    const after = { ...state, ...event.data, version: state.version + 1, updatedAt: recordedAt };
    if (event.type === 'role.updated') return after;
    return { ...after, archivedAt: event.type === 'role.archived' ? recordedAt : null };
  },
};

/** The fields that an input may leave out: what may be `null` or missing, and lists. */
type Omissible<T> = {
  [Key in keyof T]-?: null extends T[Key]
    ? Key
    : undefined extends T[Key]
      ? Key
      : NonNullable<T[Key]> extends readonly unknown[]
        ? Key
        : never;
}[keyof T];

type Input<T> = T extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : T extends object
    ? { readonly [Key in Exclude<keyof T, Omissible<T>>]: Input<T[Key]> } & {
        readonly [Key in Omissible<T>]?: Input<T[Key]> | undefined;
      }
    : T;

/** A dimension as a body gives it. Only an update reads `id`. */
export type DimensionInput = Input<Omit<Dimension, 'id'>> & { readonly id?: string | undefined };

/** A role's definition as a body gives it: its JSON types are checked, the update rules are not. */
export type DefinitionInput = Omit<Input<PartialDefinition>, 'dimensions'> & {
  readonly dimensions: readonly DimensionInput[];
};

type Fields = Readonly<Record<string, unknown>>;

/** The record that a schema allows beside `null`. */
const recordIn = (schema: TSchema): TSchema | undefined =>
  'anyOf' in schema ? (schema.anyOf as readonly TSchema[]).find((one) => Type.IsObject(one)) : undefined;

type Complete = (input: unknown, kept?: Fields) => unknown;

/**
 * A function that completes an input by a schema. It returns every declared field, in the order of its declaration: a
 * field that the input leaves out is as in `kept`, else `null` or an empty list. An optional field has no `null`.
 */
const completing = (schema: TSchema): Complete => {
  if (Type.IsArray(schema)) {
    const item = completing(schema.items);
    return (input) => ((input ?? []) as readonly unknown[]).map((one) => item(one));
  }
  const record = recordIn(schema);
  if (record) {
    const whole = completing(record);
    return (input) => (input == null ? null : whole(input));
  }
  if (!Type.IsObject(schema)) return (input) => input ?? null;
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => [name, completing(field), Type.IsOptional(field)] as const,
  );
  return (input, kept = {}) => {
    const given = input as Fields;
    const whole: Record<string, unknown> = {};
    for (const [name, complete, isOptional] of fields) {
      const value = given[name] === undefined ? kept[name] : given[name];
      if (!isOptional || value != null) whole[name] = complete(value);
    }
    return whole;
  };
};

const complete = completing(RoleDefinition);

/** The definition that an input gives, its dimensions with their ids; what it leaves out is as in `kept`. */
const definitionOf = (
  input: DefinitionInput,
  dimensions: readonly Required<Pick<DimensionInput, 'id'>>[],
  kept: Partial<RoleDefinition>,
): RoleDefinition => complete({ ...input, dimensions }, kept) as RoleDefinition;

export interface CreateRole {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: DefinitionInput;
  /** A new id for each dimension, by its place in the definition. */
  readonly dimensionIds: readonly string[];
}

/** The organisation has no role with that id. */
export const NO_ROLE = refuse('not_found', 'There is no such role.');

/** Takes any definition: one that breaks the update rules makes a draft, to which no candidate can be invited. */
export const createRole = (state: RoleState, input: CreateRole): Decision<RoleEvent> => {
  if (state !== null) return refuse('conflict', 'There is a role by that id already.');
  const { organisationId, roleId, dimensionIds } = input;
  const dimensions = input.definition.dimensions.map((dimension, index) => ({
    ...dimension,
    id: newId(dimensionIds, index),
  }));
  const definition = definitionOf(input.definition, dimensions, DEFINITION_DEFAULTS);
  const tooLarge = sizeProblems(definition);
  if (tooLarge.length > 0) return refuseInvalid(tooLarge);
  const status = readiness(definition);
  return accept(roleEvent('role.created', { organisationId, roleId, definition, status }));
};

const COPY = ' (copy)';

/** The name of a role that was made from the one of this name, unless another is given. */
export const nameOfCopy = (name: string): string =>
  `${Array.from(name)
    .slice(0, DEFINITION_LIMITS.name - COPY.length)
    .join('')}${COPY}`;

export interface UpdateRole {
  readonly definition: DefinitionInput;
  /** A new id for each dimension, by its place in the definition, for those that keep none. */
  readonly dimensionIds: readonly string[];
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/**
 * Replaces the definition under the update rules. Of what is left out, a field of the role stays (`ticketIds`,
 * `instructions`), a field of a dimension is cleared (`rubric`). What stays must satisfy the rules too: a draft may break
 * them.
 */
export const updateRole = (state: RoleState, input: UpdateRole): Decision<RoleEvent> => {
  if (state === null) return NO_ROLE;
  const stale = staleVersion(input.expectedVersion, state.version);
  if (stale) return stale;
  const dimensions = withIds(state.definition.dimensions, input);
  const definition = definitionOf(input.definition, dimensions, state.definition);
  const missing = missingIn(definition);
  if (missing.length > 0) return refuseInvalid(missing);
  const problems = idProblems(state.definition.dimensions, input.definition.dimensions);
  if (problems.length > 0) return refuseInvalid(problems);
  if (sameDefinition(definition, state.definition)) return accept();
  const tooLarge = sizeProblems(definition);
  if (tooLarge.length > 0) return refuseInvalid(tooLarge);
  const { organisationId, roleId } = state;
  return accept(roleEvent('role.updated', { organisationId, roleId, definition, status: 'ready' }));
};

export interface ArchiveRole {
  /** `false`: it is to be in use again. */
  readonly archived: boolean;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** Archives a role, or takes it out of the archive. Its definition and status stay. Open applications continue. */
export const archiveRole = (state: RoleState, input: ArchiveRole): Decision<RoleEvent> => {
  if (state === null) return NO_ROLE;
  const stale = staleVersion(input.expectedVersion, state.version);
  if (stale) return stale;
  if (input.archived === (state.archivedAt !== null)) return accept();
  const { organisationId, roleId } = state;
  const type = input.archived ? 'role.archived' : 'role.unarchived';
  return accept(roleEvent(type, { organisationId, roleId }));
};

/** Whether two definitions are equal in every field, whatever the order of their keys. */
export const sameDefinition = (a: RoleDefinition, b: RoleDefinition): boolean => isDeepStrictEqual(a, b);

/** Given ids must be the role's own, each at most once. */
const idProblems = (
  current: readonly Dimension[],
  given: DefinitionInput['dimensions'],
): readonly Problem[] => {
  const own = new Set(current.map(({ id }) => id));
  const seen = new Set<string>();
  return given.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    const path = `dimensions[${index}].id`;
    if (!own.has(id)) return [{ path, rule: 'known', message: `${path} is not a dimension of this role.` }];
    if (seen.has(id))
      return [{ path, rule: 'unique', message: `${path} is the id of another dimension given here.` }];
    seen.add(id);
    return [];
  });
};

/** A dimension without an id keeps that of the first one of its name, so that a rewrite does not orphan scores. */
const withIds = (current: readonly Dimension[], input: UpdateRole) => {
  const given = input.definition.dimensions;
  const taken = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  // Of several dimensions with one name the first counts, so it is entered last.
  const byName = new Map(current.toReversed().map(({ name, id }) => [name, id]));
  return given.map((dimension, index) => {
    const namesake = byName.get(dimension.name);
    const kept = dimension.id ?? (namesake === undefined || taken.has(namesake) ? undefined : namesake);
    const id = kept ?? newId(input.dimensionIds, index);
    taken.add(id);
    return { ...dimension, id };
  });
};

const newId = (ids: readonly string[], index: number): string => {
  const id = ids[index];
  if (id === undefined) throw new Error('Fewer new ids than dimensions.');
  return id;
};

/** What is wrong with a definition's size as a whole. */
const sizeProblems = (definition: RoleDefinition): readonly Problem[] => {
  if (!areLarger([definition], MAX_DEFINITION_BYTES)) return [];
  const message = `The definition must have at most ${MAX_DEFINITION_BYTES} bytes as JSON.`;
  return [{ path: '', rule: 'maxBytes', message }];
};

/** `ready` once a definition satisfies the update rules. `missingIn` has the rules that it breaks. */
export const readiness = (definition: DefinitionInput): RoleStatus =>
  missingIn(definition).length === 0 ? 'ready' : 'draft';

/** What a draft lacks to be ready: each update rule that a definition breaks, in the order of its fields. */
export const missingIn = (definition: DefinitionInput): readonly Problem[] => {
  const { name, overallThreshold, dimensions, timeFrameMinutes, reminderDays, answerPauseMs, notice } =
    definition;
  return [
    ...textIn('name', name),
    ...numberIn('overallThreshold', PERCENT, overallThreshold),
    ...(dimensions.length > 0
      ? dimensions.flatMap(missingInDimension)
      : [{ path: 'dimensions', rule: 'minItems', message: 'dimensions must have at least one dimension.' }]),
    ...numberIn('timeFrameMinutes', TIME_FRAME_MINUTES, timeFrameMinutes),
    ...(notice ? [...textIn('notice.version', notice.version), ...textIn('notice.text', notice.text)] : []),
    ...(reminderDays ?? []).flatMap((days, index) => numberIn(`reminderDays[${index}]`, REMINDER_DAYS, days)),
    ...numberIn('answerPauseMs', ANSWER_PAUSE_MS, answerPauseMs),
  ];
};

const missingInDimension = (
  { name, weight, category, threshold }: DimensionInput,
  index: number,
): readonly Problem[] => {
  const at = `dimensions[${index}]`;
  const isKnown = CATEGORIES.some((allowed) => allowed === category);
  const unknown = `${at}.category must be one of: ${CATEGORIES.join(', ')}.`;
  return [
    ...textIn(`${at}.name`, name),
    ...numberIn(`${at}.weight`, PERCENT, weight),
    ...(isKnown ? [] : [{ path: `${at}.category`, rule: 'oneOf', message: unknown }]),
    ...numberIn(`${at}.threshold`, PERCENT, threshold),
  ];
};

const textIn = (path: string, text: string): readonly Problem[] =>
  /\S/u.test(text) ? [] : [{ path, rule: 'notBlank', message: `${path} must not be blank.` }];

/** It must be a whole number of the range, or left out. */
const numberIn = (path: string, { min, max }: Range, value: number | null | undefined): readonly Problem[] =>
  value == null || (Number.isInteger(value) && value >= min && value <= max)
    ? []
    : [{ path, rule: 'range', message: `${path} must be a whole number from ${min} to ${max}.` }];
