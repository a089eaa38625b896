import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the fake API has received. */
export interface Asked {
  /** The path below the base URL, such as `/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body of a JSON request, else `null`. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The form of a multipart request, else `null`. */
  readonly form: FormData | null;
  /** Its arrival, in milliseconds of this process's monotonic clock. */
  readonly atMs: number;
}

/** The messages of a chat's request. */
export const messagesOf = (asked: Pick<Asked, 'body'> | undefined) =>
  asked!.body!['messages'] as readonly { readonly role: string; readonly content: string }[];

/** How the fake API answers a request. */
export type Reply =
  /** Answers with JSON; a text is sent unchanged. */
  | {
      readonly does: 'answer';
      readonly body: unknown;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Never answers. */
  | { readonly does: 'hang' }
  /** Closes the connection; if `afterBytes` is given, after so many bytes of a 200. */
  | { readonly does: 'cut'; readonly afterBytes?: number }
  /** Answers with pieces, `everyMs` apart. The answer never ends if `ends` is false, and breaks off if it is `cut`. */
  | {
      readonly does: 'stream';
      readonly pieces: readonly Uint8Array[];
      readonly everyMs?: number;
      readonly ends?: boolean | 'cut';
    }
  /** Answers without an end, as fast as it is read. */
  | { readonly does: 'flood' };

/** An OpenAI-compatible API on a port of its own. */
export interface FakeOpenAi {
  /** The base URL. */
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Used first, one for each request. */
  readonly replies: Reply[];
  /** Answers requests for which `replies` has none. */
  otherwise: (asked: Asked) => Reply;
  /** The number of requests that are being answered. */
  open(): number;
  close(): Promise<void>;
}

/** A chat completion with this content; an object is sent as JSON. */
export const completion = (content: unknown): Reply => ({
  does: 'answer',
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
        },
      },
    ],
    usage: { total_tokens: 100 },
  },
});

/** A refusal in the form of these APIs. */
export const failing = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  does: 'answer',
  status,
  headers,
  body: { error: { message: 'It did not go well.', type: 'error', code: null } },
});

/** Starts a fake API on a free port. It answers 404 until a test sets `replies` or `otherwise`. Close it. */
export const startFakeOpenAi = async (
  otherwise: (asked: Asked) => Reply = () => failing(404),
): Promise<FakeOpenAi> => {
  const asked: Asked[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    void received(request)
      .then((one) => {
        asked.push(one);
        return play(fake.replies.shift() ?? fake.otherwise(one), response);
      })
      // The client disconnected, or the test's answer threw: then the client sees a broken connection.
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeOpenAi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    replies: [],
    otherwise,
    open: () => open,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
};

const received = async (request: IncomingMessage): Promise<Asked> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  return {
    path: (request.url ?? '').replace(/^\/v1/, ''),
    headers: request.headers,
    body: type.startsWith('application/json')
      ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>)
      : null,
    form: type.startsWith('multipart/form-data')
      ? // eslint-disable-next-line @typescript-eslint/no-deprecated -- for servers of strangers; these forms are our own
        await new Response(bytes, { headers: { 'content-type': type } }).formData()
      : null,
    atMs: performance.now(),
  };
};

const play = async (reply: Reply, response: ServerResponse): Promise<void> => {
  switch (reply.does) {
    case 'hang':
      return;
    case 'cut':
      if (reply.afterBytes === undefined) response.destroy();
      else {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100_000 });
        response.write(' '.repeat(reply.afterBytes), () => response.destroy());
      }
      return;
    case 'answer': {
      const isText = typeof reply.body === 'string';
      response.writeHead(reply.status ?? 200, {
        'content-type': isText ? 'text/plain' : 'application/json',
        ...reply.headers,
      });
      response.end(isText ? reply.body : JSON.stringify(reply.body));
      return;
    }
    case 'stream':
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.flushHeaders();
      for (const piece of reply.pieces) {
        if (response.destroyed) return;
        response.write(piece);
        await new Promise((resolve) => setTimeout(resolve, reply.everyMs ?? 0));
      }
      if (reply.ends === 'cut') response.destroy();
      else if (reply.ends !== false) response.end();
      return;
    case 'flood':
      response.writeHead(200, { 'content-type': 'application/json' });
      while (!response.destroyed)
        if (!response.write(' '.repeat(65_536)))
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
};
