import { editDistance } from '../core/text.js';
import { type Environment, type VariableName, VARIABLES } from './variables.js';

const NAMES = Object.keys(VARIABLES) as readonly VariableName[];

/** A misspelt name differs in at most one of four characters, and in at most three. Others may be of other programs. */
const CHARACTERS_PER_DIFFERENCE = 4;
const MAX_DIFFERENCES = 3;

/**
 * A sentence for each variable that is set and whose name is almost one of the service's. Does not read values.
 */
export const misspeltVariables = (environment: Environment): readonly string[] =>
  Object.keys(environment)
    .filter((name) => !NAMES.some((known) => known === name))
    .flatMap((name) => {
      const meant = nearest(name);
      return meant === null
        ? []
        : [`${JSON.stringify(name)} is not a variable of this service: did you mean ${meant}?`];
    });

const nearest = (name: string): VariableName | null => {
  const plain = plainOf(name);
  const max = Math.min(MAX_DIFFERENCES, Math.floor(name.length / CHARACTERS_PER_DIFFERENCE));
  const [best] = NAMES.map((known) => ({ known, plain: plainOf(known) }))
    // The distance is at least the difference in length, which is much faster to compute.
    .filter((known) => Math.abs(known.plain.length - plain.length) <= max)
    .map(({ known, plain: other }) => ({ known, apart: editDistance(plain, other) }))
    .sort((one, other) => one.apart - other.apart);
  return best !== undefined && best.apart <= max ? best.known : null;
};

/** A name without case and separators, so that `logLevel` and `LOG-LEVEL` equal `LOG_LEVEL`. */
const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
