import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** What an answer has beside its body. Without `version` and `tag` it has no entity tag. */
export interface AnswerOptions {
  /** The record's version, written as `ETag: "<version>"`, see `entityTag`. */
  readonly version?: number;
  /** Values in the body that can change while the version stays: part of the entity tag. */
  readonly beside?: readonly unknown[];
  /** The body may change while the entity tag stays: a read with `If-None-Match` is never answered with 304. */
  readonly isUnsettled?: boolean;
  /** The entity tag, quoted, of a body that has no version. */
  readonly tag?: string;
  /** Path of the created record; absent unless the answer is `created`. */
  readonly location?: string;
  /** The position that a later read must have reached to show this command's effect; absent if the operation stores no event. */
  readonly consistencyToken?: string;
  /** Further headers of the answer. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a controller returns, and `sendAnswer` writes. */
export class Answer<B = unknown> {
  constructor(
    readonly status: number,
    readonly body: B,
    readonly options: AnswerOptions = {},
    /** Media type of a body of bytes or text; `null`: the body is a value to write as JSON. */
    readonly contentType: string | null = null,
  ) {}
}

/** 200 with a body. By default it has no further headers. */
export const ok = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(200, body, options);

/** 201 with a body. @param location path of the created record */
export const created = <B>(location: string, body: B, options: AnswerOptions = {}): Answer<B> =>
  new Answer(201, body, { ...options, location });

/** 202: the command is recorded, and its work is done later. By default it has no further headers. */
export const accepted = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(202, body, options);

/** 204 without a body. By default it has no further headers. */
export const noContent = (options?: AnswerOptions): Answer<undefined> => new Answer(204, undefined, options);

const JSON_TYPE = 'application/json; charset=utf-8';

/** 200 with a body that is already written as JSON. */
export const json = (
  body: Buffer | string | Readable,
  options: AnswerOptions = {},
): Answer<Buffer | string | Readable> => new Answer(200, body, options, JSON_TYPE);

/** An answer with a file. */
export type FileAnswer = Answer<Buffer | Readable>;

/**
 * 200 with a file that a browser saves and never shows, independent of its content.
 * @param bytes length of the body
 */
export const file = (body: Uint8Array | Readable, bytes: number): FileAnswer => {
  const sent = body instanceof Readable ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const headers = { 'Content-Disposition': 'attachment', 'Content-Length': `${bytes}` };
  return new Answer(200, sent, { headers }, 'application/octet-stream');
};

/** 200 with a page of a list. @param record makes an item of the answer */
export const page = <Item, R>(
  { items, nextCursor }: { readonly items: readonly Item[]; readonly nextCursor: string | null },
  record: (item: Item) => R,
): Answer<{ readonly items: readonly R[]; readonly nextCursor: string | null }> =>
  ok({ items: items.map((item) => record(item)), nextCursor });

/** Hex digits of a hash in an ETag. */
const TAG_DIGITS = 16;

/**
 * A version as an entity tag.
 * @param beside values in the body that can change while the version stays
 */
export const entityTag = (version: number, beside: readonly unknown[] = []): string => {
  if (beside.length === 0) return `"${version}"`;
  const hash = createHash('sha256').update(JSON.stringify(beside)).digest('hex');
  return `"${version}.${hash.slice(0, TAG_DIGITS)}"`;
};

/** Whether `If-None-Match` names this entity tag (weak comparison). */
export const hasAlready = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
};

const NOT_MODIFIED = 304;

/** Writes status, headers and body, once for a request; 304 if the caller already has the body. */
export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply => {
  const { version, beside, isUnsettled = false, location, consistencyToken, headers } = answer.options;
  const { method } = reply.request;
  reply.code(answer.status);
  if (headers) reply.headers(headers);
  if (answer.contentType !== null) reply.header('Content-Type', answer.contentType);
  if (location !== undefined) reply.header('Location', location);
  if (consistencyToken !== undefined) reply.header('Consistency-Token', consistencyToken);
  const tag = version === undefined ? answer.options.tag : entityTag(version, beside);
  if (tag !== undefined) {
    reply.header('ETag', tag);
    const { headers: given } = reply.request;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && !isUnsettled && hasAlready(given['if-none-match'], tag)) {
      if (answer.body instanceof Readable) answer.body.destroy();
      return reply.code(NOT_MODIFIED).send();
    }
  }
  if (method === 'HEAD' && answer.body instanceof Readable) {
    // Otherwise the stream would be read to its end, and nothing sent.
    answer.body.destroy();
    return reply.send(Readable.from([]));
  }
  return reply.send(answer.body);
};

/**
 * Step of `padResponseTime`, in milliseconds: far longer than a look-up takes.
 */
export const STEP_MS = 200;

/**
 * Waits until a multiple of `STEP_MS` has passed since the request arrived, so that the time of the answer does not
 * reveal what was found.
 * @param arrived when the request arrived, by `performance.now()`
 */
export const padResponseTime = async (arrived: number): Promise<void> => {
  const until = arrived + STEP_MS * Math.ceil((performance.now() - arrived) / STEP_MS);
  // A timer may fire up to a millisecond early.
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) await sleep(left);
};
