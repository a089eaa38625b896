import { buffer } from 'node:stream/consumers';
import { backoff, pause, retryAfterMs } from '../../core/backoff.js';
import { urlOf } from '../../core/text.js';
import { Cutoff, OpenAiFailed } from './failure.js';

/** An OpenAI-compatible API. */
export interface OpenAiAccess {
  /** URL with the version, without the resource: `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** `null`: the server needs none. */
  readonly apiKey: string | null;
}

/** Limits of a call. */
export interface OpenAiLimits {
  /** Time limit of an attempt; of a stream, up to its first piece and between two pieces. In milliseconds. */
  readonly attemptMs: number;
  /** Time limit of all attempts with the pauses between them; of a stream, up to its first piece. In milliseconds. */
  readonly deadlineMs: number;
  /** Limit of attempts. */
  readonly attempts: number;
  /** Largest answer, in bytes. */
  readonly maxBytes: number;
}

/** Limits of a call for a chat completion. */
export const CHAT_LIMITS: OpenAiLimits = {
  attemptMs: 8_000,
  deadlineMs: 20_000,
  attempts: 3,
  maxBytes: 256 * 1024,
};

/**
 * Calls an OpenAI-compatible API with `fetch`, since the official package needs a newer Node. A temporary failure is
 * retried after a pause, or after the time that the API requests, if the deadline allows. Redirects are not followed,
 * so that no other server gets the key.
 */
export class OpenAiHttp {
  readonly #base: URL;
  readonly #headers: Headers;
  /** The API's name in messages. The rest of the URL can be secret. */
  readonly #api: string;

  /** @throws {Error} the base URL or the key cannot be used; the message does not show the key */
  constructor(
    access: OpenAiAccess,
    private readonly limits: OpenAiLimits,
  ) {
    const base = urlOf(access.baseUrl);
    if (base === null) throw new Error('OPENAI_BASE_URL is not a URL.');
    this.#base = base;
    if (!/^https?:$/.test(this.#base.protocol) || this.#base.username || this.#base.password)
      throw new Error('OPENAI_BASE_URL must be an http or https URL without a user or a password.');
    this.#api = `The API at ${this.#base.host}`;
    this.#headers = headersWith(access.apiKey);
  }

  /** POST of JSON, answered by JSON. @throws {OpenAiFailed} */
  json(path: `/${string}`, body: object, signal: AbortSignal): Promise<unknown> {
    return this.#callForJson(path, jsonBody(body), signal);
  }

  /** POST of a multipart form, answered by JSON. @throws {OpenAiFailed} */
  form(path: `/${string}`, form: FormData, signal: AbortSignal): Promise<unknown> {
    return this.#callForJson(path, { body: form, headers: {} }, signal);
  }

  /**
   * POST of JSON, answered by a stream of bytes in pieces of any length. The call is retried until the first piece has
   * come. Time counts only while a piece is awaited. The call ends when reading stops.
   * @throws {OpenAiFailed} also in the middle of the stream
   */
  async *stream(
    path: `/${string}`,
    body: object,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { pieces, first, cutoff } = await this.#withRetries(signal, async (cutoff) => {
      const response = await this.#post(path, jsonBody(body), cutoff);
      const pieces = bounded(response, this.limits.maxBytes, this.#api);
      return { pieces, first: await pieces.next(), cutoff };
    });
    try {
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        cutoff.hold();
        yield piece.value;
        cutoff.allow(this.limits.attemptMs);
      }
    } catch (error) {
      throw this.#failureOf(error, cutoff);
    } finally {
      cutoff.close();
    }
  }

