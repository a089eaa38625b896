import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Answer, codeOf, reasonOf, type Request, type Service } from './service.js';

/** The service answered what the interface does not allow here. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** How commands are sent: once, twice at once under one key, or twice without a key. */
export type Resends = 'never' | 'same_key' | 'no_key';

/** What is expected of a command that is sent again without a key, where that differs from the first answer. */
export interface Expected {
  readonly status: number;
  readonly again?: { readonly status: number; readonly code?: string };
}

const REFRESH_BEFORE_MS = 60_000;

/** Somebody with a token of their own, from the development issuer. */
export class Person {
  private token: { readonly value: string; readonly until: number } | null = null;
  /** Of this person's last command: what they read next has at least that. */
  private seen: string | null = null;

  constructor(
    private readonly service: Service,
    private readonly issuer: Service,
    readonly email: string,
    private readonly resends: Resends = 'never',
  ) {}

  /** @param after the Consistency-Token of another user's command that must be visible */
  async read(path: string, after: string | null = null): Promise<unknown> {
    const token = after ?? this.seen;
    const answer = await this.send({
      method: 'GET',
      path,
      headers: token === null ? {} : { 'consistency-token': token },
    });
    if (answer.status !== 200) throw unexpected('GET', path, answer);
    return answer.body;
  }

  /**
   * Sends a command as often as this person does, and holds every copy to what it must answer.
   * @param keyed under an Idempotency-Key even where this person uses none: the command does something new each time
   */
  async command(
    method: string,
    path: string,
    body: object | undefined,
    expected: Expected,
    keyed = false,
  ): Promise<Answer> {
    const request = { method, path, ...(body && { body }) };
    const key = method === 'POST' && (keyed || this.resends !== 'no_key') ? randomUUID() : null;
    const first = this.send(withKey(request, key));
    if (this.resends === 'same_key' && key !== null) {
      const [one, other] = await Promise.all([first, this.send(withKey(request, key))]);
      if (one.status === expected.status && !sameAnswer(one, other))
        throw new Unexpected(
          `${method} ${path} sent twice under one Idempotency-Key has two answers: ${reasonOf(one)} and ${reasonOf(other)}.`,
        );
    }
    const answer = await first;
    if (answer.status !== expected.status) throw unexpected(method, path, answer);
    this.seen = answer.headers.get('consistency-token') ?? this.seen;
    if (this.resends !== 'never' && (key === null || this.resends === 'no_key'))
      await this.again(request, expected.again ?? { status: expected.status });
    return answer;
  }

  /** One request that may be refused; never sent twice on purpose. */
  async attempt(method: string, path: string, body?: object): Promise<Answer> {
    const request = { method, path, ...(body && { body }) };
    const keyed = withKey(request, method === 'POST' ? randomUUID() : null);
    const after = this.seen === null ? {} : { 'consistency-token': this.seen };
    const answer = await this.send({ ...keyed, headers: { ...keyed.headers, ...after } });
    this.seen = answer.headers.get('consistency-token') ?? this.seen;
    return answer;
  }

  /** The Consistency-Token of this person's last command. */
  get lastSeen(): string | null {
    return this.seen;
  }

  /** A token that was given just now, whatever is left of the former one. */
  async freshToken(): Promise<string> {
    this.token = null;
    return this.idToken();
  }

  private async again(request: Request, expected: { status: number; code?: string }): Promise<void> {
    const answer = await this.send(request);
    if (
      answer.status !== expected.status ||
      (expected.code !== undefined && codeOf(answer) !== expected.code)
    )
      throw unexpected(`${request.method} (sent again)`, request.path, answer);
  }

  private async send(request: Request): Promise<Answer> {
    const authorised = async (): Promise<Answer> =>
      this.service.request({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${await this.idToken()}` },
      });
    const answer = await authorised();
    if (answer.status !== 401) return answer;
    // The issuer may have been restarted with other keys.
    this.token = null;
    return authorised();
  }

  private async idToken(): Promise<string> {
    if (this.token !== null && this.token.until > Date.now()) return this.token.value;
    const answer = await this.issuer.request({
      method: 'POST',
      path: '/token-for',
      body: { email: this.email, emailVerified: true },
    });
    const { idToken, expiresIn } = answer.body as { idToken?: unknown; expiresIn?: unknown };
    if (answer.status !== 200 || typeof idToken !== 'string' || typeof expiresIn !== 'number')
      throw new Unexpected(
        `${this.issuer.name} gives scripts no tokens (${reasonOf(answer)}): the simulation needs a service with the development issuer.`,
      );
    this.token = { value: idToken, until: Date.now() + expiresIn * 1000 - REFRESH_BEFORE_MS };
    return idToken;
  }
}

const withKey = (request: Request, key: string | null): Request =>
  key === null ? request : { ...request, headers: { ...request.headers, 'idempotency-key': key } };

const sameAnswer = (one: Answer, other: Answer): boolean =>
  one.status === other.status && isDeepStrictEqual(one.body, other.body);

export const unexpected = (method: string, path: string, answer: Answer): Unexpected => {
  const { body } = answer;
  const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
  return new Unexpected(`${method} ${path} answered ${reasonOf(answer)}${error === '' ? '.' : `: ${error}`}`);
};

// Readers of answers. They throw `Unexpected` if an answer is not as documented.

type JsonObject = Readonly<Record<string, unknown>>;

/** @param what names the value in the error @throws {Unexpected} it is not an object */
export function objectOf(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unexpected(`${what} is not an object.`);
  return value as JsonObject;
}

/** @param what names the value in the error @throws {Unexpected} it is not an array */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unexpected(`${what} is not an array.`);
  return value;
}

export function stringOf(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value !== 'string') throw new Unexpected(`An answer lacks the string "${key}".`);
  return value;
}

export function numberOf(object: JsonObject, key: string): number {
  const value = object[key];
  if (typeof value !== 'number') throw new Unexpected(`An answer lacks the number "${key}".`);
  return value;
}

export function stringOrNull(object: JsonObject, key: string): string | null {
  return object[key] === null || object[key] === undefined ? null : stringOf(object, key);
}
