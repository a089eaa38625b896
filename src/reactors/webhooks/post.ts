import { lookup, Resolver } from 'node:dns/promises';
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Message } from '../../application/webhooks/secrets.js';
import { retryAfterMs } from '../../core/backoff.js';
import { isTlsCode } from '../../core/errors.js';
import { anySignal } from '../../core/signals.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { Answered } from '../../domain/webhook/delivery-decider.js';
import type { DeliveryFault } from '../../domain/webhook/events.js';
import { hostOf, isPublicAddress } from '../../domain/webhook/target.js';

export interface PostOptions {
  /** Whether private networks may be reached. */
  readonly allowPrivate: boolean;
  /** Resolves a host's name. Default: by DNS only; if private networks are allowed, by the system. */
  readonly resolve?: Resolve;
  /** From the name's resolution to the status, in milliseconds. Default: 15,000. */
  readonly totalMs?: number;
  /** Limit for the connection with TLS, in milliseconds. Default: 5,000. */
  readonly connectMs?: number;
  /** Time limit for an answer's body, in milliseconds. Default: 1,000. */
  readonly bodyMs?: number;
  /** Certificates to trust instead of the well-known ones: for tests. By default the well-known ones. */
  readonly ca?: string;
}

const TOTAL_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BODY_TIMEOUT_MS = 1_000;
/** Longest answer with its headers, in bytes. The body is ignored, but usual answers must be able to end. */
const MAX_ANSWER = 32_768;
/** Longest headers, in bytes. */
const MAX_HEADERS = 8_192;
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Sends one message. It follows no redirect, and reads only status and `Retry-After` of the answer. It checks the
 * address to which it connects, not only the host's name.
 * @throws only the signal's reason, if the signal ended it
 */
export async function post(
  url: URL,
  message: Message,
  options: PostOptions,
  signal: AbortSignal,
): Promise<Answered> {
  const { allowPrivate, totalMs = TOTAL_TIMEOUT_MS } = options;
  const ending = anySignal(AbortSignal.timeout(totalMs), signal);
  const ended = ending.signal;
  const resolve = options.resolve ?? (allowPrivate ? resolveBySystem : resolveByDns);
  const host = hostOf(url);
  try {
    const known: Resolve = isIP(host) === 0 ? resolve : async () => [host];
    const addresses = await inTime(addressesOf(host, known, allowPrivate, ended), ended);
    return await exchange(url, message, options, addresses, ended);
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, fault: faultOf(error, ended), retryAfterMs: null };
  } finally {
    ending.end();
  }
}

function exchange(
  url: URL,
  { headers, body }: Message,
  { connectMs = CONNECT_TIMEOUT_MS, bodyMs = BODY_TIMEOUT_MS, ca }: PostOptions,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
      lookup: lookupOf(addresses),
      maxHeaderSize: MAX_HEADERS,
      signal,
    };
    // A new agent, so that each message has its own connection, and a proxy in the environment is not used.
    const request: ClientRequest = secure
      ? httpsRequest(url, {
          ...options,
          agent: new HttpsAgent({ maxCachedSessions: 0 }),
          rejectUnauthorized: true,
          ...(ca !== undefined && { ca }),
        })
      : httpRequest(url, { ...options, agent: new HttpAgent() });
    const connecting = setTimeout(() => request.destroy(new ConnectTimeout()), connectMs);
    request.on('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
      // Counted here, since interim answers and empty lines before the headers have no other limit.
      let length = 0;
      socket.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_ANSWER) request.destroy(new EndlessAnswer());
      });
    });
    let answered: Answered | null = null;
    const settle = (error: Error): void => {
      clearTimeout(connecting);
      // A failure after the status does not change the result.
      if (answered) resolve(answered);
      else reject(error);
    };
    request.on('response', (response) => {
      answered = answerOf(response);
      discard(request, response, bodyMs);
    });
    // A receiver that switches protocols has answered, but has not accepted the notice.
    request.on('upgrade', (response, socket) => {
      answered = answerOf(response);
      socket.destroy();
    });
    request.on('error', settle);
    request.on('close', () => settle(new Error('closed')));
    request.end(body);
  });
}

/** Ignores a body, and cuts off a slow one. */
function discard(request: ClientRequest, response: IncomingMessage, bodyMs: number): void {
  const timer = setTimeout(() => request.destroy(), bodyMs);
  response.resume();
  response.on('error', () => undefined);
  response.on('close', () => clearTimeout(timer));
}

/** A look-up that returns the addresses that were resolved and checked, even if the name has others now. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };

class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

class EndlessAnswer extends Error {
  override readonly name = 'EndlessAnswer';
}

const inTime = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new ConnectTimeout());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const answerOf = (response: IncomingMessage): Answered => ({
  status: response.statusCode ?? null,
  fault: null,
  retryAfterMs: retryAfter(response),
});

const retryAfter = ({ headers }: IncomingMessage): number | null => {
  const asked = retryAfterMs(headers['retry-after'], headers.date);
  return asked === null ? null : Math.min(asked, MAX_RETRY_AFTER_MS);
};

const faultOf = (error: unknown, ended: AbortSignal): DeliveryFault => {
  if (error instanceof NoAddress) return error.fault;
  if (ended.aborted || error instanceof ConnectTimeout) return 'timeout';
  if (error instanceof EndlessAnswer) return 'bad_answer';
  const code = (error as { readonly code?: unknown }).code;
  if (typeof code !== 'string') return 'unreachable';
  if (code.startsWith('HPE_')) return 'bad_answer';
  return isTlsCode(code) ? 'tls' : 'unreachable';
};

/** Resolves a host's name to IP addresses, in the order in which to try them; empty: none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_TIMEOUT_MS = 3_000;

/**
 * Queries name servers, without a thread. The system's look-up would block one of few threads, so that names without an
 * answer would delay all other work.
 */
const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** Resolves names by the system, including names of its own networks. */
const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/** The host's name has no address, or only private ones that are not allowed. */
class NoAddress extends Error {
  override readonly name = 'NoAddress';

  constructor(readonly fault: 'unresolved' | 'private_address') {
    super(fault);
  }
}

/**
 * The addresses to connect to. They are resolved once, so that a name whose next answer differs (DNS rebinding) has no
 * effect.
 * @throws {NoAddress}
 */
const addressesOf = async (
  host: string,
  resolve: Resolve,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const found = await resolve(host, signal);
  if (found.length === 0) throw new NoAddress('unresolved');
  const allowed = allowPrivate ? found : found.filter(isPublicAddress);
  if (allowed.length === 0) throw new NoAddress('private_address');
  return allowed;
};
