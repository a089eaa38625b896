import type { Command } from 'commander';
import { formerViews, views } from '../../../projections/index.js';
import { type Position, START } from '../../core/event-store.js';
import { editDistance } from '../../core/text.js';
import { assignEvents } from '../../engine/fold/assign-events.js';
import { folds } from '../../engine/generations/generations.js';
import type { Batch } from '../../engine/live/feed.js';
import { SharedEvent } from '../../engine/live/ring.js';
import type { AnyView } from '../../engine/view.js';
import type { Stores } from '../../process/stores.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';

/**
 * One view by its name, or all of them. Ends the command with exit code 2 if there is no such view, or if neither or both
 * were given.
 */
export const viewsNamed = (command: Command, name: string | undefined, all: boolean): readonly AnyView[] => {
  if (name !== undefined && all) command.error('error: name a view or pass --all, not both.');
  if (name === undefined && !all) command.error('error: name a view, or pass --all.');
  return name === undefined ? views : [viewNamed(command, name)];
};

/** The view of that name. Ends the command with exit code 2 if there is none. */
export const viewNamed = (command: Command, name: string): AnyView => {
  const view = views.find((one) => one.name === name);
  return (
    view ??
    command.error(
      `error: ${noSuchView(
        name,
        views.map((one) => one.name),
      )}`,
    )
  );
};

/** A sentence for a name that no view has, with a guess at the one that was meant. */
export const noSuchView = (name: string, known: readonly string[]): string => {
  // A generation's name begins with its view's.
  const guess = didYouMean(name.split('.')[0] ?? '', known);
  return `there is no view ${JSON.stringify(name)}.${guess} The views are: ${known.join(', ')}.`;
};

/** A question with the name that is closest to a misspelt one, after a sentence; empty: none is close. */
export const didYouMean = (name: string, known: readonly string[]): string => {
  const near = nearest(name.toLowerCase(), known);
  return near === null ? '' : ` Did you mean ${near}?`;
};

/** The name that is closest to a misspelt one; `null`: none is close. */
const nearest = (name: string, known: readonly string[]): string | null => {
  const beginning = known.filter((one) => name.length > 1 && one.startsWith(name));
  if (beginning.length === 1) return beginning[0] ?? null;
  const [best] = known
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, name.length / 3) ? best.one : null;
};

/** A generation and the code of this program that folds it. */
export interface Foldable {
  readonly generation: Generation;
  readonly view: AnyView;
}

/** A sentence for a view without a generation. */
export const neverBuilt = (view: string): string =>
  `"${view}" was never built: start the service, or a projector, once.`;

/** @throws {OperatorError} there is none yet */
export const pointerOf = async (
  { pointers }: Pick<ReadStore, 'pointers'>,
  view: string,
): Promise<Pointer> => {
  const pointer = await pointers.get(view);
  if (pointer !== null) return pointer;
  throw new OperatorError(neverBuilt(view));
};

/** A generation's name without its view's, for tables that name the view beside it. */
export const shortName = (view: string, generation: string): string =>
  generation.startsWith(`${view}.`) ? generation.slice(view.length + 1) : generation;

/**
 * A generation by what it is to the view (`live`, `next`, `former`) or by its name, which may be the short one.
 * @throws {CalledWrongly} the view's pointer names no such one
 */
export const generationNamed = (view: string, pointer: Pointer, name: string): Generation => {
  const { live, next, former } = pointer;
  const roles = { live, next: next?.generation ?? null, former: former?.generation ?? null };
  const known = Object.entries(roles).flatMap(([role, generation]) =>
    generation ? [{ role, generation }] : [],
  );
  const found = known.find(
    ({ role, generation }) => role === name || shortName(view, generation.name) === shortName(view, name),
  );
  if (found) return found.generation;
  const names = known.map(({ role, generation }) => `${generation.name} (${role})`).join(', ');
  const guess = didYouMean(
    name,
    known.flatMap(({ role, generation }) => [role, generation.name]),
  );
  throw new CalledWrongly(`"${view}" has no generation ${JSON.stringify(name)}; it has ${names}.${guess}`);
};

/** This program's code that folds a generation; `null`: it has none. */
export const codeOf = (view: string, generation: Generation): AnyView | null =>
  [...views, ...formerViews].find((one) => one.name === view && folds(one, generation)) ?? null;

/** @throws {OperatorError} another version of this program made it */
export const foldable = (view: string, generation: Generation): Foldable => {
  const code = codeOf(view, generation);
  if (code) return { generation, view: code };
  throw new OperatorError(
    `${generation.name} was built by another version of this program: run that version.`,
  );
};

/**
 * Why this program's code cannot fold past `position`: the next event is of a newer version, cannot be read, or belongs to
 * no document.
 * @returns a sentence; `null`: it can
 */
export const blockedBy = async (
  { eventStore, codec }: Pick<Stores, 'eventStore' | 'codec'>,
  view: AnyView,
  position: Position,
  skipped: ReadonlySet<string>,
): Promise<string | null> => {
  const after = position === START ? {} : { after: position };
  for await (const recorded of eventStore.readAll({ ...after, limit: 1 })) {
    const event = new SharedEvent(recorded, codec);
    const batch: Batch = { events: [event], position: event.position, more: false };
    const share = { view, handled: new Set(view.handles), index: 0, count: 1 };
    const rules = { strict: false, skipped };
    const { blocked } = await assignEvents({ ...share, rules }, batch, position);
    if (blocked?.kind === 'stopped')
      return `It stopped at the event ${event.id} (position ${event.position}): ${blocked.message}`;
  }
  return null;
};
