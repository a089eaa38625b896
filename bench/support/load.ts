import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'PATCH';
  /** For each connection (from 0) and each of its requests (from 0): where to, and with what. */
  readonly next?: (connection: number, turn: number) => { readonly path: string; readonly body: string };
}

/**
 * A closed loop without pipelining: every connection sends as soon as it is answered.
 * @returns answers in a second; anything but success is an error
 */
export const load = async ({ url, connections, seconds, headers = {}, method = 'GET', next }: Load) => {
  let connection = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    pipelining: 1,
    method,
    headers: { ...headers },
    ...(next && {
      setupClient: (client: autocannon.Client) => {
        const own = connection++;
        let turn = 0;
        const headers = { 'content-type': 'application/json' };
        // Asked for before each request; `setRequest` would change one request alone.
        const setupRequest = (request: autocannon.Request) => {
          return { ...request, ...next(own, turn++), headers: { ...request.headers, ...headers } };
        };
        client.setRequests([{ setupRequest }]);
      },
    }),
  });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${failed} requests to ${url} were not answered with success: ${statuses}.`);
  }
  return result.requests.total / result.duration;
};
