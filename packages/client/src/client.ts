import type { paths } from './contract.js';
import { AssayError } from './errors.js';
import { addressOf, type Answer, limited, type Params, pause, read } from './exchange.js';
import type { DataOf, InputOf, ItemOf, ListPath, Method, Page, PathOf } from './operations.js';

/** How every call of a client is made, unless the call says otherwise. */
interface Settings {
  /** How often a call is tried again, 3 unless given. */
  readonly maxRetries?: number;
  /** The time limit of each try, the answer's body included, in milliseconds: 10,000 unless given. */
  readonly timeoutMs?: number;
  /** The longest wait between two tries, in milliseconds, 60,000 unless given. The call fails if the service asks for more. */
  readonly maxWaitMs?: number;
}

export interface ClientOptions extends Settings {
  /** The service's address, such as `https://assay.example`. */
  readonly baseUrl: string;
  /**
   * The credential, or a function that returns one, called before each try. After a 401 it is called once more, with the
   * credential that was refused. `null`: the call is sent without one.
   */
  readonly token?: string | ((refused: string | null) => string | null | Promise<string | null>);
  /** Sends the requests; the global `fetch` unless given. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions extends Settings {
  /**
   * Ends the call, also while it waits for another try: it rejects with the signal's reason. A call of `token` that is
   * under way is awaited first.
   */
  readonly signal?: AbortSignal | undefined;
  /** A record's `version`, or an ETag: if the record has another one by now, the call fails with `version_mismatch`. */
  readonly ifMatch?: number | string;
  /** Of a POST: the key of an earlier call, to send the same command again. Unless given, each call makes a new key. */
  readonly idempotencyKey?: string;
  /** The browser finishes the request also if the page is left meanwhile. The body may have 64 KiB at most. */
  readonly keepalive?: boolean;
}

export interface SendOptions extends CallOptions {
  /** An ETag: if it is still the record's, the answer has the status 304 and no data. */
  readonly ifNoneMatch?: string;
}

/** The parts of a call that can be left out, if the operation needs none of them. */
type Rest<Input> = Partial<Input> extends Input ? [call?: Input] : [call: Input];
type CallOf<M extends Method, P extends keyof paths> = Rest<InputOf<M, P> & CallOptions>;

/** A call without its types. `params` and `body` are absent if the operation needs none. */
export interface Call extends SendOptions {
  /** Of the path and of the query. */
  readonly params?: Params;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What a list is searched for; without it the list is not searched. */
  readonly searchText?: string | undefined;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** Maximum number of consistency tokens of a read: those of commands that ran at the same time, newest kept. */
const MAX_TOKENS = 32;

/**
 * Calls the API of Assay. It keeps the Consistency-Tokens of its commands, so that its reads show what it has written:
 * use one client for what belongs together.
 */
export class AssayClient {
  /** Tokens that reads send. `arrival`: 1 for the first token of this client, 2 for the second, and so on. */
  private tokens: readonly { readonly token: string; readonly arrival: number }[] = [];
  /** How many tokens have arrived. */
  private arrivals = 0;

  constructor(private readonly options: ClientOptions) {}

  /** Reads. @throws {AssayError} */
  get<P extends PathOf<'get'>>(path: P, ...[call]: CallOf<'get', P>): Promise<DataOf<'get', P>> {
    return this.dataOf('get', path, call);
  }

  /** Sends a command under an Idempotency-Key, so that it is done once also if it is tried again. @throws {AssayError} */
  post<P extends PathOf<'post'>>(path: P, ...[call]: CallOf<'post', P>): Promise<DataOf<'post', P>> {
    return this.dataOf('post', path, call);
  }

  /** Replaces. @throws {AssayError} */
  put<P extends PathOf<'put'>>(path: P, ...[call]: CallOf<'put', P>): Promise<DataOf<'put', P>> {
    return this.dataOf('put', path, call);
  }

  /** Changes a record. @throws {AssayError} */
  patch<P extends PathOf<'patch'>>(path: P, ...[call]: CallOf<'patch', P>): Promise<DataOf<'patch', P>> {
    return this.dataOf('patch', path, call);
  }

  /**
   * Removes.
   * @throws {AssayError} `not_found` also if an earlier try whose answer was lost has removed the record
   */
  delete<P extends PathOf<'delete'>>(path: P, ...[call]: CallOf<'delete', P>): Promise<DataOf<'delete', P>> {
    return this.dataOf('delete', path, call);
  }

