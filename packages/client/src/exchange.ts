import type { Error as ErrorBody } from './contract.js';
import { AssayError } from './errors.js';

/** An answer with its whole body. */
export interface Answer<T> {
  readonly status: number;
  /** JSON as a value, plain text as a string, any other body as bytes; `undefined`: a 304, or no body. */
  readonly data: T;
  /** The header `ETag`; `null`: the answer has none, as a list's. */
  readonly etag: string | null;
  readonly headers: Headers;
}

/**
 * Runs one try, which a time limit or a signal ends. It is a race, since a browser's read of a body may not end after an
 * abort.
 * @param ms the time limit in milliseconds
 * @param outer the caller's signal, if there is one
 * @throws {AssayError} `timeout`, `no_answer`, or what `attempt` throws; or else the signal's reason
 */
export const limited = async <T>(
  ms: number,
  outer: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  outer?.throwIfAborted();
  const aborting = new AbortController();
  let cancel = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: Error): void => {
      reject(reason);
      aborting.abort();
    };
    const leave = (): void => end(outer?.reason as Error);
    const timer = setTimeout(() => end(new AssayError(0, 'timeout', 'There was no answer in time.')), ms);
    outer?.addEventListener('abort', leave);
    cancel = () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', leave);
    };
  });
  const answered = attempt(aborting.signal).catch((cause: unknown) => {
    throw cause instanceof AssayError
      ? cause
      : new AssayError(0, 'no_answer', 'There was no answer.', { cause });
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    cancel();
  }
};

/** Waits so many milliseconds. @throws the signal's reason, if it has aborted or aborts during the wait */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, ms);
    signal?.addEventListener('abort', leave);
    if (signal?.aborted) leave();
  });

/** Parameters by name; `null` and `undefined` are left out of a query. */
export type Params = Readonly<Record<string, Param | readonly Param[]>>;
type Param = string | number | boolean | null | undefined;

/**
 * The path with its parameters in place; those that it does not name are the query.
 * @throws {TypeError} a value in the path is empty, `.` or `..`
 */
export const addressOf = (path: string, params: Params = {}): string => {
  const query = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(params)) {
    const place = `{${name}}`;
    if (path.includes(place)) address = address.replace(place, () => segmentOf(name, String(value)));
    else for (const one of [value].flat()) if (one != null) query.append(name, String(one));
  }
  return `${address}?${query}`.replace(/\?$/, '');
};

/** @throws {TypeError} with this value the path would be another one */
const segmentOf = (name: string, value: string): string => {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} cannot be "${value}".`);
  return encodeURIComponent(value);
};

/** Reads an answer with its body. @throws {AssayError} it is a refusal, or not an answer of the service */
export const read = async (response: Response): Promise<Answer<unknown>> => {
  const { status, ok, headers } = response;
  const type = headers.get('Content-Type') ?? '';
  const answerWith = (data: unknown): Answer<unknown> => ({
    status,
    data,
    etag: headers.get('ETag'),
    headers,
  });
  if (status === 304 || (ok && type === '')) return answerWith(undefined);
  // A CSV is returned as bytes too: as a text it would lose its byte order mark.
  if (ok && !/^(application\/json|text\/(?!csv))/.test(type))
    return answerWith(new Uint8Array(await response.arrayBuffer()));
  const text = await response.text();
  if (ok && type.startsWith('text/plain')) return answerWith(text);
  const body = type.startsWith('application/json') ? parsed(text) : undefined;
  if (ok && body !== undefined) return answerWith(body);
  const { error, code, ...known } = (body ?? {}) as Partial<ErrorBody>;
  throw typeof error === 'string' && typeof code === 'string'
    ? new AssayError(status, code, error, { ...known, headers })
    : new AssayError(status, 'unknown', `This is not an answer of the service (${status}).`, { headers });
};

/** `undefined`: it is not JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
