import { signal } from '@preact/signals';
import type { Membership } from '../../../packages/client/src/index.js';
import { endSession, Provider, ProviderRefusal, RENEW_MS, SPARE_MS, type Tokens } from '../../shared/oidc.js';
import { browserStorage, itemKeyOf, tabStorage } from '../../shared/storage.js';
import { answerInWindow, openWindow } from './window.js';

/** How staff sign in, as `/console/config.json` has it. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly development: boolean;
  /** The people that the development issuer offers to sign in as. */
  readonly people: readonly {
    readonly name: string;
    readonly email: string;
    readonly role: Membership['role'];
  }[];
  /** The page with the mails that are not sent; `null`: mails are sent. */
  readonly outbox: string | null;
}

/**
 * A key of the browser's storage. `in`: a person has signed in; `out`: the provider must ask who the next person is.
 */
const SIGNED_IN = 'staff-signed-in';
/** Keys of the tab's storage: the page that a sign-in under way leads to, and whether it began without the user. */
const RETURN_TO = 'staff-return-to';
const SILENT = 'staff-silent';

class StaffProvider extends Provider {
  /** Where the provider ends its own session; `null`: it has no such page. */
  async signOutUrl(idToken: string, returnTo: string): Promise<string | null> {
    const { end_session_endpoint: endpoint } = await this.metadata();
    if (endpoint === undefined) return null;
    const url = new URL(endpoint);
    url.searchParams.set('id_token_hint', idToken);
    url.searchParams.set('client_id', this.options.clientId);
    url.searchParams.set('post_logout_redirect_uri', returnTo);
    return url.href;
  }

  /**
   * Signs in in a window of its own, without a time limit.
   * @throws {ProviderRefusal | Error} the provider refuses or gives no answer, or `abandoned` is aborted
   */
  async askIn(
    opened: Window,
    parameters: Readonly<Record<string, string>>,
    abandoned: AbortSignal,
  ): Promise<Tokens> {
    try {
      const { url, pending } = await this.authorization({ scope: await this.scope(), ...parameters });
      const answer = answerInWindow(pending.state, abandoned);
      opened.location.replace(url);
      return await this.exchange(await answer, pending);
    } catch (error) {
      opened.close();
      throw error;
    }
  }
}

/** Why the page has no valid token although a person is signed in: it expired, or another sign-in gave none. */
export type SignInEnd = 'over' | 'failed' | 'other person';

/** The result of a sign-in. `out`: the provider has no session. `leaving`: the page navigates to the provider. */
export type Outcome = 'in' | 'out' | 'failed' | 'leaving';

/** Whether another tab has signed its person out. @param event of the browser's storage */
export const isSignOut = ({ key, newValue }: StorageEvent): boolean =>
  key === itemKeyOf(SIGNED_IN) && newValue === 'out';

/**
 * The session of a member of staff at the installation's OpenID provider. Tokens are in memory alone. They are renewed by
 * a refresh token if the provider gives one, else in a hidden frame. If the browser sends no cookies to the provider from
 * frames, a page that is being opened navigates to the provider and back; an open page shows that the sign-in has ended,
 * and a button opens a window for a new one.
 */
export class StaffSession {
  /** Why the sign-in has ended and could not be renewed; `null`: it is valid. */
  readonly ended = signal<SignInEnd | null>(null);
  private readonly provider: StaffProvider;
  private tokens: Tokens | null = null;
  /** When the ID token expires, in milliseconds of the device's clock. */
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;
  private inWindow = new AbortController();

  constructor(
    readonly config: SignInConfig,
    private readonly language: () => string,
  ) {
    this.provider = new StaffProvider(config);
  }

  /** The person's address; `null`: signed out, or the provider gives none. */
  get email(): string | null {
    return this.tokens?.email ?? null;
  }

  /** If false, an answer that arrives now was requested by the person who has signed out, and must not be shown. */
  get isSignedIn(): boolean {
    return this.tokens !== null;
  }

  /**
   * At `/console/callback`, takes the provider's answer from the address.
   * @returns the result, and the address of the page that was requested before the sign-in
   */
  async arrive(): Promise<{ readonly outcome: Outcome; readonly returnTo: string }> {
    const returnTo = tabStorage.get(RETURN_TO) ?? '';
    const wasSilent = tabStorage.get(SILENT) !== null;
    tabStorage.set(SILENT, null);
    try {
      this.take(await this.provider.arrive());
      return { outcome: 'in', returnTo };
    } catch (error) {
      // The provider refused the scope for refresh tokens: sign in once more without it.
      if (this.provider.dropRefreshScope(error)) {
        await this.leave(returnTo);
        return { outcome: 'leaving', returnTo };
      }
      const isRefused = error instanceof ProviderRefusal;
      // A code is valid once, but the provider may have a session by now.
      if (!isRefused && browserStorage.get(SIGNED_IN) !== 'out' && (await this.renew()))
        return { outcome: 'in', returnTo };
      browserStorage.set(SIGNED_IN, null);
      return { outcome: wasSilent && isRefused ? 'out' : 'failed', returnTo };
    }
  }

