import type { EvaluationGenerated } from '../../domain/evaluation/events.js';
import { type Difference, type Figure, FIGURES, type Recomputed } from '../../scoring/recompute.js';

/** A stored result from which the recomputed one differs. */
export interface ChangedResult {
  readonly organisationId: string;
  readonly evaluationId: string;
  readonly generation: number;
  /** The rule set of the stored result. */
  readonly ruleSet: string;
  readonly differences: readonly Difference[];
}

/** A result that could not be computed again, for another reason than an erasure. */
export interface UnusableResult {
  readonly evaluationId: string;
  readonly reason: string;
}

/** The outcome of a recompute under a rule set. Counts are of evaluations; it contains nothing personal. */
export interface RecomputeReport {
  readonly ruleSet: string;
  /** Evaluations with a ready result. */
  readonly evaluations: number;
  /** How many stored results have each rule set. */
  readonly madeUnder: Readonly<Record<string, number>>;
  readonly recomputed: number;
  readonly changed: number;
  /** In how many of `changed` each figure differs. */
  readonly byFigure: Readonly<Record<Figure, number>>;
  /** In how many of `changed` the findings of each kind differ. */
  readonly findingsByKind: Readonly<Record<string, number>>;
  /** Not recomputed, since the candidate was erased. */
  readonly erased: number;
  readonly unusable: number;
  /** The first of `changed`, in the order of the log. */
  readonly examples: readonly ChangedResult[];
  readonly unusableExamples: readonly UnusableResult[];
}

/** Counts results one after the other. */
export class Tally {
  #evaluations = 0;
  #recomputed = 0;
  #changed = 0;
  #erased = 0;
  #unusable = 0;
  readonly #madeUnder = new Map<string, number>();
  readonly #byFigure = new Map<string, number>(FIGURES.map((figure) => [figure, 0]));
  readonly #byKind = new Map<string, number>();
  readonly #examples: ChangedResult[] = [];
  readonly #unusableExamples: UnusableResult[] = [];

  /** @param max examples that are kept */
  constructor(
    private readonly ruleSet: string,
    private readonly max: number,
  ) {}

  add(data: EvaluationGenerated['data'], outcome: Recomputed): void {
    const { organisationId, evaluationId, generation, ruleSet } = data;
    this.#evaluations++;
    count(this.#madeUnder, ruleSet);
    if (outcome.kind === 'erased') this.#erased++;
    if (outcome.kind === 'unusable') this.addUnusable(evaluationId, outcome.reason);
    if (outcome.kind !== 'recomputed') return;
    this.#recomputed++;
    const { differences } = outcome;
    if (differences.length === 0) return;
    this.#changed++;
    for (const figure of new Set(differences.map((one) => one.figure))) count(this.#byFigure, figure);
    for (const one of differences) if (one.figure === 'findings') count(this.#byKind, one.kind);
    if (this.#examples.length < this.max)
      this.#examples.push({ organisationId, evaluationId, generation, ruleSet, differences });
  }

  /** Counts an evaluation whose stored result cannot be read. */
  addUnreadable(evaluationId: string, reason: string): void {
    this.#evaluations++;
    this.addUnusable(evaluationId, reason);
  }

  get report(): RecomputeReport {
    return {
      ruleSet: this.ruleSet,
      evaluations: this.#evaluations,
      madeUnder: sorted(this.#madeUnder),
      recomputed: this.#recomputed,
      changed: this.#changed,
      byFigure: Object.fromEntries(this.#byFigure) as Readonly<Record<Figure, number>>,
      findingsByKind: sorted(this.#byKind),
      erased: this.#erased,
      unusable: this.#unusable,
      examples: [...this.#examples],
      unusableExamples: [...this.#unusableExamples],
    };
  }

  private addUnusable(evaluationId: string, reason: string): void {
    this.#unusable++;
    if (this.#unusableExamples.length < this.max) this.#unusableExamples.push({ evaluationId, reason });
  }
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

const sorted = (counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
