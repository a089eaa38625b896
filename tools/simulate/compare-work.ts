import type { Comparing } from './compare.js';
import { type HandInKind, type InterviewShares, RESULTS, scoresOf, WORKS } from './exercise.js';
import { EXERCISE_ROLE } from './plan.js';

/** A result of checks, as the evaluation's evidence has it from the checker. */
export interface ReadResult {
  readonly handInId: string;
  readonly scope: string;
  /** Why there is none; `null`: it has tests. */
  readonly reason: string | null;
  readonly visible: { readonly passed: number; readonly failed: number };
  readonly hidden: { readonly passed: number; readonly failed: number };
}

/** A dimension's score, rounded and exact. `passed` is `null` if the dimension has no threshold. */
export interface ReadScore {
  readonly category: string;
  readonly score: number;
  readonly exact: number;
  readonly passed: boolean | null;
}

/**
 * What the service answers about the work that was handed in for a trial. `overallScore`, `overallExact` and `passed` are
 * `null` if the weights sum to 0.
 */
export interface ReadWork {
  /** Ids of the hand-ins that the service recorded, the oldest first. */
  readonly handedIn: readonly string[];
  readonly results: readonly ReadResult[];
  readonly scores: readonly ReadScore[];
  readonly overallScore: number | null;
  readonly overallExact: number | null;
  readonly passed: boolean | null;
  readonly interview: InterviewShares;
}

/** Reasons that are accepted: a service may have no checker, or another one than the exercise is made for. */
const UNCHECKED = ['no_checker', 'isolation'];

/** Compares the number of hand-ins, the result of the last one, and each figure that follows from it. */
export const compareWork = (comparing: Comparing, what: string, handIn: HandInKind, read: ReadWork): void => {
  comparing.same(`${what}, hand-ins (${handIn})`, WORKS[handIn].length, read.handedIn.length);
  const counted = read.results.filter(({ scope }) => scope === 'all');
  comparing.same(`${what}, results of all checks`, Math.min(1, WORKS[handIn].length), counted.length);
  const [result] = counted;
  if (result !== undefined) {
    comparing.same(`${what}, hand-in that was checked`, read.handedIn.at(-1), result.handInId);
    if (result.reason === null) compareTests(comparing, what, handIn, result);
    else if (!UNCHECKED.includes(result.reason)) comparing.same(`${what}, checks`, 'a result', result.reason);
  }
  const expected = scoresOf(handIn, result?.reason ?? null, read.interview);
  const { dimensions, overallThreshold } = EXERCISE_ROLE;
  for (const { category, threshold } of dimensions) {
    const score = read.scores.find((one) => one.category === category);
    const exact = expected[category];
    comparing.same(`${what}, exact ${category} (${handIn})`, rounded(exact), score?.exact);
    comparing.same(`${what}, ${category}`, Math.round(rounded(exact)), score?.score);
    if (threshold !== undefined)
      comparing.same(`${what}, ${category} passed`, exact >= threshold, score?.passed);
  }
  const weights = dimensions.reduce((sum, { weight }) => sum + weight, 0);
  const points = dimensions.reduce(
    (sum, { category, weight }) => sum + Math.round(rounded(expected[category])) * weight,
    0,
  );
  const overall = points / weights;
  comparing.same(`${what}, exact overall (${handIn})`, rounded(overall), read.overallExact);
  comparing.same(`${what}, overall`, Math.round(rounded(overall)), read.overallScore);
  comparing.same(`${what}, passed`, overall >= overallThreshold, read.passed);
};

const compareTests = (comparing: Comparing, what: string, handIn: HandInKind, result: ReadResult): void => {
  for (const kind of ['visible', 'hidden'] as const) {
    const { passed, all } = RESULTS[handIn][kind];
    comparing.same(`${what}, ${kind} tests that passed (${handIn})`, passed, result[kind].passed);
    comparing.same(`${what}, ${kind} tests that failed (${handIn})`, all - passed, result[kind].failed);
  }
};

/** Rounds to 6 decimal places, as the API's figures are. */
const rounded = (figure: number): number => Math.round(figure * 1e6) / 1e6;
