import type { DimensionScore } from '../../domain/evaluation/events.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import type { EvidenceEvent } from '../evidence/evidence.js';
import { isQuoteOf } from '../evidence/work.js';
import {
  asMicros,
  fraction,
  fromMicros,
  type Micros,
  MICROS_PER_UNIT,
  roundMicros,
  spread,
} from './arithmetic.js';
import type { Citation, DimensionScoring, ScoringTerm } from './scorer.js';

/** A scorer's answer that cannot become an evaluation: `reason` is a sentence for staff. */
export interface UnusableScoring {
  readonly kind: 'unusable';
  readonly reason: string;
}

/** A scorer's answer that has passed every check. */
export interface CheckedScores {
  readonly kind: 'scores';
  /** In the order of the role's dimensions. */
  readonly scores: readonly DimensionScore[];
  /** By the dimension's id. */
  readonly rationales: Readonly<Record<string, string>>;
  /** By the evidence event's id: terms refer to a quote by its place in the list. */
  readonly quotes: Readonly<Record<string, readonly string[]>>;
}

/** Scores each dimension from its terms, and checks the scorer: every figure adds up, every citation is true. */
export function checkScoring(
  role: RoleDefinition,
  evidence: readonly EvidenceEvent[],
  scoring: readonly DimensionScoring[],
): CheckedScores | UnusableScoring {
  const byDimension = new Map(scoring.map((dimension) => [dimension.dimensionId, dimension]));
  const byEvent = new Map(evidence.map((event) => [event.id, event]));
  const scores: DimensionScore[] = [];
  const rationales: [string, string][] = [];
  const quotes = new Quotes();
  if (scoring.length !== role.dimensions.length)
    return unusable(`The scorer answered ${scoring.length} of ${role.dimensions.length} dimensions.`);

  for (const dimension of role.dimensions) {
    const answer = byDimension.get(dimension.id);
    if (answer === undefined) return unusable(`The scorer left out the dimension "${dimension.name}".`);
    const exact = sumOf(answer.terms);
    if (exact === null || exact < 0n || exact > 100n * MICROS_PER_UNIT)
      return unusable(`The scorer's terms for "${dimension.name}" do not make a score from 0 to 100.`);
    const untrue = firstUntrue(answer.terms, byEvent);
    if (untrue !== null) return unusable(`For "${dimension.name}", the scorer ${untrue}`);
    rationales.push([dimension.id, answer.rationale]);
    scores.push({
      dimensionId: dimension.id,
      dimensionName: dimension.name,
      dimensionCategory: dimension.category,
      weight: dimension.weight,
      threshold: dimension.threshold,
      score: roundMicros(exact),
      exact: fromMicros(exact),
      passed: reaches(exact, dimension.threshold),
      terms: answer.terms.map(({ evidence: citations, ...term }) => ({
        ...term,
        evidence: citations.map((citation) => ({
          eventId: citation.eventId,
          quote: quotes.add(citation),
        })),
      })),
      ...(answer.leftOut && { leftOut: answer.leftOut }),
      ...(answer.unchecked && { unchecked: answer.unchecked }),
      evidenceEventIds: inOrder(answer.terms, byEvent),
    });
  }
  return {
    kind: 'scores',
    scores,
    rationales: Object.fromEntries(rationales),
    quotes: quotes.byEvent(),
  };
}

/** One addend of the overall score, as an explanation shows it. */
export interface OverallTerm {
  readonly dimensionId: string;
  readonly weight: number;
  readonly score: number;
  readonly contribution: number;
}

/** The score over all dimensions. */
export interface OverallScore {
  /** The weighted mean of the integer scores, 6 decimal places; `null` if the weights sum to 0. */
  readonly exact: number | null;
  /** `exact` rounded half up; `null` if the weights sum to 0. */
  readonly score: number | null;
  /** Whether `exact` reaches the threshold; `null` without a score or a threshold. */
  readonly passed: boolean | null;
  readonly terms: readonly OverallTerm[];
}

/** The overall score and its addends, from what an evaluation stores: the same now and in any later explanation. */
export function overallOf(
  scores: readonly Pick<DimensionScore, 'dimensionId' | 'weight' | 'score'>[],
  threshold: number | null,
): OverallScore {
  const weights = scores.reduce((sum, { weight }) => sum + BigInt(weight), 0n);
  const { total, parts } =
    weights > 0n
      ? spread(scores.map(({ weight, score }) => fraction(BigInt(weight) * BigInt(score), weights)))
      : { total: null, parts: [] };
  return {
    exact: total === null ? null : fromMicros(total),
    score: total === null ? null : roundMicros(total),
    passed: total === null ? null : reaches(total, threshold),
    terms: scores.map(({ dimensionId, weight, score }, index) => ({
      dimensionId,
      weight,
      score,
      contribution: fromMicros(parts[index] ?? 0n),
    })),
  };
}

/** What terms cite, each quote of an event once. */
class Quotes {
  private readonly known = new Map<string, string[]>();

  /** @returns its place among the event's quotes; `null`: nothing to quote */
  add({ eventId, quote }: Citation): number | null {
    if (quote === null) return null;
    const quotes = this.known.get(eventId) ?? [];
    this.known.set(eventId, quotes);
    const place = quotes.indexOf(quote);
    return place === -1 ? quotes.push(quote) - 1 : place;
  }

  byEvent(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.known);
  }
}

const reaches = (exact: Micros, threshold: number | null): boolean | null =>
  threshold === null ? null : exact >= BigInt(threshold) * MICROS_PER_UNIT;

function sumOf(terms: readonly ScoringTerm[]): Micros | null {
  let sum = 0n;
  for (const term of terms) {
    const contribution = asMicros(term.contribution);
    if (contribution === null || !Number.isFinite(term.value) || !Number.isFinite(term.weight)) return null;
    sum += contribution;
  }
  return sum;
}

function firstUntrue(
  terms: readonly ScoringTerm[],
  byEvent: ReadonlyMap<string, EvidenceEvent>,
): string | null {
  for (const { eventId, quote } of terms.flatMap((term) => term.evidence)) {
    const event = byEvent.get(eventId);
    if (event === undefined) return 'cited evidence that is not in the session.';
    if (quote !== null && !isQuoteOf(event, quote)) return 'quoted what the evidence does not say.';
  }
  return null;
}

function inOrder(terms: readonly ScoringTerm[], byEvent: ReadonlyMap<string, EvidenceEvent>): string[] {
  const ids = new Set(terms.flatMap((term) => term.evidence.map(({ eventId }) => eventId)));
  const place = (id: string): number => byEvent.get(id)?.sequenceNumber ?? 0;
  return [...ids].sort((a, b) => place(a) - place(b));
}

const unusable = (reason: string): UnusableScoring => ({ kind: 'unusable', reason });
