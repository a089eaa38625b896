import autocannon from 'autocannon';
import { setTimeout as sleep } from 'node:timers/promises';

const OVER_MS = 100;

interface Next {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A load of requests, each connection sending its next one when the former is answered. */
export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** How many requests to send, shared evenly among the connections. Without it, `seconds` ends the load. */
  readonly amount?: number;
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: GET. */
  readonly method?: 'GET' | 'PATCH' | 'POST';
  /**
   * For each connection (from 0) and each of its requests (from 0): where to, and with what. Default: `url`, without a
   * body.
   */
  readonly next?: (connection: number, turn: number) => Next;
}

/**
 * A closed loop without pipelining: every connection sends as soon as it is answered.
 * @returns answers in a second; anything but success is an error
 */
export const load = async ({
  url,
  connections,
  seconds,
  amount,
  headers = {},
  method = 'GET',
  next,
}: Load) => {
  let connection = 0;
  const result = await autocannon({
    url,
    connections,
    // It ends at the end of a sample.
    ...(amount === undefined ? { duration: seconds } : { amount, sampleInt: 20 }),
    pipelining: 1,
    method,
    headers: { ...headers },
    ...(next && {
      setupClient: (client: autocannon.Client) => {
        const own = connection++;
        let turn = 0;
        // Asked for before each request; `setRequest` would change one request alone.
        const setupRequest = (request: autocannon.Request) => {
          const { path, body, headers: ofOne } = next(own, turn++);
          const all = { ...request.headers, 'content-type': 'application/json', ...ofOne };
          return { ...request, path, body, headers: all };
        };
        client.setRequests([{ setupRequest }]);
      },
    }),
  });
  // Commands that were under way at the end must not meet the next load's.
  await sleep(OVER_MS);
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${failed} requests to ${url} were not answered with success: ${statuses}.`);
  }
  if (result.requests.total === 0) throw new Error(`No request to ${url} was answered in ${seconds} s.`);
  return result.requests.total / result.duration;
};
