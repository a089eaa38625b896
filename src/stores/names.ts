import type { GenerationName } from './read-store.js';

const GENERATION = /^[a-z][A-Za-z0-9-]{0,79}\.v\d{1,9}\.g\d{1,15}$/;
const BELONGS_TO = /^([a-z][A-Za-z0-9-]{0,79}\.v\d{1,9}\.g\d{1,15})(?:\.|$)/;
const INDEX = /^[A-Za-z][A-Za-z0-9]{0,59}$/;

/** @throws {TypeError} the name is not `<view>.v<version>.g<generation>` */
export function assertGenerationName(name: string): asserts name is GenerationName {
  if (!GENERATION.test(name)) {
    throw new TypeError(
      `A generation is named <view>.v<version>.g<generation>, not ${JSON.stringify(name)}.`,
    );
  }
}

/** @throws {TypeError} an index name is a word of at most 60 letters and digits */
export function assertIndexName(name: string): void {
  if (!INDEX.test(name)) {
    throw new TypeError(`An index is named by at most 60 letters and digits, not ${JSON.stringify(name)}.`);
  }
}

/** The generation that a checkpoint or lease belongs to by its name (`signal.v2.g7.3of8`); `null`: to none. */
export const generationOf = (name: string): GenerationName | null =>
  (BELONGS_TO.exec(name)?.[1] ?? null) as GenerationName | null;

/** The view that a generation belongs to. */
export const viewOf = (name: GenerationName): string => name.slice(0, name.indexOf('.'));
