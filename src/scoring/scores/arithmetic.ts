/**
 * Exact arithmetic of scores. A figure is a fraction of big integers until it is rounded, once, to millionths:
 * floating point would make a score depend on the order of its addends.
 */

/** `numerator / denominator`; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A whole number of millionths. */
export type Micros = bigint;

export const MICROS_PER_UNIT = 1_000_000n;

/** A fraction of whole numbers. */
export const fraction = (numerator: bigint | number, denominator: bigint | number = 1n): Fraction => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});

export const ZERO = fraction(0);

/** The exact sum. */
export const add = (a: Fraction, b: Fraction): Fraction =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      };

/** The exact product with a whole number. */
export const times = (a: Fraction, factor: bigint | number): Fraction => ({
  numerator: a.numerator * BigInt(factor),
  denominator: a.denominator,
});

/** The exact product of two fractions. */
export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** Whether `a` is greater than `b`. Denominators are positive. */
export const isGreater = (a: Fraction, b: Fraction): boolean =>
  a.numerator * b.denominator > b.numerator * a.denominator;

/** Rounds to the nearest whole number; a half towards positive infinity. */
export function roundHalfUp({ numerator, denominator }: Fraction): bigint {
  const doubled = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = doubled / divisor;
  return doubled < 0n && quotient * divisor !== doubled ? quotient - 1n : quotient;
}

/** Rounds to 6 decimal places, half up. */
export const toMicros = (value: Fraction): Micros => roundHalfUp(times(value, MICROS_PER_UNIT));

/** Rounds to whole units, half up. */
export const roundMicros = (micros: Micros): number =>
  Number(roundHalfUp({ numerator: micros, denominator: MICROS_PER_UNIT }));

/** A JSON number with at most 6 decimal places: exact within the range of scores. */
export const fromMicros = (micros: Micros): number => Number(micros) / Number(MICROS_PER_UNIT);

/** The inverse of `fromMicros`; `null`: the number is not finite or has more than 6 decimal places. */
export function asMicros(value: number): Micros | null {
  const scaled = Math.round(value * Number(MICROS_PER_UNIT));
  return Number.isSafeInteger(scaled) && scaled / Number(MICROS_PER_UNIT) === value ? BigInt(scaled) : null;
}

/**
 * Addends rounded to millionths so that they sum to the rounded exact sum: the last one takes the remainder.
 * @returns the sum and the addends in their order
 */
export function spread(addends: readonly Fraction[]): {
  readonly total: Micros;
  readonly parts: readonly Micros[];
} {
  const total = toMicros(addends.reduce(add, ZERO));
  const parts = addends.slice(0, -1).map(toMicros);
  const remainder = parts.reduce((rest, part) => rest - part, total);
  return { total, parts: addends.length === 0 ? [] : [...parts, remainder] };
}
