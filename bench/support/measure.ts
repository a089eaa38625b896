import { readFileSync } from 'node:fs';
import { cpus, platform, release } from 'node:os';

/** Runs one side once. @returns its figure, in the comparison's unit: most often operations a second */
export type Side = () => Promise<number>;

/** What a benchmark compares, and the ratio that it must reach: its bar. */
export interface Comparison {
  /** As the JSON line has it. */
  readonly name: string;
  readonly unit: string;
  /** What ours is held against, in a few words. */
  readonly baseline: string;
  /** Smallest ratio ours / baseline that passes; `null`: the comparison only reports. */
  readonly bar: number | null;
  readonly sides: { readonly baseline: Side; readonly ours: Side };
  /** Default `ROUNDS`. */
  readonly rounds?: number;
  /** Rounds that are not counted. Default 1. */
  readonly warmUps?: number;
  /** Packages whose versions the result names. Default: none. */
  readonly packages?: readonly string[];
}

/** The outcome of a comparison, as the JSON line has it. Without a bar, `bar` and `passed` are `null`. */
export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly baseline: string;
  readonly ratio: { readonly median: number; readonly min: number; readonly max: number };
  readonly bar: number | null;
  readonly passed: boolean | null;
  readonly rounds: readonly { readonly baseline: number; readonly ours: number; readonly ratio: number }[];
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Runs baseline and ours in turn (A B B A), prints the ratio with its spread, the raw rounds and one JSON line.
 * Only figures of one run are compared: if the machine is slow or busy, it is so for both sides.
 */
export async function compare(comparison: Comparison): Promise<Result> {
  const measured = await byTurns(comparison);
  const result = summarise(
    comparison,
    measured.map((round) => ({ ...round, ratio: round.ours / round.baseline })),
  );
  print(result);
  return result;
}

/** Default rounds of a comparison: an even number, so that each side comes first equally often. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
/** Wait before a measurement, until views have caught up with what was sent before it. */
export const SETTLE_MS = 1_500;

/** What each side measured, round by round, after the warm-up. The order is reversed with each round. */
export async function byTurns<Name extends string>({
  sides,
  rounds = ROUNDS,
  warmUps = 1,
}: {
  readonly sides: Readonly<Record<Name, Side>>;
  readonly rounds?: number | undefined;
  readonly warmUps?: number | undefined;
}): Promise<readonly Readonly<Record<Name, number>>[]> {
  const order = Object.keys(sides) as Name[];
  for (let warmUp = 0; warmUp < warmUps; warmUp++) for (const name of order) await sides[name]();
  const measured: Record<Name, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const figures: Partial<Record<Name, number>> = {};
    for (const name of order) figures[name] = await sides[name]();
    measured.push(figures as Record<Name, number>);
    order.reverse();
  }
  return measured;
}

/** @returns the median of ratios with the least and the greatest of them */
export const spreadOf = (ratios: readonly number[]): Result['ratio'] => ({
  median: median(ratios),
  min: Math.min(...ratios),
  max: Math.max(...ratios),
});

function summarise(comparison: Comparison, rounds: Result['rounds']): Result {
  const { name, unit, baseline, bar, packages = [] } = comparison;
  const ratio = spreadOf(rounds.map((round) => round.ratio));
  const passed = bar === null ? null : ratio.median >= bar;
  return { name, unit, baseline, ratio, bar, passed, rounds, versions: versions(packages) };
}

function print(result: Result): void {
  const { name, unit, baseline, ratio, bar, passed, rounds } = result;
  const verdict = passed === null ? '' : `, bar ${bar} ${passed ? 'reached' : 'MISSED'}`;
  console.log(
    `\n${name}: ${ratio.median.toFixed(2)} x ${baseline} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}${verdict})`,
  );
  for (const [index, round] of rounds.entries()) {
    console.log(
      `  round ${index + 1}: baseline ${rounded(round.baseline)} ${unit}, ours ${rounded(round.ours)} ${unit}, ratio ${round.ratio.toFixed(3)}`,
    );
  }
  console.log(JSON.stringify(result));
}

/** The median; of an even count the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Versions of Node, the machine and these packages. @param below the folder of the project that has the packages */
export function versions(packages: readonly string[], below = ''): Record<string, string> {
  const machine = `${platform()} ${release()}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const known = packages.map((name) => {
    // From dist/bench/support; packages need not export their package.json.
    const file = new URL(`../../../${below}node_modules/${name}/package.json`, import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    return [name, version] as const;
  });
  return { node: process.version, machine, ...Object.fromEntries(known) };
}

/** A figure for people: with three decimals below 10, else with none. */
export const rounded = (value: number): string => value.toFixed(value < 10 ? 3 : 0);
