import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { KeyedHasher } from '../../core/keyed-hash.js';
import { decrypt, encrypt } from '../../core/gcm.js';

/** How long a sign-in may take until an address is entered. */
const BEGUN_SECONDS = 600;
/** How long a sign-in may take in all, the same as the provider's own cookies: several codes may be asked for. */
export const SIGN_IN_SECONDS = 3600;
/** Bytes of an authorization request's parameters. With what the provider adds, a cookie of 4 KB holds them. */
export const MAX_PARAMETER_BYTES = 1_500;
const COOKIE = 'candidate_state';
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]+)(?:;|$)`);

interface Sealed {
  readonly payload: AdapterPayload;
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/** Whose state: a sign-in's, or that of the pages for programs' codes. */
type StateOf = 'sign-in' | 'device';

/** The request that a state is looked up for. */
interface Current {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was put meanwhile, which no request has brought yet. */
  readonly put: Map<string, AdapterPayload>;
  entered: boolean;
}

/**
 * The states of sign-ins under way, each in a sealed cookie of its browser until the right code was entered: whoever
 * only opens the page, or asks for codes, leaves none behind here. Likewise the session of somebody who has not signed
 * in, which holds the mark of the form for a program's code.
 */
export class SignInStates {
  private readonly current = new AsyncLocalStorage<Current>();
  private readonly key: Buffer;
  private readonly attributes: string;

  /** @param issuerPath as the browser has it */
  constructor(
    hasher: KeyedHasher,
    private readonly issuerPath: string,
    isSecure: boolean,
    private readonly now: () => number,
  ) {
    this.key = Buffer.from(hasher.hmac('states of sign-ins'), 'hex');
    this.attributes = `httponly; samesite=lax${isSecure ? '; secure' : ''}`;
  }

  /** Runs the work on a request, whose cookies it may read and set. */
  during<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T> {
    return this.current.run({ request, response, put: new Map(), entered: false }, work);
  }

  /** An address was entered in this request: what is put from now on is valid for longer. */
  entered(): void {
    this.here().entered = true;
  }

  /** What this request has put. */
  justPut(id: string): AdapterPayload | undefined {
    return this.current.getStore()?.put.get(id);
  }

  /** What the browser has brought; `undefined`: nothing that is valid. */
  brought(id: string): AdapterPayload | undefined {
    const cookies = this.current.getStore()?.request.headers.cookie ?? '';
    const value = VALUE.exec(cookies)?.[1];
    const text = value && decrypt(this.key, Buffer.from(value, 'base64url'), Buffer.from(id));
    if (!text) return undefined;
    const { payload, until } = JSON.parse(text.toString()) as Sealed;
    return until > this.now() ? payload : undefined;
  }

  put(id: string, payload: AdapterPayload, of: StateOf = 'sign-in'): void {
    const current = this.here();
    const seconds = current.entered ? SIGN_IN_SECONDS : BEGUN_SECONDS;
    const sealed: Sealed = { payload, until: this.now() + seconds * 1_000 };
    const value = encrypt(this.key, Buffer.from(JSON.stringify(sealed)), Buffer.from(id));
    current.put.set(id, payload);
    this.setCookie(current, this.pathOf(id, of), value.toString('base64url'), seconds);
  }

  remove(id: string, of: StateOf = 'sign-in'): void {
    const current = this.here();
    current.put.delete(id);
    this.setCookie(current, this.pathOf(id, of), '', 0);
  }

  /** No path is below another's, so that a browser brings one state at a time. */
  private pathOf(id: string, of: StateOf): string {
    return of === 'device' ? `${this.issuerPath}/device` : `${this.issuerPath}/sign-in/${id}`;
  }

  private setCookie({ response }: Current, path: string, value: string, seconds: number): void {
    const cookie = `${COOKIE}=${value}; path=${path}; max-age=${seconds}; ${this.attributes}`;
    if (!response.headersSent) response.appendHeader('Set-Cookie', cookie);
  }

  private here(): Current {
    const current = this.current.getStore();
    if (!current) throw new Error('A sign-in is looked up for no request.');
    return current;
  }
}
