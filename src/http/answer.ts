import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** What goes out beside the body. */
export interface AnswerOptions {
  /** The record's version, written as `ETag: "<version>"`. */
  readonly version?: number;
  /** The entity tag, quoted, of a body that has no version. */
  readonly tag?: string;
  /** Path of what was made. */
  readonly location?: string;
  /** How far a later read must have come to show this command's effect. */
  readonly consistencyToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a controller returns: the adapter writes status, headers and body, and 304 where the caller has it already. */
export class Answer<B = unknown> {
  constructor(
    readonly status: number,
    readonly body: B,
    readonly options: AnswerOptions = {},
    /** Of a body that is bytes or text already. */
    readonly contentType: string | null = null,
  ) {}
}

export const ok = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(200, body, options);

/** @param location path of what was made */
export const created = <B>(location: string, body: B, options: AnswerOptions = {}): Answer<B> =>
  new Answer(201, body, { ...options, location });

export const accepted = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(202, body, options);

export const noContent = (options?: AnswerOptions): Answer<undefined> => new Answer(204, undefined, options);

const JSON_TYPE = 'application/json; charset=utf-8';

/** A body that is JSON already, as bytes or text. */
export const json = (
  body: Buffer | string | Readable,
  options: AnswerOptions = {},
): Answer<Buffer | string | Readable> => new Answer(200, body, options, JSON_TYPE);

/** A page of a list. @param record makes an item of what was found */
export const page = <Item, R>(
  { items, nextCursor }: { readonly items: readonly Item[]; readonly nextCursor: string | null },
  record: (item: Item) => R,
): Answer<{ readonly items: readonly R[]; readonly nextCursor: string | null }> =>
  ok({ items: items.map((item) => record(item)), nextCursor });

/**
 * Milliseconds of a step. An answer that must not tell by its time what was found ends with the step in which it is
 * ready. That is far above what the look-up takes.
 */
export const STEP_MS = 200;

/**
 * Waits for the end of the present step.
 * @param arrived when the request came, by `performance.now()`: the steps begin there
 */
export const padResponseTime = async (arrived: number): Promise<void> => {
  const until = arrived + STEP_MS * Math.ceil((performance.now() - arrived) / STEP_MS);
  // A timer may go off up to a millisecond early.
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) await sleep(left);
};
