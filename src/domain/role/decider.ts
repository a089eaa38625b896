import type { Decider, Decision, Problem } from '../../core/decider.js';
import { accept, refuse, refuseInvalid, staleVersion } from '../../core/decider.js';
import {
  type DefinitionInput,
  definitionProblems,
  readiness,
  sameDefinition,
  sizeProblems,
  toDimension,
  toQuestions,
  weightOf,
} from './definition.js';
import type { Dimension, RoleDefinition, RoleEvent, RoleStatus } from './events.js';

/** An assessment role as its stream has it. */
export interface Role {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
  /** Events that changed the role. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `null` until it is created. */
export type RoleState = Role | null;

export const role: Decider<RoleState, RoleEvent> = {
  kind: 'role',
  initial: null,
  weigh: (state) => (state === null ? 0 : weightOf(state.definition)),
  evolve(state, event) {
    const { recordedAt } = event.metadata;
    if (event.type === 'role.created')
      return { ...event.data, version: 1, createdAt: recordedAt, updatedAt: recordedAt };
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    return { ...state, ...event.data, version: state.version + 1, updatedAt: recordedAt };
  },
};

export interface CreateRole {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: DefinitionInput;
  /** A new id for each dimension, by its place in the definition. */
  readonly dimensionIds: readonly string[];
}

/** Takes any definition: one that breaks the update rules makes a draft, which nobody can be invited to. */
export const createRole = (state: RoleState, input: CreateRole): Decision<RoleEvent> => {
  if (state !== null) return refuse('conflict', 'There is a role by that id already.');
  const { organisationId, roleId, dimensionIds } = input;
  const definition: RoleDefinition = {
    name: input.definition.name,
    overallThreshold: input.definition.overallThreshold,
    dimensions: input.definition.dimensions.map((dimension, index) =>
      toDimension(newId(dimensionIds, index), dimension),
    ),
    ticketIds: input.definition.ticketIds ?? [],
    questions: toQuestions(input.definition.questions ?? []),
  };
  const tooLarge = sizeProblems(definition);
  if (tooLarge.length > 0) return refuseInvalid(tooLarge);
  return accept<RoleEvent>({
    type: 'role.created',
    data: { organisationId, roleId, definition, status: readiness(definition) },
    person: null,
    personal: null,
  });
};

export interface UpdateRole {
  readonly definition: DefinitionInput;
  /** A new id for each dimension, by its place in the definition, for those that keep none. */
  readonly dimensionIds: readonly string[];
  readonly expectedVersion: number | null;
}

/** Replaces the definition under the update rules; left out, `ticketIds` and `questions` stay, a `rubric` goes. */
export const updateRole = (state: RoleState, input: UpdateRole): Decision<RoleEvent> => {
  if (state === null) return refuse('not_found', 'There is no such role.');
  const stale = staleVersion(input.expectedVersion, state.version);
  if (stale) return stale;
  const problems = [
    ...definitionProblems(input.definition),
    ...idProblems(state.definition.dimensions, input.definition.dimensions),
  ];
  if (problems.length > 0) return refuseInvalid(problems);
  const definition: RoleDefinition = {
    name: input.definition.name,
    overallThreshold: input.definition.overallThreshold,
    dimensions: withIds(state.definition.dimensions, input),
    ticketIds: input.definition.ticketIds ?? state.definition.ticketIds,
    questions: input.definition.questions
      ? toQuestions(input.definition.questions)
      : state.definition.questions,
  };
  if (sameDefinition(definition, state.definition)) return accept();
  const tooLarge = sizeProblems(definition);
  if (tooLarge.length > 0) return refuseInvalid(tooLarge);
  return accept<RoleEvent>({
    type: 'role.updated',
    data: { organisationId: state.organisationId, roleId: state.roleId, definition, status: 'ready' },
    person: null,
    personal: null,
  });
};

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
    if (!own.has(id)) return [{ path, rule: 'known', message: `${path} is no dimension of this role.` }];
    if (seen.has(id))
      return [{ path, rule: 'unique', message: `${path} is the id of another dimension given here.` }];
    seen.add(id);
    return [];
  });
};

/** A dimension without an id keeps that of the first one of its name, so that a rewrite does not orphan scores. */
const withIds = (current: readonly Dimension[], input: UpdateRole): readonly Dimension[] => {
  const given = input.definition.dimensions;
  const taken = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  // The first of a name is the one that counts, so it is entered last.
  const byName = new Map(current.toReversed().map(({ name, id }) => [name, id]));
  return given.map((dimension, index) => {
    const namesake = byName.get(dimension.name);
    const kept = dimension.id ?? (namesake === undefined || taken.has(namesake) ? undefined : namesake);
    const id = kept ?? newId(input.dimensionIds, index);
    taken.add(id);
    return toDimension(id, dimension);
  });
};

const newId = (ids: readonly string[], index: number): string => {
  const id = ids[index];
  if (id === undefined) throw new Error('Fewer new ids than dimensions.');
  return id;
};
