import { setTimeout as sleep } from 'node:timers/promises';
import { checkpointNames, generationsOf } from '../../src/engine/generations/generations.js';
import { builderLeaseName } from '../../src/engine/segments.js';
import type { Generation, GenerationName, Pointer } from '../../src/stores/read-store.js';
import type { RebuildPlace } from './rebuild-place.js';

/** The phase of a rebuild, by the stores. */
export const PHASES = ['asked', 'building', 'built', 'freezing', 'promoted', 'ended'] as const;
export type Phase = (typeof PHASES)[number];

export const phaseOf = async (
  { stores, requests }: RebuildPlace,
  view: string,
  operation: string,
): Promise<Phase> => {
  const pointer = await stores.readStore.pointers.get(view);
  if (pointer === null) throw new Error(`There is no pointer of "${view}".`);
  const { next, freeze } = pointer;
  if (freeze !== null) return 'freezing';
  if (next?.operation === operation) {
    if (!next.ready) return 'building';
    return next.hold && !(await requests.state()).open.has(operation) ? 'ended' : 'built';
  }
  const { open } = await requests.state();
  if (!open.has(operation)) return 'ended';
  return pointer.operation === operation ? 'promoted' : 'asked';
};

/** Long, because builders run at a lower priority: on a busy machine they make little progress. */
export const WAIT_LIMIT_MS = 120_000;

/** Waits for this phase or a later one. @returns the phase that was reached */
export const reaches = async (
  place: RebuildPlace,
  view: string,
  operation: string,
  wanted: Phase,
): Promise<Phase> => {
  const until = performance.now() + WAIT_LIMIT_MS;
  for (;;) {
    const phase = await phaseOf(place, view, operation);
    if (PHASES.indexOf(phase) >= PHASES.indexOf(wanted)) return phase;
    if (performance.now() > until) throw new Error(`The rebuild of "${view}" stays ${phase}.`);
    // A freeze lasts a few milliseconds: poll often.
    await (wanted === 'freezing' || wanted === 'promoted' ? new Promise(setImmediate) : sleep(1));
  }
};

/**
 * What an ended rebuild has left behind, in sentences. Of everything that a pointer names or a view has in the store,
 * only the live generation may be left, and those in `kept`.
 * @param kept whether a generation is held, and whether there is a former one for a rollback
 */
export const leftovers = async (
  { stores: { readStore } }: Pick<RebuildPlace, 'stores'>,
  view: string,
  kept: { readonly held: boolean; readonly former: boolean },
): Promise<readonly string[]> => {
  const found: string[] = [];
  const pointer = await readStore.pointers.get(view);
  if (pointer === null) return [`"${view}" has no pointer.`];
  const { freeze, former, next } = pointer;
  if (freeze !== null) found.push(`readers of ${view} are frozen for ${freeze.to}`);
  if ((former !== null) !== kept.former) found.push(`former of ${view} is ${JSON.stringify(former)}`);
  if ((next !== null) !== kept.held) found.push(`next of ${view} is ${JSON.stringify(next)}`);
  const names = generationsOf(pointer).map(({ name }) => name);
  for (const name of await readStore.generations())
    if (name.startsWith(`${view}.v`) && !names.includes(name)) found.push(`${name} is in the store`);
  for (const generation of formerOnes(pointer, names)) {
    for (const segment of checkpointNames(generation)) {
      if ((await readStore.checkpoints.get(segment)) !== null) found.push(`a checkpoint of ${segment}`);
      for (const lease of [segment, builderLeaseName(segment)])
        if ((await readStore.leases.get(lease)) !== null) found.push(`a lease of ${lease}`);
    }
  }
  return found;
};

const MAX_SEGMENTS = 4;

/** Every generation that may have been made before the live or the held one, with any number of segments. */
function* formerOnes(
  { live, next }: Pointer,
  kept: readonly GenerationName[],
): Generator<Generation, void, undefined> {
  const last = Math.max(live.number, next?.generation.number ?? 0) + 2;
  for (let number = 1; number <= last; number++) {
    const name = live.name.replace(/\d+$/, `${number}`) as GenerationName;
    if (kept.includes(name)) continue;
    for (let segments = 1; segments <= MAX_SEGMENTS; segments++) yield { ...live, number, name, segments };
  }
}
