import * as fc from 'fast-check';
import type { Stored } from '../../src/core/event.js';
import { type Action, actions } from './histories/actions.js';
import { Hiring } from './histories/hiring.js';

/** A service's log over some time. Every event was made by a decider. */
export type History = readonly Stored[];

/**
 * Random but valid histories of up to two organisations: members are added and removed, roles renamed, candidates
 * invited again, evaluations repeated, outcomes corrected and retracted, candidates erased and invited again. Sessions
 * end in every way, and many commands are sent twice.
 */
export const histories = (options: { readonly maxActions?: number } = {}): fc.Arbitrary<History> =>
  fc.array(actions, { minLength: 30, maxLength: options.maxActions ?? 150, size: 'max' }).map((sequence) => {
    const history = play(sequence);
    // A counterexample shows its actions: the whole log would fill screens.
    Object.defineProperty(history, fc.toStringMethod, { value: () => JSON.stringify(sequence) });
    return history;
  });

/** Opens an organisation with two roles that take invitations: without them no other action has an effect. */
const OPENING: readonly Action[] = [
  { name: 'organisation', minutes: 0, twice: false },
  { name: 'role', pick: 0, value: 1, minutes: 1, twice: false },
  { name: 'role', pick: 0, value: 2, minutes: 1, twice: false },
];

/** The history of these actions. */
const play = (sequence: readonly Action[]): History => {
  const hiring = new Hiring();
  for (const action of OPENING) hiring.perform(action);
  for (const action of sequence) hiring.perform(action);
  return hiring.world.log;
};

/** Every personal text of a generated history contains this, so that a test can find a leak. */
export { SECRET } from './histories/world.js';

/** The history as it is read once these persons, by default all, are erased. */
export const unreadable = (history: History, persons?: ReadonlySet<string>): History =>
  history.map((event) =>
    event.person !== null && (persons?.has(event.person) ?? true) ? { ...event, personal: null } : event,
  );
