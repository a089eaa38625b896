import { setTimeout as sleep } from 'node:timers/promises';

/** An answer of the service, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Nothing answered for longer than a restart takes: the round cannot go on. */
export class ServiceGone extends Error {
  override readonly name = 'ServiceGone';
}

/** How long requests are repeated. */
export interface Patience {
  /** How long one request is repeated while there is no answer, in milliseconds. */
  readonly goneAfterMs: number;
  readonly attemptMs: number;
}

/** Several killed processes and servers that start again on a busy machine take more than a minute. */
const PATIENCE: Patience = { goneAfterMs: 180_000, attemptMs: 20_000 };
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const MAX_RETRY_AFTER_MS = 65_000;

/**
 * The service over HTTP. A request without an answer (refused, cut, timed out, 503, 409 by a race) is sent again
 * as it was, so whatever is sent must be safe to repeat; so is one over the rate limit, after the time it names.
 */
export class Service {
  /** Requests sent, and those of them sent again. */
  readonly counts = { sent: 0, repeated: 0 };
  private readonly addresses: readonly [string, ...string[]];
  private sockets = 0;

  /** @param addresses of its processes, none with a slash at its end: requests go to each in turn */
  constructor(
    addresses: string | readonly [string, ...string[]],
    private readonly patience: Patience = PATIENCE,
  ) {
    this.addresses = typeof addresses === 'string' ? [addresses] : addresses;
  }

  /** For a sentence about it. */
  get name(): string {
    return this.addresses.join(', ');
  }

  /** Of the next process in turn, for a WebSocket. */
  socketAddress(): string {
    const address = this.addresses[this.sockets % this.addresses.length] ?? this.addresses[0];
    this.sockets += 1;
    return address.replace(/^http/, 'ws');
  }

  /** @throws {ServiceGone} */
  async request(request: Request): Promise<Answer> {
    let pause = FIRST_PAUSE_MS;
    let since = performance.now();
    for (;;) {
      const answer = await this.attempt(request);
      if (!(answer instanceof Error) && !mayRepeat(answer)) return answer;
      if (performance.now() - since > this.patience.goneAfterMs)
        throw new ServiceGone(
          `${this.name} has not answered ${request.method} ${request.path} for ` +
            `${Math.round((performance.now() - since) / 1000)} s (${reasonOf(answer)}).`,
        );
      this.counts.repeated += 1;
      const named = answer instanceof Error ? 0 : retryAfterMs(answer);
      await sleep(Math.max(named, pause * (0.5 + Math.random())));
      // A rate limit is an answer, so the wait for it does not count.
      if (!(answer instanceof Error) && answer.status === 429) since += named;
      pause = Math.min(MAX_PAUSE_MS, pause * 2);
    }
  }

  /** One try: an answer, or why there is none. */
  async attempt({ method, path, body, headers = {} }: Request): Promise<Answer | Error> {
    const address = this.addresses[this.counts.sent % this.addresses.length] ?? this.addresses[0];
    this.counts.sent += 1;
    try {
      const response = await fetch(`${address}${path}`, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.patience.attemptMs),
        redirect: 'manual',
      });
      const text = await response.text();
      return { status: response.status, body: parsed(text), headers: response.headers };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cause instanceof Error ? cause : new Error('no answer');
    }
  }
}

const mayRepeat = (answer: Answer): boolean =>
  [429, 502, 503, 504].includes(answer.status) || (answer.status === 409 && codeOf(answer) === 'conflict');

/** The `code` of an error body, '' where there is none. */
export function codeOf({ body }: Answer): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : '';
  return typeof code === 'string' ? code : '';
}

function retryAfterMs({ headers }: Answer): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, seconds * 1000)) : 0;
}

export const reasonOf = (answer: Answer | Error): string =>
  answer instanceof Error
    ? 'code' in answer && typeof answer.code === 'string'
      ? answer.code
      : answer.message
    : `${answer.status} ${codeOf(answer)}`.trim();

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
