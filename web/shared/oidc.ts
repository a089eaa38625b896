import * as oauth from 'oauth4webapi';
import { serviceNow } from './clock.js';
import { browserStorage, tabStorage } from './storage.js';
import { noAnswer, request } from './request.js';

/** The provider's tokens, and their claims. */
export interface Tokens {
  readonly idToken: string;
  /** `null`: the provider gives none. */
  readonly refreshToken: string | null;
  readonly subject: string;
  readonly email: string | null;
  /** When the ID token was made and when it ends, in seconds since the epoch, by the provider's clock. */
  readonly iat: number;
  readonly exp: number;
}

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** What a sign-in is remembered by while the browser is at the provider: the key to its code. */
interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
}

/** A token is renewed this long before it ends, and not used in its last seconds. */
export const RENEW_MS = 5 * 60_000;
export const SPARE_MS = 30_000;

/** For the tab. */
const PENDING_SIGN_IN = 'sign-in-under-way';
/** A provider's clock may be wrong too. */
const TOLERANCE_SECONDS = 60;
const FRAME_MS = 10_000;
/** After this the browser has left for the provider, or was stopped. */
const LEFT_MS = 10_000;
/** For the browser: the provider refuses this client the scope for refresh tokens. */
const NO_REFRESH = 'sign-in-without-refresh/';
const CODE_IN_FRAME = 'assay.code';

/** A provider's refusal, by its code, such as `login_required`. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';

  constructor(readonly code: string) {
    super(code);
  }
}

/** Whether this document is the frame in which another one renews its sign-in. */
export const isInFrame = (): boolean => window.parent !== window;

/** Gives the page around this frame the provider's answer. */
export const answerFromFrame = (): void =>
  window.parent.postMessage({ type: CODE_IN_FRAME, url: location.href }, location.origin);

/** The sign-in that this tab has left for; `null`: none. */
export const pendingHere = (): PendingSignIn | null => {
  const kept = tabStorage.get(PENDING_SIGN_IN);
  return kept === null ? null : (JSON.parse(kept) as PendingSignIn);
};

/** An OpenID provider as a public client uses it: authorization code with PKCE, and refresh tokens. */
export class Provider {
  private readonly client: oauth.Client;
  private found: Promise<oauth.AuthorizationServer> | null = null;
  /** A second sign-in would take the place of the first, whose answer comes. */
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
   * Remembers in this browser that the provider refuses refresh tokens, if that is what it refused.
   * @returns whether a sign-in without them is worth a try
   */
  goesWithoutRefresh(error: unknown): boolean {
    const item = NO_REFRESH + this.options.clientId;
    const isNew = browserStorage.get(item) === null;
    if (!isNew || !(error instanceof ProviderRefusal) || error.code !== 'invalid_scope') return false;
    browserStorage.set(item, 'yes');
    return true;
  }

  /**
   * Leaves the page for the provider, which returns to `redirectUri`; once, however many ask for it.
   * @throws {ApiFailure} it gives no answer
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

  /** Asks for refresh tokens, if the provider gives them. */
  protected async scope(): Promise<string> {
    const { scopes_supported: scopes } = await this.metadata();
    const isRefused = browserStorage.get(NO_REFRESH + this.options.clientId) !== null;
    return !isRefused && scopes?.includes('offline_access') ? 'openid email offline_access' : 'openid email';
  }

  /**
   * Takes the provider's answer out of this page's address.
   * @throws {ProviderRefusal} it refuses @throws {Error} the answer is of another sign-in, or cannot be read
   */
  async arrive(): Promise<Tokens> {
    const pending = pendingHere();
    tabStorage.set(PENDING_SIGN_IN, null);
    if (pending === null) throw new Error('No sign-in.');
    return this.exchange(location.href, pending);
  }

  /**
   * Asks in a hidden frame, where the provider sees its own session if the browser gives a frame its cookies.
   * @throws {ProviderRefusal | Error} it knows nobody there, or gives no answer
   */
  async askInFrame(parameters: Readonly<Record<string, string>>): Promise<Tokens> {
    const { url, pending } = await this.authorization({ ...parameters, prompt: 'none' });
    return this.exchange(await answerInFrame(url), pending);
  }

  /** @throws {ProviderRefusal} the refresh token is over @throws {Error} it gives no answer */
  async refresh({ refreshToken, ...former }: Tokens): Promise<Tokens> {
    const server = await this.metadata();
    const response = await oauth
      .refreshTokenGrantRequest(server, this.client, oauth.None(), refreshToken ?? '', this.sending())
      .then((answer) => oauth.processRefreshTokenResponse(server, this.timed(), answer))
      .catch(refused);
    // A provider may leave out what stays as it was; an ID token that stays is no renewal.
    const tokens = tokensOf(response);
    return { ...former, ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  }

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

  protected async exchange(answered: string, { state, verifier }: PendingSignIn): Promise<Tokens> {
    const server = await this.metadata();
    try {
      const parameters = oauth.validateAuthResponse(server, this.client, new URL(answered), state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        this.client,
        oauth.None(),
        parameters,
        this.options.redirectUri,
        verifier,
        this.sending(),
      );
      return tokensOf(
        await oauth.processAuthorizationCodeResponse(server, this.timed(), answer, { requireIdToken: true }),
      );
    } catch (error) {
      return refused(error);
    }
  }

  /** Read once. @throws {ApiFailure} */
  protected metadata(): Promise<oauth.AuthorizationServer> {
    this.found ??= this.discover().catch((error: unknown) => {
      this.found = null;
      throw error;
    });
    return this.found;
  }

  private async discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.options.issuer);
    const answer = await oauth.discoveryRequest(issuer, this.sending());
    return oauth.processDiscoveryResponse(issuer, answer).catch(() => {
      throw noAnswer();
    });
  }

  /** A token's times are compared with the service's, not with the device's. */
  private timed(): oauth.Client {
    return { ...this.client, [oauth.clockSkew]: Math.round((serviceNow() - Date.now()) / 1_000) };
  }

  /** As every request of the page: with a time limit for the whole answer. */
  private sending() {
    return {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out: for development alone
      [oauth.allowInsecureRequests]: this.options.issuer.startsWith('http:'),
      [oauth.customFetch]: async (
        url: string,
        { method, headers: asked, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
      ): Promise<Response> => {
        const sent = { method, headers: asked, ...(body !== undefined && { body }) };
        const { status, headers, text } = await request(url, sent);
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

const refused = (error: unknown): never => {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    throw new ProviderRefusal(error.error);
  throw error;
};

/** @returns the address that the provider led the frame to */
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
