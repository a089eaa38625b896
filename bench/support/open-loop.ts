import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';

/** One request of a loop: by default a GET (`method`). Without `headers` and `body` it has none. */
export interface LoopRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PATCH' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string | Buffer;
  /** 409 counts as success: a service that has fallen behind gets two changes of one record at once. */
  readonly mayConflict?: boolean;
}

/** A load at a constant rate, however fast answers come. */
export interface OpenLoop {
  /** The request of each turn, from 0. */
  readonly next: (turn: number) => LoopRequest;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

/** Time for connections to open, and for code to be optimised again. */
export const WARM_UP_SECONDS = 1;

/** Keeps its connections open between requests, at most 256. The caller destroys it. */
export const keepAliveAgent = (): Agent => new Agent({ connections: 256, pipelining: 1 });

/**
 * Sends at fixed times, also while earlier requests wait for their answers. Those of the first `WARM_UP_SECONDS` are not measured.
 * @returns milliseconds from the time at which each was to be sent to the end of its answer; an answer that is no
 * success is an error
 */
export async function openLoop({ next, rate, seconds }: OpenLoop): Promise<readonly number[]> {
  const agent = keepAliveAgent();
  const warmUp = Math.round(rate * WARM_UP_SECONDS);
  const count = warmUp + Math.round(rate * seconds);
  const begin = performance.now() + 20;
  const answers: Promise<number>[] = [];
  try {
    for (let n = 0; n < count; n++) {
      const due = begin + (n * 1000) / rate;
      const ahead = due - performance.now();
      if (ahead > 1) await sleep(ahead);
      answers.push(answered(agent, next(n)).then(() => performance.now() - due));
    }
    return (await Promise.all(answers)).slice(warmUp);
  } finally {
    await agent.destroy();
  }
}

/** Sends a request and reads its answer to the end; one that is no success is an error. */
export const answered = (
  agent: Agent,
  { url, method = 'GET', headers = {}, body, mayConflict = false }: LoopRequest,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const path = url.indexOf('/', url.indexOf('//') + 2);
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    let status = 0;
    // Takes a third of the processor time of `node:http`: the service runs on the same processors.
    agent.dispatch(
      {
        origin: url.slice(0, path),
        path: url.slice(path),
        method,
        headers: { ...headers, ...json },
        body: body ?? null,
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          if ((status >= 200 && status < 300) || (mayConflict && status === 409)) resolve();
          else reject(new Error(`${method} ${url} answered ${status}.`));
        },
        onResponseError: (_, error) => {
          reject(error);
        },
      },
    );
  });

/** @param share between 0 and 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
