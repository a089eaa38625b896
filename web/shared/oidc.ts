import * as oauth from 'oauth4webapi';
import { serviceNow } from './clock.js';
import { ApiFailure, isTransient, noAnswer, request, retryAfterMs, withRetries } from './request.js';
import { browserStorage, tabStorage } from './storage.js';

/** The provider's tokens, and claims of the ID token. */
export interface Tokens {
  readonly idToken: string;
  /** `null`: the provider gives none. */
  readonly refreshToken: string | null;
  readonly subject: string;
  /** `null`: the ID token has none. */
  readonly email: string | null;
  /** When the ID token was issued and when it expires, in seconds since the epoch, by the provider's clock. */
  readonly iat: number;
  readonly exp: number;
}

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** The state of a sign-in that is stored while the browser is at the provider. The exchange of the code needs the verifier. */
interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
}

/** A session renews a token that expires within this time. */
export const RENEW_MS = 5 * 60_000;
/** A token that expires within this time is not used: a request could arrive too late. */
export const SPARE_MS = 30_000;

/** The key of a `PendingSignIn` in the tab's storage. */
const PENDING_SIGN_IN = 'sign-in-under-way';
/** How often a request to the provider is tried. */
const MAX_TRIES = 3;
/** How far the provider's clock may differ from the service's. */
const TOLERANCE_SECONDS = 60;
/** Longest wait for the answer in a hidden frame. */
const FRAME_MS = 10_000;
/** Longest wait for the browser to leave this page. If it is still here, the user has stopped the navigation. */
const LEFT_MS = 10_000;
/**
 * With the client id: the key in the browser's storage that is set if the provider refuses this client the scope for
 * refresh tokens.
 */
const NO_REFRESH = 'sign-in-without-refresh/';
/** The type of the message from the frame to the page around it. */
const CODE_IN_FRAME = 'assay.code';

/** How often a sign-out is tried: the person waits for it. */
const MAX_SIGN_OUT_TRIES = 2;

/** Ends the browser's session at the service's own issuer. @throws {ApiFailure} it may not have ended */
export const endSession = (issuer: string): Promise<void> =>
  withRetries(
    async () => {
      const { ok, status } = await request(`${issuer}/sign-out`, { method: 'POST', keepalive: true });
      if (!ok) throw new ApiFailure(status, 'sign_out_failed', 'The sign-out did not succeed.');
    },
    { tries: MAX_SIGN_OUT_TRIES },
  );

/** The provider refused; `code` is OAuth's error code, such as `login_required`. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(readonly code: string) {
    super(code);
  }
}

/** Whether this document is in the hidden frame of another one, which `askInFrame` made. */
export const isInFrame = (): boolean => window.parent !== window;

/** In the frame: sends the provider's answer, which is this document's address, to the page around it. */
export const answerFromFrame = (): void =>
  window.parent.postMessage({ type: CODE_IN_FRAME, url: location.href }, location.origin);

/** The sign-in for which this tab went to the provider; `null`: none. */
export const pendingHere = (): PendingSignIn | null => {
  const kept = tabStorage.get(PENDING_SIGN_IN);
  return kept === null ? null : (JSON.parse(kept) as PendingSignIn);
};

/**
 * An OpenID provider as a public client uses it: authorization code with PKCE, and refresh tokens. For a sign-in call
 * `leave` and, after the return to this page, `arrive`; for a renewal `refresh` or `askInFrame`.
 */
export class Provider {
  private readonly client: oauth.Client;
  private found: Promise<oauth.AuthorizationServer> | null = null;
  /** The navigation under way. A second one would replace the pending sign-in to which the provider answers. */
  private leaving: Promise<void> | null = null;

  constructor(protected readonly options: ProviderOptions) {
    this.client = {
      client_id: options.clientId,
      [oauth.clockTolerance]: TOLERANCE_SECONDS,
    };
  }

