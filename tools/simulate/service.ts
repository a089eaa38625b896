import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf } from '../../packages/client/src/exchange.js';
import {
  type Answer,
  AssayClient,
  AssayError,
  type Call,
  type ClientOptions,
  type Method,
} from '../../packages/client/src/index.js';

/** Why a round cannot be played as planned. */
abstract class RoundError extends Error {
  /** Status and code of a refusal, such as `409 already_invited`, or the system's error code if there is no answer. */
  readonly reason: string;

  constructor(
    message: string,
    { reason = '', ...options }: ErrorOptions & { readonly reason?: string } = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}

/** The service answered what the interface does not allow here. */
export class Unexpected extends RoundError {
  override readonly name = 'Unexpected';
}

/** No process answered for longer than a restart takes: the round ends. */
export class ServiceGone extends RoundError {
  override readonly name = 'ServiceGone';
}

/** How long a request may take, and how long it is repeated. */
export interface RetryLimits {
  /** How long one request is repeated while there is no answer, in milliseconds. */
  readonly goneAfterMs: number;
  /** How long one attempt may take, in milliseconds. */
  readonly attemptMs: number;
}

/** On a busy machine, several killed processes and servers need more than a minute to restart. */
const RETRY_LIMITS: RetryLimits = { goneAfterMs: 180_000, attemptMs: 20_000 };
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const MAX_RETRY_AFTER_MS = 65_000;

/** The service's processes: requests go to each in turn, and are counted. */
export class Service {
  /** Requests sent, and those of them sent again. */
  readonly counts = { sent: 0, repeated: 0 };
  private readonly addresses: readonly [string, ...string[]];
  private sockets = 0;

  /** @param addresses none with a slash at its end */
  constructor(
    addresses: string | readonly [string, ...string[]],
    readonly retryLimits: RetryLimits = RETRY_LIMITS,
  ) {
    this.addresses = typeof addresses === 'string' ? [addresses] : addresses;
  }

  /** The addresses, for messages. */
  get name(): string {
    return this.addresses.join(', ');
  }

  /** The address of the next process in turn, for a WebSocket. */
  socketAddress(): string {
    return this.address(this.sockets++).replace(/^http/, 'ws');
  }

  /** The global one for a path of the next process in turn. */
  readonly fetch = (path: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> =>
    fetch(this.address(this.counts.sent++) + (path as string), init);

  private address(turn: number): string {
    return this.addresses[turn % this.addresses.length] ?? this.addresses[0];
  }
}

/** A client of the service that waits as long as its processes may need to come back. */
export class RetryingClient extends AssayClient {
  constructor(
    readonly service: Service,
    token: Exclude<ClientOptions['token'], undefined> = () => null,
  ) {
    const { fetch, retryLimits } = service;
    super({ baseUrl: '', fetch, token, maxRetries: 0, timeoutMs: retryLimits.attemptMs });
  }

  /**
   * A request without an answer (refused, cut, timed out, 503, 409 by a race) is sent again unchanged. So is a PATCH, since
   * no other player changes that record in a round. One over the rate limit is sent again after the time of its answer.
   * @throws {Unexpected | ServiceGone}
   */
  protected override async tried<T>(method: Method, path: string, given: Call): Promise<Answer<T>> {
    const call = method === 'post' ? { idempotencyKey: randomUUID(), ...given } : given;
    const { counts, name, retryLimits } = this.service;
    const what = nameOf(method, path, given);
    let pause = FIRST_PAUSE_MS;
    let since = performance.now();
    for (;;) {
      try {
        const answer = await super.tried<T>(method, path, call);
        if (method === 'get' && answer.status !== 200)
          throw new Unexpected(`${what} answered ${answer.status}.`);
        return { ...answer, data: whole(answer.data, what) };
      } catch (error) {
        if (!(error instanceof AssayError)) throw error;
        const reason = reasonOf(error);
        if (!mayRepeat(error))
          throw new Unexpected(`${what} answered ${reason}: ${error.message}`, { reason, cause: error });
        const silentMs = performance.now() - since;
        if (silentMs > retryLimits.goneAfterMs)
          throw new ServiceGone(
            `${name} has not answered ${what} for ${Math.round(silentMs / 1000)} s (${reason}).`,
            { reason, cause: error },
          );
        counts.repeated += 1;
        const named = Math.min(MAX_RETRY_AFTER_MS, error.retryAfterMs ?? 0);
        await sleep(Math.max(named, pause * (0.5 + Math.random())));
        // A rate limit is an answer, so the wait for it does not count.
        if (error.status === 429) since += named;
        pause = Math.min(MAX_PAUSE_MS, pause * 2);
      }
    }
  }
}

/** A request, for a sentence about it. */
export const nameOf = (method: Method, path: string, { params }: Pick<Call, 'params'>): string =>
  `${method.toUpperCase()} ${addressOf(path, params)}`;

const mayRepeat = ({ status, code }: AssayError): boolean =>
  [0, 429, 502, 503, 504].includes(status) || code === 'conflict';

/** Status and code of a refusal, or the system's error code if there is no answer. */
const reasonOf = (error: AssayError): string => {
  if (error.status > 0) return `${error.status} ${error.code}`;
  let cause: Error = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
};

/** Fields that `await` and `JSON.stringify` read of any value. */
const READ_OF_ANY = ['then', 'toJSON'];

/** The answer, which throws if a field is read that it lacks: the types promise every field of the contract. */
const whole = <T>(data: T, what: string): T =>
  typeof data !== 'object' || data === null
    ? data
    : new Proxy(data, {
        get: (target, key) => {
          if (typeof key === 'string' && !(key in target) && !READ_OF_ANY.includes(key))
            throw new Unexpected(`The answer to ${what} lacks "${key}".`);
          return whole<unknown>(Reflect.get(target, key), what);
        },
      });