  #callForJson(path: string, sent: RequestBody, signal: AbortSignal): Promise<unknown> {
    return this.#withRetries(signal, async (cutoff) => {
      const answer = await readJson(await this.#post(path, sent, cutoff), this.limits.maxBytes, this.#api);
      cutoff.close();
      return answer;
    });
  }

  async #withRetries<T>(signal: AbortSignal, attempt: (cutoff: Cutoff) => Promise<T>): Promise<T> {
    const { attempts, attemptMs, deadlineMs } = this.limits;
    const endsAt = performance.now() + deadlineMs;
    for (let failures = 0; ; failures += 1) {
      const cutoff = new Cutoff(signal, Math.min(attemptMs, endsAt - performance.now()));
      try {
        return await attempt(cutoff);
      } catch (error) {
        const failure = this.#failureOf(error, cutoff);
        cutoff.close();
        const wait = failure.retryAfterMs ?? backoff(failures, 250, 4_000);
        const left = endsAt - performance.now();
        if (!failure.isTemporary || failures + 1 >= attempts || wait >= left) throw failure;
        await pause(wait, signal);
      }
    }
  }

  async #post(path: string, sent: RequestBody, cutoff: Cutoff): Promise<Response> {
    const url = new URL(this.#base);
    // The lookbehind keeps the match fast if a path has many slashes.
    url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(sent.headers)) headers.set(name, value);
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: sent.body,
      signal: cutoff.signal,
    });
    if (!response.ok) throw statusFailure(response, this.#api);
    return response;
  }

  #failureOf(error: unknown, cutoff: Cutoff): OpenAiFailed {
    if (cutoff.reason === 'aborted') return new OpenAiFailed('aborted', 'The call was given up.');
    if (cutoff.reason === 'timed_out')
      return new OpenAiFailed('timed_out', `${this.#api} did not answer in time.`);
    if (error instanceof OpenAiFailed) return error;
    // Messages of `fetch` can quote the request: only the system's error code is used.
    const code = String(member(member(error, 'cause'), 'code'));
    const why = /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : '';
    return new OpenAiFailed('unreachable', `${this.#api} cannot be reached, or broke off${why}.`);
  }
}

/** An own member of a JSON object; `undefined`: there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

interface RequestBody {
  readonly body: string | FormData;
  readonly headers: Readonly<Record<string, string>>;
}

const jsonBody = (body: object): RequestBody => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const headersWith = (apiKey: string | null): Headers => {
  try {
    return new Headers({
      'user-agent': 'assay',
      ...(apiKey !== null && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    });
  } catch {
    throw new Error('OPENAI_API_KEY holds characters that no HTTP header can carry.');
  }
};

/** The failure for an HTTP status. @param api the API's name in messages */
const statusFailure = (response: Response, api: string): OpenAiFailed => {
  const { status } = response;
  const code =
    status === 429
      ? 'rate_limited'
      : status >= 500 || status === 408 || status === 409
        ? 'unavailable'
        : 'refused';
  const hint =
    status === 401 || status === 403
      ? ': check OPENAI_API_KEY'
      : status === 404
        ? ': check OPENAI_BASE_URL and OPENAI_MODEL'
        : '';
  return new OpenAiFailed(code, `${api} answered ${status}${hint}.`, retryAfter(response.headers));
};

/** The wait that the API requests, in milliseconds; `null`: none. */
export const retryAfter = (headers: Headers): number | null => {
  const precise = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(precise)) return Number(precise);
  return retryAfterMs(headers.get('retry-after'), headers.get('date'));
};

/** The pieces of an answer. @throws {OpenAiFailed} `too_large`: more than `maxBytes` in all */
export async function* bounded(
  response: Response,
  maxBytes: number,
  api: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tooLarge = (): OpenAiFailed =>
    new OpenAiFailed('too_large', `${api} answered more than ${maxBytes} bytes.`);
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    if (chunk.byteLength > 0) yield chunk;
  }
}

/** Reads a whole answer as JSON. @throws {OpenAiFailed} `too_large`, `not_json` */
const readJson = async (response: Response, maxBytes: number, api: string): Promise<unknown> => {
  const text = (await buffer(bounded(response, maxBytes, api))).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OpenAiFailed('not_json', `${api} answered something that is not JSON.`);
  }
};
