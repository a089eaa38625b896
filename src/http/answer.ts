import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** What goes out beside the body. */
export interface AnswerOptions {
  /** The record's version, written as `ETag: "<version>"`, see `entityTag`. */
  readonly version?: number;
  /** What the body shows that changes without the version: part of the entity tag. */
  readonly beside?: readonly unknown[];
  /** The body may change while its version stays: a read with `If-None-Match` is answered in full, never with 304. */
  readonly isUnsettled?: boolean;
  /** The entity tag, quoted, of a body that has no version. */
  readonly tag?: string;
  /** Path of what was made. */
  readonly location?: string;
  /** How far a later read must have come to show this command's effect. */
  readonly consistencyToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a controller returns: `sendAnswer` writes it. */
export class Answer<B = unknown> {
  constructor(
    readonly status: number,
    readonly body: B,
    readonly options: AnswerOptions = {},
    /** The media type of a body that is bytes or text already; `null`: the body is written as JSON. */
    readonly contentType: string | null = null,
  ) {}
}

/** 200 with a body. */
export const ok = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(200, body, options);

/** @param location path of what was made */
export const created = <B>(location: string, body: B, options: AnswerOptions = {}): Answer<B> =>
  new Answer(201, body, { ...options, location });

/** 202: the command is recorded, and what it asks for is done later. */
export const accepted = <B>(body: B, options?: AnswerOptions): Answer<B> => new Answer(202, body, options);

/** 204 without a body. */
export const noContent = (options?: AnswerOptions): Answer<undefined> => new Answer(204, undefined, options);

const JSON_TYPE = 'application/json; charset=utf-8';

/** A body that is JSON already, as bytes or text. */
export const json = (
  body: Buffer | string | Readable,
  options: AnswerOptions = {},
): Answer<Buffer | string | Readable> => new Answer(200, body, options, JSON_TYPE);

/** A file as it is sent. */
export type FileAnswer = Answer<Buffer | Readable>;

/**
 * A file that a browser saves and never shows, whatever its bytes are.
 * @param bytes how many the body has
 */
export const file = (body: Uint8Array | Readable, bytes: number): FileAnswer => {
  const sent = body instanceof Readable ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const headers = { 'Content-Disposition': 'attachment', 'Content-Length': `${bytes}` };
  return new Answer(200, sent, { headers }, 'application/octet-stream');
};

/** A page of a list. @param record makes an item of what was found */
export const page = <Item, R>(
  { items, nextCursor }: { readonly items: readonly Item[]; readonly nextCursor: string | null },
  record: (item: Item) => R,
): Answer<{ readonly items: readonly R[]; readonly nextCursor: string | null }> =>
  ok({ items: items.map((item) => record(item)), nextCursor });

/** Hex digits of a hash in an ETag. */
const TAG_DIGITS = 16;

/**
 * A version as an entity tag.
 * @param beside what the body shows that changes without the version; empty: nothing
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

/** Writes status, headers and body; 304 if the caller has it already. */
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
    // Otherwise all of it would be read, and nothing sent.
    answer.body.destroy();
    return reply.send(Readable.from([]));
  }
  return reply.send(answer.body);
};

/**
 * An answer whose time must not tell what was found is delayed to the next multiple of this, in milliseconds. It is far
 * above what a look-up takes.
 */
export const STEP_MS = 200;

/**
 * Waits until a multiple of `STEP_MS` has passed since the request came.
 * @param arrived when it came, by `performance.now()`
 */
export const padResponseTime = async (arrived: number): Promise<void> => {
  const until = arrived + STEP_MS * Math.ceil((performance.now() - arrived) / STEP_MS);
  // A timer may go off up to a millisecond early.
  for (let left = until - performance.now(); left > 0; left = until - performance.now()) await sleep(left);
};
