import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine, Stop } from './terminal.js';

const TIMEOUT_MS = 30_000;
/** Longest wait before a request that the service limits is sent again, whatever Retry-After asks for. */
const MAX_WAIT_SECONDS = 60;

/** The service cannot be reached: what is to be sent stays in the queue. */
export class Offline extends Error {}

/** The service has answered that it will not do it. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** The service's sentence. */
    sentence: string,
  ) {
    super(oneLine(sentence, 500));
  }
}

/** An address that secrets may be sent to: encrypted, or on this machine. @throws {Stop} it is not */
export const safeUrl = (address: string): URL => {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new Stop(`This is not a link: ${oneLine(address)}`, 2);
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw new Stop(`This link is not encrypted (https): ${oneLine(address)}`, 2);
  return url;
};

/** Sends one request. Its answer is never followed to another address. @throws {Offline} */
export const request = async (url: string, init: RequestInit = {}): Promise<Response> => {
  safeUrl(url);
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
  } catch (cause) {
    throw new Offline('The service cannot be reached.', { cause });
  }
};

/** An answer's body as JSON; `null`: it is not JSON. */
export const jsonOf = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw new Offline('The connection was lost.', { cause });
  }
};

/** What a request has besides its path. */
interface Init {
  readonly method?: 'POST';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The service's REST interface, as the candidate who has signed in. */
export class Service {
  constructor(
    /** Without a slash at its end. */
    readonly url: string,
    /** Returns a valid token. Called again, with true, after a 401. */
    private readonly token: (isRefused: boolean) => Promise<string>,
  ) {}

  /** A read. @throws {Refused} @throws {Offline} */
  get<T>(path: string): Promise<T> {
    return this.send<T>(path);
  }

  /**
   * A command with a JSON body.
   * @param key an idempotency key, for a command that may be sent again later. Default: none
   * @throws {Refused} @throws {Offline}
   */
  post<T>(path: string, body: unknown, key?: string): Promise<T> {
    return this.send<T>(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
    });
  }

  /** Bytes. @throws {Refused} @throws {Offline} */
  async bytes(path: string): Promise<Buffer> {
    const response = await this.answer(path);
    try {
      return Buffer.from(await response.arrayBuffer());
    } catch (cause) {
      throw new Offline('The connection was lost.', { cause });
    }
  }

  private async send<T>(path: string, init: Init = {}): Promise<T> {
    return (await jsonOf(await this.answer(path, init))) as T;
  }

  private async answer(path: string, init: Init = {}): Promise<Response> {
    let isRefused = false;
    for (let attempt = 0; ; attempt++) {
      const headers = { ...init.headers, Authorization: `Bearer ${await this.token(isRefused)}` };
      const response = await request(`${this.url}${path}`, { ...init, headers });
      if (response.ok) return response;
      if (response.status === 401 && !isRefused) {
        isRefused = true;
        continue;
      }
      const wait = Number(response.headers.get('retry-after') ?? '2');
      if (response.status === 429 && attempt < 3) {
        await sleep(Math.min(MAX_WAIT_SECONDS, Math.max(1, wait || 1)) * 1_000);
        continue;
      }
      if (response.status >= 500 || response.status === 429)
        throw new Offline('The service is not available at the moment.');
      const { error, code } = ((await jsonOf(response)) ?? {}) as { error?: unknown; code?: unknown };
      throw new Refused(
        response.status,
        typeof code === 'string' ? code : '',
        typeof error === 'string' ? error : `The service answered ${response.status}.`,
      );
    }
  }
}