  /** Whether it can be reached now. */
  async isReachable(): Promise<boolean> {
    return this.discover().then(
      () => true,
      () => false,
    );
  }

  /**
   * If the provider has refused the scope for refresh tokens, leaves that scope out from now on, in this browser.
   * @returns whether the scope was requested so far, so that another sign-in may succeed without it
   */
  dropRefreshScope(error: unknown): boolean {
    const item = NO_REFRESH + this.options.clientId;
    const isNew = browserStorage.get(item) === null;
    if (!isNew || !(error instanceof ProviderRefusal) || error.code !== 'invalid_scope') return false;
    browserStorage.set(item, 'yes');
    return true;
  }

  /**
   * Navigates to the provider, which returns to `redirectUri`. Calls during a navigation have no further effect.
   * @param parameters of the authorization request, which replace or add to the usual ones
   * @returns only if the navigation was stopped; else the page is unloaded
   * @throws {ApiFailure} the provider does not answer
   */
  leave(parameters: Readonly<Record<string, string>>): Promise<void> {
    this.leaving ??= this.leaveOnce(parameters).finally(() => (this.leaving = null));
    return this.leaving;
  }

  private async leaveOnce(parameters: Readonly<Record<string, string>>): Promise<void> {
    const { url, pending } = await this.authorization({ scope: await this.scope(), ...parameters });
    tabStorage.set(PENDING_SIGN_IN, JSON.stringify(pending));
    location.assign(url);
    await new Promise((done) => setTimeout(done, LEFT_MS));
  }

  /** The scope of a sign-in: with refresh tokens if the provider supports them. */
  protected async scope(): Promise<string> {
    const { scopes_supported: scopes } = await this.metadata();
    const isRefused = browserStorage.get(NO_REFRESH + this.options.clientId) !== null;
    return !isRefused && scopes?.includes('offline_access') ? 'openid email offline_access' : 'openid email';
  }

  /**
   * Exchanges the code in this page's address for tokens. It works once for each sign-in.
   * @throws {ProviderRefusal} the provider refuses
   * @throws {Error} no sign-in is pending, the answer is of another one, or it cannot be read
   */
  async arrive(): Promise<Tokens> {
    const pending = pendingHere();
    tabStorage.set(PENDING_SIGN_IN, null);
    if (pending === null) throw new Error('No sign-in.');
    return this.exchange(location.href, pending);
  }

  /**
   * Signs in again in a hidden frame, by the provider's own session. The browser must send the provider's cookies from a
   * frame.
   * @throws {ProviderRefusal | Error} the provider has no session there, or does not answer
   */
  async askInFrame(parameters: Readonly<Record<string, string>>): Promise<Tokens> {
    const { url, pending } = await this.authorization({ ...parameters, prompt: 'none' });
    return this.exchange(await answerInFrame(url), pending);
  }

