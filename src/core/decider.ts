import type { AnyEvent, Stored } from './event.js';

/**
 * The pure half of an aggregate, after Jérémie Chassaing's decider: state is a fold of its stream. `decide` functions
 * are beside it, one per command: `(state, input) -> Decision`; time and ids come in as input.
 */
export interface Decider<S, E extends AnyEvent> {
  /** The stream kind, first part of its names. */
  readonly kind: string;
  /** The state of a stream without events. */
  readonly initial: S;
  /** @returns the state after the event; the given state stays as it is */
  evolve(state: S, event: Stored<E>): S;
  /** Whether each event carries the hash of the one before it, as those of evidence do. */
  readonly chained?: boolean;
}

/** What a `decide` function returns: the events to store (none: nothing to do), or why the command is refused. */
export type Decision<E extends AnyEvent> =
  { readonly kind: 'accepted'; readonly events: readonly E[] } | Refused;

/** The command is refused: nothing is stored. */
export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

/** A stable code, and a sentence for the caller. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The offending fields, of `validation_failed` alone; left out with every other code. */
  readonly details?: readonly Problem[];
}

/** One offending field of an input: `path` as in `dimensions[2].weight`, the broken rule's name, and a sentence. */
export interface Problem {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

/**
 * What a caller can do about a refusal, whatever its code. `gone`: nothing, for good. `stale`: read the record again and
 * send its version. `full`: a limit of the record is reached.
 */
export type RefusalKind = 'invalid' | 'forbidden' | 'missing' | 'conflict' | 'gone' | 'stale' | 'full';

/** Refusals by their codes, with what each means in the API's documents. An aggregate declares its own. */
export type RefusalCodes = Readonly<Record<string, { readonly kind: RefusalKind; readonly meaning: string }>>;

/** The codes that every aggregate may refuse with. */
export const COMMON_CODES = {
  validation_failed: {
    kind: 'invalid',
    meaning: 'The request is wrong in itself; `details` names each offending field.',
  },
  not_found: { kind: 'missing', meaning: 'There is no such record, or the caller may not know of it.' },
  idempotency_key_reused: { kind: 'conflict', meaning: 'The Idempotency-Key was used with another body.' },
  conflict: { kind: 'conflict', meaning: 'Others changed the same record again and again meanwhile.' },
  version_mismatch: {
    kind: 'stale',
    meaning: 'The record is not at the version that If-Match names.',
  },
} as const satisfies RefusalCodes;

export type CommonCode = keyof typeof COMMON_CODES;

/** Accepts with these events; without any, there is nothing to do. */
export const accept = <E extends AnyEvent>(...events: E[]): Decision<E> => ({ kind: 'accepted', events });

/** Refuses with a code. @typeParam Own the codes that the aggregate declares, if it refuses with one of them */
export const refuse = <Own extends string = never>(
  code: CommonCode | NoInfer<Own>,
  message: string,
): Refused => ({ kind: 'refused', refusal: { code, message } });

/** Refuses an input that breaks the rules named by `problems`, of which there is at least one. */
export const refuseInvalid = (problems: readonly Problem[]): Refused => ({
  kind: 'refused',
  refusal: {
    code: 'validation_failed',
    message: problems[0]?.message ?? 'The request is not valid.',
    details: problems,
  },
});

/** The refusal if the caller named a version (If-Match) and the record is at another; else `null`. */
export const staleVersion = (expected: number | null, actual: number): Refused | null =>
  expected === null || expected === actual
    ? null
    : refuse(
        'version_mismatch',
        `The record is at version ${actual}, not ${expected} as If-Match says: read it again.`,
      );

/** Whether a decision, or a check before it, is a refusal. */
export const isRefused = (value: object): value is Refused => 'kind' in value && value.kind === 'refused';
