/** A request that was refused or got no answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  /** @param status 0: there was no answer */
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

export const noAnswer = (): ApiFailure => new ApiFailure(0, 'offline', 'There was no answer.');

/** Whether another try may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status === 429 || error.status >= 500);

export interface Connection {
  /** The service's address, ending in a slash. */
  readonly base: string;
  /**
   * A valid ID token; `null`: nobody is signed in.
   * @throws {ApiFailure} it cannot be had at the moment
   */
  readonly token: () => Promise<string | null>;
  readonly fetch?: typeof fetch;
}

/** The service's candidate paths. A read shows what this page has written before. */
export class Api {
  private seen: string | null = null;

  constructor(private readonly connection: Connection) {}

  /** @throws {ApiFailure} */
  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  /**
   * @param key of the command: sent again, it does nothing more
   * @throws {ApiFailure}
   */
  post<T>(path: string, body: unknown, key: string | null = null): Promise<T> {
    return this.send<T>('POST', path, body, key);
  }

  /** A read of this page, made after what the token is of, shows it. */
  saw(consistencyToken: string): void {
    this.seen = consistencyToken;
  }

  private async send<T>(method: string, path: string, body?: unknown, key: string | null = null): Promise<T> {
    const { base, token, fetch: send = fetch } = this.connection;
    const idToken = await token();
    if (idToken === null) throw new ApiFailure(401, 'missing_token', 'Nobody is signed in.');
    const response = await send(`${base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${idToken}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.seen !== null && { 'Consistency-Token': this.seen }),
        ...(key !== null && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw noAnswer();
    });
    this.seen = response.headers.get('Consistency-Token') ?? this.seen;
    const text = await response.text();
    const answer = parsed(text);
    if (response.ok) return answer as T;
    const { code = 'unknown', error = `The service answered ${response.status}.` } = (answer ?? {}) as {
      code?: string;
      error?: string;
    };
    throw new ApiFailure(response.status, code, error);
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