  /**
   * Renews tokens by their refresh token, which there must be.
   * @throws {ProviderRefusal} the refresh token is not valid any more
   * @throws {Error} the provider does not answer
   */
  async refresh({ refreshToken, ...former }: Tokens): Promise<Tokens> {
    const server = await this.metadata();
    const tokens = await granted(async () => {
      const asked = [server, this.client, oauth.None(), refreshToken ?? '', this.sending()] as const;
      const answer = await oauth.refreshTokenGrantRequest(...asked);
      return oauth.processRefreshTokenResponse(server, this.timed(), answer);
    });
    // A provider may leave out a refresh token that stays the same. `granted` requires a new ID token.
    return { ...former, ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  }

  /** The address of an authorization request, and the state to store for its answer. */
  protected async authorization(
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
    const { authorization_endpoint: endpoint = '' } = await this.metadata();
    const { clientId, redirectUri } = this.options;
    const pending = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
    const url = new URL(endpoint);
    const all = {
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
      state: pending.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return { url: url.href, pending };
  }

  /** Exchanges the code in the address to which the provider returned. @throws as `arrive` */
  protected async exchange(answered: string, { state, verifier }: PendingSignIn): Promise<Tokens> {
    const server = await this.metadata();
    return granted(async () => {
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        this.client,
        oauth.None(),
        oauth.validateAuthResponse(server, this.client, new URL(answered), state),
        this.options.redirectUri,
        verifier,
        this.sending(),
      );
      return oauth.processAuthorizationCodeResponse(server, this.timed(), answer, { requireIdToken: true });
    });
  }

  /** The provider's metadata, read once. @throws {ApiFailure} the provider does not answer */
  protected metadata(): Promise<oauth.AuthorizationServer> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = null;
      throw error;
    });
    return this.found;
  }

  private discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.options.issuer);
    return withRetries(
      async () => {
        const answer = await oauth.discoveryRequest(issuer, this.sending());
        return oauth.processDiscoveryResponse(issuer, answer).catch(() => {
          throw noAnswer();
        });
      },
      { tries: MAX_TRIES },
    );
  }

  /** The client with a correction of the clock: a token's times are compared with the service's time, not the device's. */
  private timed(): oauth.Client {
    return { ...this.client, [oauth.clockSkew]: Math.round((serviceNow() - Date.now()) / 1_000) };
  }

  /** Options of each request to the provider: sent as all others of the page, with a time limit for the whole answer. */
  private sending() {
    return {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated as a warning: only for development
      [oauth.allowInsecureRequests]: this.options.issuer.startsWith('http:'),
      [oauth.customFetch]: async (
        url: string,
        { method, headers: asked, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
      ): Promise<Response> => {
        const sent = { method, headers: asked, ...(body !== undefined && { body }) };
        const { status, headers, text } = await request(url, sent);
        const failure = new ApiFailure(status, 'provider', 'The provider failed.', retryAfterMs(headers));
        if (isTransient(failure)) throw failure;
        return new Response(text, { status, headers });
      },
    };
  }
}

const tokensOf = (response: oauth.TokenEndpointResponse): Tokens => {
  const claims = oauth.getValidatedIdTokenClaims(response);
  if (claims === undefined || response.id_token === undefined) throw new Error('No ID token.');
  const { sub, email, iat, exp } = claims;
  return {
    idToken: response.id_token,
    refreshToken: response.refresh_token ?? null,
    subject: sub,
    email: typeof email === 'string' ? email : null,
    iat,
    exp,
  };
};

/**
 * Requests tokens from the provider, again if there is no answer. A code or a refresh token may be valid once, so a refusal
 * after a try without an answer may mean that this try succeeded.
 * @throws {ProviderRefusal} the provider refuses
 * @throws what else the first try failed with
 */
const granted = async (ask: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens> => {
  const failures: unknown[] = [];
  const attempt = async (): Promise<Tokens> => {
    try {
      return tokensOf(await ask());
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  return withRetries(attempt, { tries: MAX_TRIES }).catch(() => {
    const [first] = failures;
    if (first instanceof oauth.AuthorizationResponseError || first instanceof oauth.ResponseBodyError)
      throw new ProviderRefusal(first.error);
    throw first;
  });
};

/** @returns the address to which the provider returned in the frame @throws {ApiFailure} none in time */
const answerInFrame = (url: string): Promise<string> =>
  new Promise((answered, failed) => {
    const frame = document.createElement('iframe');
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('message', heard);
      frame.remove();
    };
    const heard = ({ source, origin, data }: MessageEvent<unknown>): void => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      const { type, url: reached } = (data ?? {}) as { readonly type?: unknown; readonly url?: unknown };
      if (type !== CODE_IN_FRAME || typeof reached !== 'string') return;
      end();
      answered(reached);
    };
    const timer = setTimeout(() => {
      end();
      failed(noAnswer());
    }, FRAME_MS);
    addEventListener('message', heard);
    frame.hidden = true;
    frame.title = '';
    frame.src = url;
    document.body.append(frame);
  });
