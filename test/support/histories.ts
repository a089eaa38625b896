import * as fc from 'fast-check';
import type { Stored } from '../../src/core/event.js';
import { type Action, actions } from './histories/actions.js';
import { Hiring } from './histories/hiring.js';

/** What happened to a service over some time, as its log has it: every event came out of a decider. */
export type History = readonly Stored[];

/**
 * Random but valid histories of a few organisations: members come and go, roles are renamed, candidates are invited
 * again, sessions end in every way, evaluations are repeated, outcomes corrected and retracted, candidates erased and
 * invited once more, and many commands are sent twice.
 */
export const histories = (options: { readonly maxActions?: number } = {}): fc.Arbitrary<History> =>
  fc.array(actions, { minLength: 30, maxLength: options.maxActions ?? 150, size: 'max' }).map((sequence) => {
    const history = play(sequence);
    // A counterexample is read as what was done; the log that it leads to fills screens.
    Object.defineProperty(history, fc.toStringMethod, { value: () => JSON.stringify(sequence) });
    return history;
  });

/** An organisation with two roles that can be invited to: without them nothing else comes about. */
const OPENING: readonly Action[] = [
  { name: 'organisation', minutes: 0, twice: false },
  { name: 'role', pick: 0, value: 1, minutes: 1, twice: false },
  { name: 'role', pick: 0, value: 2, minutes: 1, twice: false },
];

/** The history that actions lead to. */
const play = (sequence: readonly Action[]): History => {
  const hiring = new Hiring();
  for (const action of OPENING) hiring.perform(action);
  for (const action of sequence) hiring.perform(action);
  return hiring.world.log;
};

/** Personal text in generated histories carries this, so that a leak can be seen. */
export { SECRET } from './histories/world.js';

/** The history as it reads once these persons' data (all, unless given) can no longer be read. */
export const unreadable = (history: History, persons?: ReadonlySet<string>): History =>
  history.map((event) =>
    event.person !== null && (persons?.has(event.person) ?? true) ? { ...event, personal: null } : event,
  );