  /** The items of a list, page by page as they are taken. `limit` is the size of a page. @throws {AssayError} */
  async *list<P extends ListPath>(
    path: P,
    ...[call]: CallOf<'get', P>
  ): AsyncGenerator<ItemOf<P>, void, void> {
    const given: Call = call ?? {};
    let cursor = given.params?.['cursor'];
    do {
      const params = { ...given.params, cursor };
      const page = await this.dataOf<Page<ItemOf<P>>>('get', path, { ...given, params });
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** As the other methods, with the status, the ETag and the headers of the answer. @throws {AssayError} */
  send<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[call]: Rest<InputOf<M, P> & SendOptions>
  ): Promise<Answer<DataOf<M, P> | (M extends 'get' ? undefined : never)>> {
    return this.tried(method, path, call ?? {});
  }

  /** Lets another client read what this one has written (`readAfter`); `null`: it has written nothing. */
  get consistencyToken(): string | null {
    return this.tokens.length > 0 ? this.tokens.map(({ token }) => token).join(', ') : null;
  }

  /** Adds a token that came another way, such as over the interview's socket: later reads also show what it covers. */
  readAfter(consistencyToken: string): void {
    for (const token of consistencyToken.split(', ')) this.keep(token, 0);
  }

  private async dataOf<T>(method: Method, path: string, call: Call = {}): Promise<T> {
    return (await this.tried<T>(method, path, call)).data;
  }

  /** Tries until there is an answer, as often as `maxRetries` allows. Every call uses it: a subclass can have other rules. */
  protected async tried<T>(method: Method, path: string, given: Call): Promise<Answer<T>> {
    const { maxRetries = 3, maxWaitMs = 60_000, token, ...call } = { ...this.options, ...given };
    const keyed =
      method === 'post' ? { ...call, idempotencyKey: call.idempotencyKey ?? crypto.randomUUID() } : call;
    const isFunction = typeof token === 'function';
    let credential: string | null | undefined;
    let refused: string | null = null;
    let isRenewed = false;
    for (let failures = 0; ;) {
      try {
        credential = isFunction ? await token(refused) : token;
        refused = null;
        return (await this.attempt(method, path, keyed, credential)) as Answer<T>;
      } catch (error) {
        if (!(error instanceof AssayError)) throw error;
        if (error.status === 401 && credential && isFunction && !isRenewed) {
          refused = credential;
          isRenewed = true;
          continue;
        }
        const asked = error.retryAfterMs ?? 0;
        if (failures >= maxRetries || asked > maxWaitMs || !mayRepeat(error, method, call)) throw error;
        // Random, so that clients with the same Retry-After do not all try again at the same time.
        const backOff = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + Math.random());
        await pause(Math.min(maxWaitMs, asked + backOff), call.signal);
        failures += 1;
      }
    }
  }

  private async attempt(
    method: Method,
    path: string,
    {
      baseUrl,
      params,
      body,
      searchText,
      ifMatch,
      ifNoneMatch,
      idempotencyKey,
      ...call
    }: Call & ClientOptions,
    credential: string | null | undefined,
  ): Promise<Answer<unknown>> {
    const headers: Record<string, string> = {};
    const set = (name: string, value: string | null | undefined): void => {
      if (value != null) headers[name] = value;
    };
    set('Authorization', credential && `Bearer ${credential}`);
    set('Content-Type', body === undefined ? null : 'application/json');
    set('Consistency-Token', this.consistencyToken);
    set('Idempotency-Key', idempotencyKey);
    set('If-Match', typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch);
    set('If-None-Match', ifNoneMatch);
    // A header can hold only ASCII.
    set('Search-Text', searchText && encodeURIComponent(searchText));
    const { fetch: send = fetch, keepalive = false, timeoutMs = 10_000 } = call;
    const address = baseUrl.replace(/\/$/, '') + addressOf(path, params);
    const init = {
      method: method.toUpperCase(),
      headers,
      keepalive,
      cache: 'no-store',
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    } as const;
    const arrivalsBefore = this.arrivals;
    const whole = async (signal: AbortSignal): Promise<Answer<unknown>> => {
      const answer = await read(await send(address, { ...init, signal }));
      const token = answer.headers.get('Consistency-Token');
      if (token !== null) this.keep(token, arrivalsBefore);
      return answer;
    };
    return limited(timeoutMs, call.signal, whole);
  }

  /**
   * Keeps the token of an answered command, which replaces the tokens that arrived before the command was sent: its
   * position in the log is after theirs. Commands that ran at the same time are in any order, so all of their tokens are
   * kept.
   * @param arrivalsBefore `arrivals` when the command was sent; 0: it replaces no token
   */
  private keep(token: string, arrivalsBefore: number): void {
    const atTheSameTime = this.tokens.filter(({ arrival }) => arrival > arrivalsBefore);
    this.tokens = [...atTheSameTime, { token, arrival: (this.arrivals += 1) }].slice(-MAX_TOKENS);
  }
}

/**
 * Whether the same request may be sent again. After a refusal that changed nothing, any request may. If the outcome is
 * unknown, only an idempotent one: a read, a command with a key, or a PUT or DELETE without `ifMatch`, since the first try
 * may have changed the version.
 */
const mayRepeat = ({ status, code }: AssayError, method: Method, { ifMatch }: Call): boolean =>
  status === 429 ||
  code === 'conflict' ||
  ((status === 0 || status === 408 || status === 425 || status >= 500) &&
    (method === 'get' || method === 'post' || (method !== 'patch' && ifMatch === undefined)));
