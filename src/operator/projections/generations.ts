import { formerViews, views } from '../../../projections/index.js';
import { folds } from '../../engine/generations.js';
import type { AnyView } from '../../engine/view.js';
import type { Generation, Pointer, ReadStore } from '../../stores/read-store.js';
import { CalledWrongly, OperatorError } from '../program.js';

/** A generation and the code of this program that folds it. */
export interface Foldable {
  readonly generation: Generation;
  readonly view: AnyView;
}

/** @throws {OperatorError} there is none yet */
export const pointerOf = async (
  { pointers }: Pick<ReadStore, 'pointers'>,
  view: string,
): Promise<Pointer> => {
  const pointer = await pointers.get(view);
  if (pointer !== null) return pointer;
  throw new OperatorError(`"${view}" was never built: start the service, or a projector, once.`);
};

/**
 * A generation by what it is to the view (`live`, `next`, `former`) or by its name.
 * @throws {CalledWrongly} the view's pointer names no such one
 */
export const generationNamed = (view: string, pointer: Pointer, name: string): Generation => {
  const { live, next, former } = pointer;
  const roles = { live, next: next?.generation ?? null, former: former?.generation ?? null };
  const known = Object.entries(roles).flatMap(([role, generation]) =>
    generation ? [{ role, generation }] : [],
  );
  const found = known.find(({ role, generation }) => role === name || generation.name === name);
  if (found) return found.generation;
  const names = known.map(({ role, generation }) => `${generation.name} (${role})`).join(', ');
  throw new CalledWrongly(`"${view}" has no generation ${JSON.stringify(name)}; it has ${names}.`);
};

/** @throws {OperatorError} another version of this program made it */
export const foldable = (view: string, generation: Generation): Foldable => {
  const code = [...views, ...formerViews].find((one) => one.name === view && folds(one, generation));
  if (code) return { generation, view: code };
  throw new OperatorError(
    `${generation.name} was folded by other code than this program has: run the version that it is of.`,
  );
};
