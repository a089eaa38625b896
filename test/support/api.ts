import { tokenFor } from './tokens.js';

/** An answer. `body` is its parsed JSON, `null` if it is none; `text` the body as it was sent. */
export interface Reply<B = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: B;
  readonly text: string;
}

/** The parts of a request in addition to method and path. */
export interface Sent {
  readonly token?: string | null;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP client of a service. */
export class Api {
  constructor(readonly url: string) {}

  async send<B = unknown>(
    method: string,
    path: string,
    { token, body, headers }: Sent = {},
  ): Promise<Reply<B>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : null) as B,
      text,
    };
  }

  /** Signs a person in at the development issuer. */
  async as(email: string, emailVerified = true): Promise<Person> {
    return new Person(this, email, await tokenFor(this.url, email, emailVerified));
  }
}

/** A client with one person's token. It sends the last consistency token, so that its reads show its own writes. */
export class Person {
  private seen: string | null = null;

  constructor(
    readonly api: Api,
    readonly email: string,
    readonly token: string,
  ) {}

  get<B = unknown>(path: string, headers: Record<string, string> = {}): Promise<Reply<B>> {
    return this.send('GET', path, undefined, headers);
  }

  post<B = unknown>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<B>> {
    return this.send('POST', path, body, headers);
  }

  put<B = unknown>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<B>> {
    return this.send('PUT', path, body, headers);
  }

  patch<B = unknown>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<B>> {
    return this.send('PATCH', path, body, headers);
  }

  delete<B = unknown>(path: string, headers: Record<string, string> = {}): Promise<Reply<B>> {
    return this.send('DELETE', path, undefined, headers);
  }

  async send<B = unknown>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply<B>> {
    const reply = await this.api.send<B>(method, path, {
      token: this.token,
      ...(body !== undefined && { body }),
      headers: { ...(this.seen !== null && { 'consistency-token': this.seen }), ...headers },
    });
    this.seen = reply.headers.get('consistency-token') ?? this.seen;
    return reply;
  }

  /** Takes over the other person's consistency token: later reads show what that person has written so far. */
  follow(other: Person): void {
    this.seen = other.seen ?? this.seen;
  }
}
