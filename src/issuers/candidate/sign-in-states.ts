import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import { decrypt, encrypt } from '../../core/gcm.js';
import type { KeyedHasher } from '../../core/keyed-hash.js';

/** How long a sign-in may take until an address is entered. */
const BEGUN_SECONDS = 600;
/** How long a sign-in may take in all, as long as the provider's cookies are valid: it may need several codes. */
export const SIGN_IN_SECONDS = 3600;
/** Limit of an authorization request's parameters, in bytes: with what the provider adds, they fit a cookie of 4 KB. */
export const MAX_PARAMETER_BYTES = 1_500;
const COOKIE = 'candidate_state';
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]+)(?:;|$)`);

interface Sealed {
  readonly payload: AdapterPayload;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** `sign-in`: the state of a sign-in. `device`: the session of a browser that enters a device code before a sign-in. */
type StateOf = 'sign-in' | 'device';

/** The request that is being answered. */
interface Current {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** States that were set during this request, by id: its cookies do not have them yet. */
  readonly put: Map<string, AdapterPayload>;
  /** Whether an address was entered. */
  entered: boolean;
}

/**
 * The states of sign-ins under way, each in a sealed cookie of its browser until the right code is entered. So opening
 * the page or asking for codes stores no state on the server. Sessions of browsers without a sign-in, which contain the
 * anti-forgery secret of the device code's form, are stored in the same way. The provider's adapter calls
 * `putInRequest`, `inCookie`, `put` and `remove`, all within `during`.
 */
export class SignInStates {
  private readonly current = new AsyncLocalStorage<Current>();
  private readonly key: Buffer;
  private readonly attributes: string;

  /**
   * @param issuerPath the issuer's path in the browser's requests
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

  /** Runs the work of a request. Within it, the other methods read its cookies and set those of its answer. */
  during<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T> {
    return this.current.run({ request, response, put: new Map(), entered: false }, work);
  }

  /** Call it once an address is entered in this request: states that are set from then on are valid for longer. */
  entered(): void {
    this.here().entered = true;
  }

  /** The state that was set in this request; `undefined`: none. */
  putInRequest(id: string): AdapterPayload | undefined {
    return this.current.getStore()?.put.get(id);
  }

  /** The state in the request's cookie; `undefined`: there is none, it has expired, or it is of another id. */
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

  /** The cookie's path. No path is below another, so that a browser sends one state with a request. */
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
