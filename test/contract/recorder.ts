import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the service, with the request's method and path. */
export interface Answered {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly body: Buffer;
}

/** A proxy before a service: it forwards every request and keeps each answer. */
export interface Recorder {
  readonly url: string;
  readonly answers: readonly Answered[];
  close(): Promise<void>;
}

/** @param target the service's URL */
export const openRecorder = async (target: string): Promise<Recorder> => {
  const answers: Answered[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const onward = send(new URL(url, target), { method, headers }, (answer) => {
      const { statusCode: status = 0 } = answer;
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = Buffer.concat(parts);
        const contentType = answer.headers['content-type'] ?? null;
        answers.push({ method, path: url.split('?')[0] ?? '', status, contentType, body });
        response.writeHead(status, answer.headers).end(body);
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