  /** Signs in without a page, if this browser was signed in. @returns `leaving`: the page navigates to the provider */
  async resume(returnTo: string): Promise<'in' | 'out' | 'leaving'> {
    if (browserStorage.get(SIGNED_IN) !== 'in') return 'out';
    if (await this.renew()) return 'in';
    // From a frame of the page's own origin the cookies were sent, so the provider has no session.
    if (new URL(this.config.issuer).origin === location.origin) return 'out';
    tabStorage.set(SILENT, 'yes');
    return this.leave(returnTo, { prompt: 'none' }).then(
      () => 'leaving',
      () => 'out',
    );
  }

  /** Navigates to the provider, which returns to `/console/callback`. @throws {ApiFailure} it gives no answer */
  async leave(returnTo: string, parameters: Readonly<Record<string, string>> = {}): Promise<void> {
    tabStorage.set(RETURN_TO, returnTo);
    await this.provider.leave({
      ui_locales: this.language(),
      // After a sign-out, another person may use the browser: the provider must ask.
      ...(browserStorage.get(SIGNED_IN) === 'out' && { prompt: 'login' }),
      ...parameters,
    });
  }

  /**
   * Signs the same person in again in a window of its own, so that this page keeps what was typed. Call it in the handler
   * of a press: browsers open windows only there.
   * @returns `blocked`: the browser opens no window
   */
  async signInAgain(): Promise<'in' | 'blocked' | 'failed'> {
    this.inWindow.abort();
    const { signal: abandoned } = (this.inWindow = new AbortController());
    const opened = openWindow();
    if (opened === null) return 'blocked';
    const hint = this.email === null ? {} : { login_hint: this.email };
    try {
      const tokens = await this.provider.askIn(opened, { ui_locales: this.language(), ...hint }, abandoned);
      // The person has signed out since.
      if (abandoned.aborted) return 'failed';
      if (this.take(tokens)) return 'in';
      this.ended.value = 'other person';
    } catch (error) {
      if (abandoned.aborted) return 'failed';
      this.ended.value = 'failed';
      // So that the next attempt leaves the scope out, if it was refused.
      this.provider.dropRefreshScope(error);
    }
    return 'failed';
  }

  /** A valid ID token; `null`: there is none. @param refused one that the service did not accept */
  async token(refused: string | null): Promise<string | null> {
    const { tokens } = this;
    if (tokens === null) return null;
    const leftMs = this.endsAt - Date.now();
    if (leftMs < SPARE_MS || refused === tokens.idToken) await this.renew();
    else if (leftMs < RENEW_MS) void this.renew();
    return this.tokenNow(refused);
  }

  /** Ends the session here. @returns the address at which the provider ends its own; `null`: it has no such page */
  async end(home: string): Promise<string | null> {
    const idToken = this.tokens?.idToken;
    this.forget();
    browserStorage.set(SIGNED_IN, 'out');
    if (idToken === undefined) return null;
    if (this.config.development) {
      await endSession(this.config.issuer).catch(() => null);
      return null;
    }
    return this.provider.signOutUrl(idToken, home).catch(() => null);
  }

  /** Drops the tokens: the person signed out, here or in another tab. */
  forget(): void {
    this.inWindow.abort();
    this.tokens = null;
    this.ended.value = null;
  }

  /** As `token`, without a renewal. */
  private tokenNow(refused: string | null): string | null {
    const { tokens } = this;
    if (tokens === null) return null;
    const isOver = this.endsAt - Date.now() < SPARE_MS || refused === tokens.idToken;
    if (isOver) this.ended.value ??= 'over';
    return isOver ? null : tokens.idToken;
  }

  private renew(): Promise<boolean> {
    this.renewing ??= this.renewOnce().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    const { tokens } = this;
    try {
      const answer =
        tokens !== null && tokens.refreshToken !== null
          ? await this.provider.refresh(tokens)
          : await this.provider.askInFrame({ ui_locales: this.language() });
      // The person may have signed out since, here or in another tab.
      const isOut = this.tokens !== tokens || browserStorage.get(SIGNED_IN) === 'out';
      return !isOut && this.take(answer);
    } catch {
      return false;
    }
  }

  private take(tokens: Tokens): boolean {
    // Another person has signed in at the provider meanwhile: their token must not be used on this person's page.
    if (this.tokens !== null && this.tokens.subject !== tokens.subject) return false;
    this.tokens = tokens;
    // From now on for its lifetime, since the device's clock may differ from the provider's.
    this.endsAt = Date.now() + (tokens.exp - tokens.iat) * 1_000;
    this.ended.value = null;
    browserStorage.set(SIGNED_IN, 'in');
    return true;
  }
}
