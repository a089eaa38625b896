import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import { decrypt, encrypt } from '../../core/gcm.js';
import type { KeyedHasher } from '../../core/keyed-hash.js';

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
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** A sign-in's state, or the session of somebody who enters a device code (RFC 8628) and has not signed in. */
type StateOf = 'sign-in' | 'device';

/** The request that is being answered. */
interface Current {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** States that were put during this request, by id: its cookies do not hold them yet. */
  readonly put: Map<string, AdapterPayload>;
  /** Whether an address was entered. */
  entered: boolean;
}

/**
 * The states of sign-ins under way, each in a sealed cookie of its browser until the right code was entered: to
 * open the page or ask for codes stores nothing on the server. Sessions of browsers without a sign-in are kept the same
 * way: they hold the anti-forgery secret of the device code's form. The provider's adapter calls
 * `putInRequest`, `inCookie`, `put` and `remove`, all within `during`.
 */
export class SignInStates {
  private readonly current = new AsyncLocalStorage<Current>();
  private readonly key: Buffer;
  private readonly attributes: string;

  /**
   * @param issuerPath as the browser requests it
   * @param now milliseconds since 1970
   */
  constructor(
    hasher: KeyedHasher,
    private readonly issuerPath: string,
    isSecure: boolean,
    private readonly now: () => number,
  ) {
    this.key = Buffer.from(hasher.hmac('states of sign-ins'), 'hex');
    this.attributes = `httponly; samesite=lax${isSecure ? '; secure' : ''}`;
  }

  /** Runs the work on a request: the other methods then read its cookies and set those of its answer. */
  during<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T> {
    return this.current.run({ request, response, put: new Map(), entered: false }, work);
  }

  /** To be called once an address is entered in this request: states that it puts from then on are valid for longer. */
  entered(): void {
    this.here().entered = true;
  }

  /** The state, if this request has put it; else `undefined`. */
  putInRequest(id: string): AdapterPayload | undefined {
    return this.current.getStore()?.put.get(id);
  }

  /** The state from the request's cookie; `undefined`: there is none, or it has expired or is another id's. */
  inCookie(id: string): AdapterPayload | undefined {
    const cookies = this.current.getStore()?.request.headers.cookie ?? '';
    const value = VALUE.exec(cookies)?.[1];
    const text = value && decrypt(this.key, Buffer.from(value, 'base64url'), Buffer.from(id));
    if (!text) return undefined;
    const { payload, until } = JSON.parse(text.toString()) as Sealed;
    return until > this.now() ? payload : undefined;
  }

  /** Sets the cookie. @throws {Error} outside `during` */
  put(id: string, payload: AdapterPayload, of: StateOf = 'sign-in'): void {
    const current = this.here();
    const seconds = current.entered ? SIGN_IN_SECONDS : BEGUN_SECONDS;
    const sealed: Sealed = { payload, until: this.now() + seconds * 1_000 };
    const value = encrypt(this.key, Buffer.from(JSON.stringify(sealed)), Buffer.from(id));
    current.put.set(id, payload);
    this.setCookie(current, this.pathOf(id, of), value.toString('base64url'), seconds);
  }

  /** Deletes the cookie. @throws {Error} outside `during` */
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
