import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../core/decider.js';
import type { Dimension, PlannedQuestion, RoleDefinition, RoleStatus } from './events.js';

/** A dimension as a body gives it. `id` counts on update alone. */
export interface DimensionInput {
  readonly id?: string | undefined;
  readonly name: string;
  readonly weight: number;
  readonly category: string;
  readonly threshold?: number | null | undefined;
  readonly rubric?: string | null | undefined;
}

/** A role's definition as a body gives it: its JSON types are checked, the update rules are not. */
export interface DefinitionInput {
  readonly name: string;
  readonly overallThreshold: number;
  readonly dimensions: readonly DimensionInput[];
  readonly ticketIds?: readonly string[] | undefined;
  readonly questions?:
    readonly { readonly text: string; readonly dimensionName?: string | null | undefined }[] | undefined;
}

/**
 * The largest definition that is kept: characters of each text, items of each list. Creation keeps to them too: sizes
 * are all that it refuses beside wrong JSON types.
 */
export const DEFINITION_LIMITS = {
  name: 200,
  category: 100,
  rubric: 4_000,
  dimensions: 100,
  ticketId: 200,
  ticketIds: 200,
  question: 2_000,
  questions: 100,
} as const;

/**
 * Most bytes of a definition as JSON. Each invitation keeps the definition that it was sent with, and states in memory
 * hold it, so the largest of every field at once would be too much.
 */
export const MAX_DEFINITION_BYTES = 64 * 1024;

const weights = new WeakMap<RoleDefinition, number>();

/** Roughly how many bytes a definition takes in memory. */
export const weightOf = (definition: RoleDefinition): number => {
  let weight = weights.get(definition);
  if (weight === undefined) weights.set(definition, (weight = JSON.stringify(definition).length));
  return weight;
};

/** What is wrong with a definition's size as a whole. */
export const sizeProblems = (definition: RoleDefinition): readonly Problem[] => {
  if (Buffer.byteLength(JSON.stringify(definition)) <= MAX_DEFINITION_BYTES) return [];
  const message = `The definition must have at most ${MAX_DEFINITION_BYTES} bytes as JSON.`;
  return [{ path: '', rule: 'maxBytes', message }];
};

export const CATEGORIES = ['process', 'correctness'] as const;

/** `ready` once a definition satisfies the update rules. */
export const readiness = (definition: DefinitionInput): RoleStatus =>
  definitionProblems(definition).length === 0 ? 'ready' : 'draft';

/** Every field that breaks an update rule. */
export const definitionProblems = (definition: DefinitionInput): readonly Problem[] => [
  ...nameProblems('name', definition.name),
  ...percentProblems('overallThreshold', definition.overallThreshold),
  ...(definition.dimensions.length > 0
    ? []
    : [{ path: 'dimensions', rule: 'minItems', message: 'dimensions needs at least one item.' }]),
  ...definition.dimensions.flatMap((dimension, index) =>
    dimensionProblems(`dimensions[${index}]`, dimension),
  ),
];

const dimensionProblems = (
  path: string,
  { name, weight, category, threshold }: DimensionInput,
): Problem[] => [
  ...nameProblems(`${path}.name`, name),
  ...percentProblems(`${path}.weight`, weight),
  ...(CATEGORIES.some((allowed) => allowed === category)
    ? []
    : [
        {
          path: `${path}.category`,
          rule: 'oneOf',
          message: `${path}.category must be one of ${CATEGORIES.join(', ')}.`,
        },
      ]),
  ...percentProblems(`${path}.threshold`, threshold ?? 0),
];

const nameProblems = (path: string, name: string): Problem[] =>
  /\S/u.test(name)
    ? []
    : [{ path, rule: 'notBlank', message: `${path} needs at least one character that is not white space.` }];

const percentProblems = (path: string, value: number): Problem[] =>
  Number.isInteger(value) && value >= 0 && value <= 100
    ? []
    : [{ path, rule: 'range', message: `${path} must be a whole number from 0 to 100.` }];

/** A dimension once its id is settled; what was left out is absent. */
export const toDimension = (id: string, input: DimensionInput): Dimension => ({
  id,
  name: input.name,
  weight: input.weight,
  category: input.category,
  threshold: input.threshold ?? null,
  rubric: input.rubric ?? null,
});

export const toQuestions = (
  questions: NonNullable<DefinitionInput['questions']>,
): readonly PlannedQuestion[] =>
  questions.map(({ text, dimensionName }) => ({ text, dimensionName: dimensionName ?? null }));

/** Whether two definitions are equal in every field, whatever the order of their keys. */
export const sameDefinition = (a: RoleDefinition, b: RoleDefinition): boolean => isDeepStrictEqual(a, b);
