import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

/** What a candidate's page is served from: an origin of its own. */
export interface PageServer {
  readonly origin: string;
  close(): Promise<void>;
}

const PAGE = resolve('test/support/browser-interview/page.html');
/** The compiled modules of the client and the protocol, as a page imports them. */
const MODULE = /^\/packages\/interview-client\/src\/(protocol\/)?[a-z-]+\.js$/;

/** @param speechOf the PCM that the page speaks in a turn */
export const servePage = async (speechOf: (turn: number) => Uint8Array): Promise<PageServer> => {
  const answer = async (path: string): Promise<readonly [type: string, body: Uint8Array] | null> => {
    if (path === '/') return ['text/html', await readFile(PAGE)];
    if (MODULE.test(path)) return ['text/javascript', await readFile(resolve(`dist${path}`))];
    const turn = /^\/speech\/(\d+)$/.exec(path)?.[1];
    return turn === undefined ? null : ['application/octet-stream', speechOf(Number(turn))];
  };
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(
      (found) => {
        if (found) response.writeHead(200, { 'content-type': found[0] }).end(found[1]);
        else response.writeHead(404).end();
      },
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
