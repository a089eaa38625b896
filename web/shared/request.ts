import { serviceClock } from './clock.js';

/** A request that was refused or got no answer. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';

  /**
   * @param status 0: there was no answer
   * @param retryAfterMs how long the service asks to wait before another try; `null`: it does not
   */
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(sentence);
  }
}

/** The failure of a request that the candidate has cancelled. */
const cancelled = (): ApiFailure => new ApiFailure(0, CANCELLED, 'Cancelled.');

/** The failure of a request without an answer. */
export const noAnswer = (): ApiFailure => new ApiFailure(0, 'offline', 'There was no answer.');

const isFailure = (error: unknown): error is ApiFailure => error instanceof ApiFailure;

/** Whether another try may succeed. A request that the candidate has cancelled is not tried again by itself. */
export const isTransient = (error: unknown): boolean =>
  isFailure(error) &&
  ([0, 408, 425, 429].includes(error.status) ||
    error.status >= 500 ||
    (error.status === 409 && error.code === 'conflict')) &&
  error.code !== CANCELLED;

/** The code of a request that the candidate has cancelled. */
export const CANCELLED = 'cancelled';

/** Time limit of a try, its answer's body included, in milliseconds. */
export const TRY_MS = 10_000;
/** Time limit of a try that sends or reads a file, in milliseconds. */
export const LARGE_MS = 60_000;

export interface RequestOptions extends RequestInit {
  /** Time limit of the try. Default: `TRY_MS`. */
  readonly limitMs?: number;
  /** The answer is a file, not text. */
  readonly isBinary?: boolean;
  /** Default: the browser's. */
  readonly fetch?: typeof fetch;
}

/** An answer with its whole body. */
export interface Reply {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly text: string;
  /** If `isBinary` was asked for. */
  readonly bytes?: Uint8Array;
}

/**
 * One try of a request: `Api` and the sign-in are built on it. The answer sets the page's clock.
 * @throws {ApiFailure} there was no whole answer in time, or the candidate cancelled the wait
 */
export const request = async (url: string, options: RequestOptions = {}): Promise<Reply> => {
  const { limitMs = TRY_MS, isBinary, fetch: send = fetch, signal, ...init } = options;
  assertWanted(signal);
  const aborting = new AbortController();
  let cancel = (): void => undefined;
  // A race, since a browser's read of a body may not end after an abort.
  const ended = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      reject(new ApiFailure(0, 'timeout', 'There was no answer in time.'));
      aborting.abort();
    }, limitMs);
    const leave = (): void => {
      reject(cancelled());
      aborting.abort();
    };
    signal?.addEventListener('abort', leave);
    cancel = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    };
  });
  const whole = async (): Promise<Reply> => {
    const askedAt = serviceClock.mark();
    const answer = await send(url, { cache: 'no-store', ...init, signal: aborting.signal });
    serviceClock.learn(answer.headers.get('Date'), askedAt);
    const { status, ok, headers } = answer;
    return isBinary && ok
      ? { status, ok, headers, text: '', bytes: new Uint8Array(await answer.arrayBuffer()) }
      : { status, ok, headers, text: await answer.text() };
  };
  try {
    return await Promise.race([whole(), ended]);
  } catch (error) {
    throw isFailure(error) ? error : noAnswer();
  } finally {
    cancel();
  }
};

/** Time limit of a script that the page loads when it needs it, such as the editor. */
export const SCRIPT_MS = 15_000;

/**
 * Adds a time limit to work of the browser that has none: the import of a script whose request gets no answer stays
 * pending, and a second import of it waits for the same request.
 * @throws {ApiFailure} it did not end in time
 */
export const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noAnswer()), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const FIRST_PAUSE_MS = 500;
/** If the service asks for a longer wait, the page shows the failure instead. */
const MAX_PAUSE_MS = 10_000;

/** How long to wait before the next try, in milliseconds. @param failures in a row, at least 1 */
export const pauseAfter = (failures: number, error: unknown, random = Math.random()): number => {
  const asked = isFailure(error) ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + random));
};

const assertWanted = (signal: AbortSignal | null | undefined): void => {
  if (signal?.aborted) throw cancelled();
};

/**
 * Tries until it succeeds, `tries` times at most, while the failures are transient. It waits longer after each failure.
 * @param signal once it has aborted, no try follows
 * @throws the failure of the last try; {ApiFailure} with the code `CANCELLED` if the signal has aborted
 */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  { tries, signal }: { readonly tries: number; readonly signal?: AbortSignal | undefined },
): Promise<T> => {
  for (let failures = 1; ; failures += 1) {
    assertWanted(signal);
    try {
      return await attempt();
    } catch (error) {
      assertWanted(signal);
      const pauseMs = pauseAfter(failures, error);
      if (failures >= tries || !isTransient(error) || pauseMs > 2 * MAX_PAUSE_MS) throw error;
      await pause(pauseMs, signal);
    }
  }
};

/** Ends early if the candidate cancels. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

/** The wait that the header `Retry-After` asks for, in milliseconds; `null`: none. Its value is seconds or a date. */
export const retryAfterMs = (headers: Headers): number | null => {
  const value = headers.get('Retry-After');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - serviceClock.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
