import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { serviceClock, serviceNow } from './clock.js';
import { forBrowser, forTab } from './kept.js';
import type { SignInConfig } from './records.js';

/** A token is renewed this long before it expires, and not used in its last seconds. */
const RENEW_MS = 5 * 60_000;
const SPARE_MS = 30_000;
const SILENT_SECONDS = 10;

const SIGNED_IN = 'signed-in';
const APPLICATION = 'application';

/** Whether this document is the frame in which another one renews its sign-in. */
export const isRenewal = (): boolean => window.parent !== window;

/** Tells the page around this frame how the renewal ended. */
export const endRenewal = (): Promise<void> =>
  new UserManager({
    authority: location.origin,
    client_id: 'renewal',
    redirect_uri: location.origin,
  }).signinSilentCallback();

/**
 * Signs the candidate in by authorization code and PKCE. Tokens are in memory alone: after a reload the issuer's own
 * session signs in again, in a hidden frame.
 */
export class SignIn {
  private readonly manager: UserManager;
  private user: User | null = null;
  /** When the service stops accepting the token, by the service's time. */
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly config: SignInConfig,
    private readonly language: () => string,
  ) {
    this.manager = new UserManager({
      authority: config.issuer,
      client_id: config.clientId,
      redirect_uri: config.redirectUri,
      silent_redirect_uri: config.redirectUri,
      scope: 'openid email',
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
      automaticSilentRenew: false,
      silentRequestTimeoutInSeconds: SILENT_SECONDS,
      requestTimeoutInSeconds: SILENT_SECONDS,
    });
  }

  get email(): string | null {
    return this.user?.profile.email ?? null;
  }

  /** Leaves for the issuer; it returns to `/apply/callback`. */
  async leave(applicationId: string): Promise<void> {
    forTab.set(APPLICATION, applicationId);
    await this.manager.signinRedirect({
      ui_locales: this.language(),
      // Somebody who signed out may be somebody else now.
      ...(forBrowser.get(SIGNED_IN) === 'out' && { prompt: 'login' }),
    });
  }

  /** At `/apply/callback`. @returns the application that the sign-in was for, and whether it succeeded */
  async arrive(): Promise<{ readonly applicationId: string; readonly succeeded: boolean }> {
    const applicationId = forTab.get(APPLICATION) ?? '';
    try {
      this.take((await this.manager.signinCallback()) ?? null);
    } catch {
      return { applicationId, succeeded: false };
    }
    return { applicationId, succeeded: this.user !== null };
  }

  /** Signs in without a word, if this browser has been signed in. */
  async resume(): Promise<boolean> {
    return forBrowser.get(SIGNED_IN) === 'in' && this.renew();
  }

  /** A valid ID token; `null`: the sign-in is over. */
  async token(): Promise<string | null> {
    if (this.leftMs() < SPARE_MS && this.user !== null) await this.renew();
    return this.leftMs() < SPARE_MS ? null : (this.user?.id_token ?? null);
  }

  /** @param refused a token that the service did not accept @returns another; `null`: there is none */
  async renewed(refused: string): Promise<string | null> {
    if (this.user?.id_token === refused && !(await this.renew())) return null;
    return this.token();
  }

  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.user = null;
    forBrowser.set(SIGNED_IN, 'out');
    await this.manager.removeUser();
    // The service's own issuer would sign whoever is next in without a code.
    if (this.config.signIn === 'email')
      await fetch(`${this.config.issuer}/sign-out`, { method: 'POST' }).catch(() => undefined);
  }

  private leftMs(): number {
    return this.user === null ? 0 : this.endsAt - serviceNow();
  }

  private renew(): Promise<boolean> {
    this.renewing ??= this.manager
      .signinSilent({ ui_locales: this.language() })
      .then(
        (user) => this.take(user),
        () => false,
      )
      .finally(() => (this.renewing = null));
    return this.renewing;
  }

  private take(user: User | null): boolean {
    if (!user?.id_token) return false;
    this.user = user;
    this.endsAt = endOf(user.profile);
    forBrowser.set(SIGNED_IN, 'in');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renew(), Math.max(SPARE_MS, this.leftMs() - RENEW_MS));
    return true;
  }
}

/** The device's clock has no say: a token lasts for as long as it was made for, and no longer than the service takes it. */
const endOf = ({ iat, exp }: Pick<User['profile'], 'iat' | 'exp'>): number => {
  const lasts = serviceNow() + (exp - iat) * 1_000;
  return serviceClock.isSure ? Math.min(exp * 1_000, lasts) : lasts;
};
