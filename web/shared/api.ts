import {
  ApiFailure,
  CANCELLED,
  isTransient,
  LARGE_MS,
  noAnswer,
  withRetries,
  type Reply,
  request,
  type RequestOptions,
  retryAfterMs,
  TRY_MS,
} from './request.js';

export { ApiFailure, CANCELLED, isTransient, LARGE_MS, noAnswer };

export interface Connection {
  /** The service's address, ending in a slash. */
  readonly base: string;
  /**
   * A valid ID token; `null`: nobody is signed in.
   * @throws {ApiFailure} it cannot be had at the moment
   */
  readonly token: () => Promise<string | null>;
  /** The ID token without a wait; `null`: there is none. */
  readonly tokenNow?: () => string | null;
  /** Renews a token that the service refused. @returns `null`: nobody is signed in */
  readonly renew?: (refused: string) => Promise<string | null>;
  readonly fetch?: typeof fetch;
}

export interface Sending {
  /** Of the command: sent again, it does nothing more. Unless given, one is made. */
  readonly key?: string;
  /** How often it is tried if there is no answer, 4 unless given. */
  readonly tries?: number;
  readonly limitMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const TRIES = 4;

/**
 * The service's API for who is signed in. Each request has a valid ID token; one that the service refuses is renewed once.
 * What may succeed later is tried again, a command with the same key. A read shows what this page has written before.
 */
export class Api {
  private seen: string | null = null;
  /** Of commands whose answer is unknown, by path and body: pressed again, it is the same command. */
  private readonly keys = new Map<string, string>();

  constructor(private readonly connection: Connection) {}

  /** @throws {ApiFailure} */
  async get<T>(path: string, sending: Omit<Sending, 'key'> = {}): Promise<T> {
    return parsed((await this.send('GET', path, null, null, sending)).text) as T;
  }

  /** A file. @throws {ApiFailure} */
  async getBytes(path: string, sending: Omit<Sending, 'key'> = {}): Promise<Uint8Array> {
    const { bytes } = await this.send('GET', path, null, null, {
      limitMs: LARGE_MS,
      ...sending,
      isBinary: true,
    });
    return bytes ?? new Uint8Array();
  }

  /** @throws {ApiFailure} */
  async post<T>(path: string, content: unknown, sending: Sending = {}): Promise<T> {
    const body = JSON.stringify(content);
    const command = `${path} ${body}`;
    const key = sending.key ?? this.keys.get(command) ?? crypto.randomUUID();
    if (sending.key === undefined) this.keys.set(command, key);
    try {
      const { text } = await this.send('POST', path, body, key, sending);
      this.keys.delete(command);
      return parsed(text) as T;
    } catch (error) {
      if (error instanceof ApiFailure && error.status !== 0 && !isTransient(error)) this.keys.delete(command);
      throw error;
    }
  }

  /** Sends at once, also if the page goes away meanwhile: at most 64 KiB. @throws {ApiFailure} */
  async postLast(path: string, content: unknown): Promise<void> {
    const idToken = signedIn(this.connection.tokenNow?.() ?? null);
    const sent = { limitMs: TRY_MS, keepalive: true };
    const reply = await this.attempt('POST', path, JSON.stringify(content), null, idToken, sent);
    if (!reply.ok) throw failureOf(reply);
  }

  /** Has each later read show what the token stands for, as an answer of the socket gives it. */
  readAfter(consistencyToken: string): void {
    this.seen = consistencyToken;
  }

  private async send(
    method: string,
    path: string,
    body: string | null,
    key: string | null,
    { tries = TRIES, limitMs = TRY_MS, signal, isBinary = false }: Sending & { readonly isBinary?: boolean },
  ): Promise<Reply> {
    const { token, renew } = this.connection;
    const attempt = (idToken: string): Promise<Reply> =>
      this.attempt(method, path, body, key, idToken, { limitMs, isBinary, ...(signal && { signal }) });
    return withRetries(
      async () => {
        const idToken = signedIn(await token());
        const first = await attempt(idToken);
        const answer = first.status === 401 && renew ? await attempt(signedIn(await renew(idToken))) : first;
        if (!answer.ok) throw failureOf(answer);
        return answer;
      },
      { tries, signal },
    );
  }

  private async attempt(
    method: string,
    path: string,
    body: string | null,
    key: string | null,
    idToken: string,
    options: RequestOptions,
  ): Promise<Reply> {
    const { base, fetch: send } = this.connection;
    const reply = await request(`${base}${path}`, {
      method,
      ...options,
      ...(send && { fetch: send }),
      headers: {
        Authorization: `Bearer ${idToken}`,
        ...(body !== null && { 'Content-Type': 'application/json' }),
        ...(this.seen !== null && { 'Consistency-Token': this.seen }),
        ...(key !== null && { 'Idempotency-Key': key }),
      },
      ...(body !== null && { body }),
    });
    this.seen = reply.headers.get('Consistency-Token') ?? this.seen;
    return reply;
  }
}

const signedIn = (idToken: string | null): string => {
  if (idToken === null) throw new ApiFailure(401, 'missing_token', 'Nobody is signed in.');
  return idToken;
};

/** The code of an answer that is not the service's own. */
export const UNKNOWN = 'unknown';

const failureOf = ({ status, headers, text }: Reply): ApiFailure => {
  const { code = UNKNOWN, error = `The service answered ${status}.` } = (parsed(text) ?? {}) as {
    code?: string;
    error?: string;
  };
  return new ApiFailure(status, code, error, retryAfterMs(headers));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
