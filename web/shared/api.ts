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

/** How the API is reached, and as whom. */
export interface Connection {
  /** The service's address, ending in a slash. */
  readonly base: string;
  /**
   * A valid ID token; `null`: signed out.
   * @throws {ApiFailure} the token cannot be renewed now
   */
  readonly token: () => Promise<string | null>;
  /** The ID token without a wait; `null`: there is none. */
  readonly tokenNow: () => string | null;
  /** Renews a token that the service refused. @returns `null`: signed out */
  readonly renew: (refused: string) => Promise<string | null>;
  /** For tests; the browser's by default. */
  readonly fetch?: typeof fetch;
}

/** Options of a request. */
export interface Sending {
  /** Idempotency key: a command that is sent again with the same key has no further effect. Made unless given. */
  readonly key?: string | undefined;
  /** Tries if it fails with a transient error, 4 by default. */
  readonly tries?: number;
  /** Time limit of each try, `TRY_MS` by default; `LARGE_MS` for files. */
  readonly limitMs?: number;
  /** Cancels it, if there is one: the failure's code is `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_TRIES = 4;
/** More than the commands that a page sends at once. */
const MAX_TOKENS = 8;

/**
 * The service's API for the person who is signed in. A token that the service refuses is renewed once, and failures that
 * may pass are tried again, commands with the same key. Each method throws {ApiFailure} if the request is refused or gets
 * no answer. A read shows what this page has written before.
 */
export class Api {
  /**
   * The newest consistency tokens: reads wait until they show at least their writes. Several, since commands that run at
   * once are answered in any order.
   */
  private seen: readonly string[] = [];
  /** Keys of commands whose outcome is unknown, by path and body: the same button pressed again repeats the command. */
  private readonly keys = new Map<string, string>();

  constructor(private readonly connection: Connection) {}

  /** @returns the answer's JSON; `null` if it has none */
  async get<T>(path: string, sending: Omit<Sending, 'key'> = {}): Promise<T> {
    return parsed((await this.send('GET', path, null, null, sending)).text) as T;
  }

  /** @returns the content of a file */
  async getBytes(path: string, sending: Omit<Sending, 'key'> = {}): Promise<Uint8Array> {
    const { bytes } = await this.send('GET', path, null, null, {
      limitMs: LARGE_MS,
      ...sending,
      isBinary: true,
    });
    return bytes ?? new Uint8Array();
  }

  /** @returns the answer's JSON; `null` if it has none */
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

  /** Sends once, even if the page is closed meanwhile: at most 64 KiB, with the token at hand, without a key. */
  async postLast(path: string, content: unknown): Promise<void> {
    const idToken = signedIn(this.connection.tokenNow());
    const sent = { limitMs: TRY_MS, keepalive: true };
    const reply = await this.attempt('POST', path, JSON.stringify(content), null, idToken, sent);
    if (!reply.ok) throw failureOf(reply);
  }

  /** Later reads show at least the writes up to this consistency token, which came over the interview's socket. */
  readAfter(consistencyToken: string): void {
    this.seen = [consistencyToken, ...this.seen].slice(0, MAX_TOKENS);
  }

  private async send(
    method: string,
    path: string,
    body: string | null,
    key: string | null,
    {
      tries = MAX_TRIES,
      limitMs = TRY_MS,
      signal,
      isBinary = false,
    }: Sending & { readonly isBinary?: boolean },
  ): Promise<Reply> {
    const { token, renew } = this.connection;
    const attempt = (idToken: string): Promise<Reply> =>
      this.attempt(method, path, body, key, idToken, { limitMs, isBinary, ...(signal && { signal }) });
    return withRetries(
      async () => {
        const idToken = signedIn(await token());
        const first = await attempt(idToken);
        const answer = first.status === 401 ? await attempt(signedIn(await renew(idToken))) : first;
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
        ...(this.seen.length > 0 && { 'Consistency-Token': this.seen.join() }),
        ...(key !== null && { 'Idempotency-Key': key }),
      },
      ...(body !== null && { body }),
    });
    const token = reply.headers.get('Consistency-Token');
    if (token) this.readAfter(token);
    return reply;
  }
}

const signedIn = (idToken: string | null): string => {
  if (idToken === null) throw new ApiFailure(401, 'missing_token', 'Nobody is signed in.');
  return idToken;
};

/** The code of a refusal that has none, such as a proxy's. */
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
