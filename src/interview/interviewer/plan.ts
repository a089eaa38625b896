import type { Dimension, RoleDefinition } from '../../domain/role/events.js';
import { MAX_QUESTION, oneLine, shortened, spokenName } from '../../clients/openai/text.js';
import {
  dimensionAgain,
  dimensionQuestion,
  GENERAL_AGAIN,
  GENERAL_QUESTION,
  greeting,
  ownAgain,
} from './wording.js';

/** A question that every candidate for a role is asked. */
export interface PlannedTurn {
  readonly text: string;
  readonly dimensionIds: readonly string[];
  /** The role's own words; else ours. */
  readonly own: boolean;
  /** The same in other words, for the first and the second clarification. */
  readonly again: readonly [string, string];
}

/**
 * What a role asks, never empty: its own questions in their order, then one for every dimension that none of them
 * names. The first one of all opens the interview.
 */
export const planOf = (role: RoleDefinition): readonly PlannedTurn[] => {
  const own = role.questions
    .map(({ text, dimensionName }) => ({ text: oneLine(text), dimensionName }))
    .filter(({ text }) => text !== '');
  const named = new Set(own.map(({ dimensionName }) => dimensionName));
  const plan = [
    ...own.map(({ text, dimensionName }) => ownTurn(text, dimensionsCalled(role, dimensionName))),
    ...role.dimensions
      .filter(({ name }) => !named.has(name))
      .map((dimension, index) => dimensionTurn(dimension, own.length + index)),
  ];
  return plan.length > 0 ? plan : [GENERAL];
};

/** The interview's opening: what will happen, and the plan's first question. */
export const opening = (role: RoleDefinition, first: PlannedTurn): string => {
  const text = `${greeting(spokenName(role.name))} ${first.text}`;
  return text.length <= MAX_QUESTION ? text : first.text;
};

const GENERAL: PlannedTurn = { text: GENERAL_QUESTION, dimensionIds: [], own: false, again: GENERAL_AGAIN };

const dimensionsCalled = (role: RoleDefinition, name: string | null): readonly string[] =>
  role.dimensions.filter((dimension) => dimension.name === name).map(({ id }) => id);

const ownTurn = (long: string, dimensionIds: readonly string[]): PlannedTurn => {
  const text = shortened(long, MAX_QUESTION);
  const again = (time: number): string => shortened(ownAgain(text, time), MAX_QUESTION);
  return { text, dimensionIds, own: true, again: [again(0), again(1)] };
};

const dimensionTurn = ({ id, name, category }: Dimension, place: number): PlannedTurn => {
  const spoken = spokenName(name);
  return {
    text: dimensionQuestion(category, spoken, place),
    dimensionIds: [id],
    own: false,
    again: [dimensionAgain(category, spoken, place, 0), dimensionAgain(category, spoken, place, 1)],
  };
};
