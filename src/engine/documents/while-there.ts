import type { Generation, ReadStore } from '../../stores/read-store.js';
import { checkpointNames } from '../generations.js';
import { GenerationGone } from './errors.js';

/**
 * Reads a generation, so that what comes of it is known to be of one that was there all the time.
 * @throws {GenerationGone} it was dropped meanwhile, whatever `work` made of that
 */
export async function whileThere<T>(
  { checkpoints }: Pick<ReadStore, 'checkpoints'>,
  generation: Generation,
  work: () => Promise<T>,
): Promise<T> {
  const isBegun = async (): Promise<boolean> => {
    const standing = await Promise.all(checkpointNames(generation).map((name) => checkpoints.get(name)));
    return standing.some((position) => position !== null);
  };
  const begun = await isBegun();
  const outcome = await work();
  if (begun && !(await isBegun())) throw new GenerationGone(generation.name);
  return outcome;
}
