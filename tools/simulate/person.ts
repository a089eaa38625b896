import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DataOf, ErrorCode, InputOf, Method, PathOf } from '../../packages/client/src/index.js';
import { nameOf, RetryingClient, type Service, Unexpected } from './service.js';

/** How commands are sent: once, twice at the same time under one key, or a second time under another key. */
export type Resends = 'never' | 'same_key' | 'other_key';

/** A status and a code, such as `409 already_invited`. */
type Refusal = `${number} ${ErrorCode}`;

const REFRESH_BEFORE_MS = 60_000;

/** The development issuer, which is not part of the contract. */
export class Issuer extends RetryingClient {
  /** @throws {Unexpected | ServiceGone} */
  async tokenFor(email: string): Promise<{ readonly value: string; readonly until: number }> {
    try {
      const { data } = await this.tried<{ readonly idToken: string; readonly expiresIn: number }>(
        'post',
        '/token-for',
        { body: { email, emailVerified: true } },
      );
      return { value: data.idToken, until: Date.now() + data.expiresIn * 1000 - REFRESH_BEFORE_MS };
    } catch (error) {
      if (!(error instanceof Unexpected)) throw error;
      throw new Unexpected(
        `${this.service.name} gives scripts no tokens: the simulation needs a service with the development issuer. ${error.message}`,
        { cause: error },
      );
    }
  }
}

/** Somebody with a token of their own, from the development issuer. */
export class Person extends RetryingClient {
  private token: { readonly value: string; readonly until: number } | null = null;

  constructor(
    service: Service,
    private readonly issuer: Issuer,
    readonly email: string,
    private readonly resends: Resends = 'never',
  ) {
    super(service, (refused) => this.idToken(refused));
  }

  /**
   * Sends a command as `resends` has it, and checks the answer to every copy.
   * @param again the refusal of a copy under another key; `undefined`: such a copy is answered alike
   * @throws {Unexpected}
   */
  async command<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    expected: number,
    call: InputOf<M, P>,
    again?: Refusal,
  ): Promise<DataOf<M, P>> {
    const keyed = method === 'post' ? { ...call, idempotencyKey: randomUUID() } : call;
    const first = this.once(method, path, expected, keyed);
    if (this.resends === 'never') return first;
    if (this.resends === 'same_key' && method === 'post') {
      // Compared as JSON: an answer throws if a field is read that it lacks.
      const copies = [first, this.once(method, path, expected, keyed).catch(ofCopy)] as const;
      const [one, other] = JSON.parse(JSON.stringify(await Promise.all(copies))) as readonly unknown[];
      if (isDeepStrictEqual(one, other)) return first;
      throw new Unexpected(
        `${nameOf(method, path, call)} sent twice under one Idempotency-Key has two answers.`,
      );
    }
    const answer = await first;
    const copy = again ? this.refused(method, path, again, call) : this.once(method, path, expected, call);
    await copy.catch(ofCopy);
    return answer;
  }

  /** Sends it once. @throws {Unexpected} */
  async once<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    expected: number,
    call: InputOf<M, P>,
  ): Promise<DataOf<M, P>> {
    const { status, data } = await this.tried<DataOf<M, P>>(method, path, call);
    if (status !== expected) throw new Unexpected(`${nameOf(method, path, call)} answered ${status}.`);
    return data;
  }

  /** Sends what must be refused, once. @throws {Unexpected} it was not, or otherwise */
  async refused<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    refusal: Refusal,
    call: InputOf<M, P>,
  ): Promise<void> {
    const status = await this.tried(method, path, call).then(
      (answer) => answer.status,
      (error: unknown) => {
        if (!isRefusal(error, refusal)) throw error;
      },
    );
    if (status !== undefined)
      throw new Unexpected(`${nameOf(method, path, call)} answered ${status}, not ${refusal}.`);
  }

  /** From now on this person reads what another one has written. */
  follow({ consistencyToken }: Person): void {
    if (consistencyToken !== null) this.readAfter(consistencyToken);
  }

  /** A new token, even if the former one is still valid. */
  async freshToken(): Promise<string> {
    this.token = null;
    return this.idToken(null);
  }

  /** @param refused a token that the service refused: the issuer may have been restarted with other keys */
  private async idToken(refused: string | null): Promise<string> {
    if (this.token === null || this.token.value === refused || this.token.until <= Date.now())
      this.token = await this.issuer.tokenFor(this.email);
    return this.token.value;
  }
}

/** Whether a command was refused in this way. */
export const isRefusal = (error: unknown, refusal: Refusal): error is Unexpected =>
  error instanceof Unexpected && error.reason === refusal;

/** Names a failure as one of the copy. */
const ofCopy = (error: unknown): never => {
  throw error instanceof Unexpected
    ? new Unexpected(`Sent again, ${error.message}`, { cause: error })
    : error;
};
