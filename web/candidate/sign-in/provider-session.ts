import { signal } from '@preact/signals';
import { serviceClock, serviceNow } from '../../shared/clock.js';
import { endSession, Provider, ProviderRefusal, RENEW_MS, SPARE_MS, type Tokens } from '../../shared/oidc.js';
import { browserStorage, itemKeyOf, tabStorage } from '../../shared/storage.js';

/** Shortest wait before a renewal, so that failures do not repeat without a pause. */
const MIN_WAIT_MS = 5_000;
/** Shortest time between two navigations to the provider that the page begins by itself. */
const LEAVE_AGAIN_MS = 60_000;

/**
 * A key of the browser's storage. `in`: a candidate has signed in; `out`: the provider must ask who the next person is.
 */
const SIGNED_IN = 'signed-in';
/** A key of the browser's storage: the service has not confirmed a sign-out. */
const SIGN_OUT_PENDING = 'sign-out-pending';
/** A key of the tab's storage: the browser sends the provider no cookies from a frame of this page. */
const NO_FRAMES = 'sign-in-without-frames';
/** A key of the tab's storage: the application for which a sign-in is under way. */
const APPLICATION = 'application';
const LEFT = 'left-to-sign-in';
const LEFT_AT = 'left-at';

/** Why the page navigates to the provider: by the button, to check for a session, or before a token expires. */
type Leaving = 'asked' | 'silent' | 'renewal';

/** How candidates sign in, as `/apply/config.json` has it. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signIn: 'email' | 'oidc';
}

/**
 * The result of a return from the provider. `none`: it has no session; `again`: it refused the scope for refresh tokens,
 * and a sign-in without that scope may succeed.
 */
export type Arrival = 'in' | 'failed' | 'none' | 'expired' | 'again';

/** Whether another tab has signed its person out. @param event of the browser's storage */
export const isSignOut = ({ key, newValue }: StorageEvent): boolean =>
  key === itemKeyOf(SIGNED_IN) && newValue === 'out';

/**
 * The candidate's session at the OpenID provider, by authorization code and PKCE. Tokens are in memory alone. They are
 * renewed by a refresh token if the provider gives one, else in a hidden frame, else by a navigation to the provider and
 * back: browsers send no cookies from a frame to a provider on another site.
 *
 * Call `arrive` first if the provider opened the page, else `resume`. From then on it renews its tokens by itself, and
 * `token` returns the current one. `end` signs out; `finishSignOut` repeats a sign-out that the service did not receive.
 */
export class ProviderSession {
  /** When the page navigates to the provider by itself, by the service's time; `null`: it need not. */
  readonly leavesAt = signal<number | null>(null);
  private readonly provider: Provider;
  private tokens: Tokens | null = null;
  /** When the service stops accepting the token, by the service's time. */
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param language of the page, in which the provider's pages are shown
   * @param leaveByItself navigates to the provider: called if a token expires and cannot be renewed, and the provider answers
   */
  constructor(
    private readonly config: SignInConfig,
    private readonly language: () => string,
    private readonly leaveByItself: () => void,
  ) {
    this.provider = new Provider(config);
  }

  /** The person's address; `null`: signed out, or the provider gives none. */
  get email(): string | null {
    return this.tokens?.email ?? null;
  }

  /** The person's subject; `null`: signed out. */
  get subject(): string | null {
    return this.tokens?.subject ?? null;
  }

  /** Navigates to the provider, which returns to `/apply/callback`. */
  async leave(applicationId: string, why: Leaving = 'asked'): Promise<void> {
    tabStorage.set(APPLICATION, applicationId);
    tabStorage.set(LEFT, why);
    if (why !== 'asked') tabStorage.set(LEFT_AT, `${serviceNow()}`);
    await this.provider.leave({
      ui_locales: this.language(),
      // After a sign-out, another person may use the browser: the provider must ask.
      ...(browserStorage.get(SIGNED_IN) === 'out' && { prompt: 'login' }),
      ...(why === 'silent' && { prompt: 'none' }),
      // The issuer has an allowance of codes for each invitation: requests of others do not use it up.
      ...(this.config.signIn === 'email' && { application: applicationId }),
    });
  }

  /** Whether the page may navigate by itself: the provider answers, and the page has not just returned from it. */
  async canLeave(): Promise<boolean> {
    const leftAt = Number(tabStorage.get(LEFT_AT) ?? 0);
    return Math.abs(serviceNow() - leftAt) > LEAVE_AGAIN_MS && this.isReachable();
  }

  /** Handles the return to `/apply/callback`. @returns the application that the sign-in was for, and its result */
  async arrive(): Promise<{ readonly applicationId: string; readonly arrival: Arrival }> {
    const applicationId = tabStorage.get(APPLICATION) ?? '';
    return { applicationId, arrival: await this.arrival((tabStorage.get(LEFT) ?? 'asked') as Leaving) };
  }

  /** Signs in without a page, if this browser was signed in. @returns `leave`: a navigation is needed, as `silent` */
  async resume(): Promise<boolean | 'leave'> {
    if (browserStorage.get(SIGNED_IN) !== 'in') return false;
    if (await this.renew()) return true;
    return this.isElsewhere && tabStorage.get(LEFT) !== 'silent' && (await this.isReachable())
      ? 'leave'
      : false;
  }

  /** A valid ID token; `null`: the sign-in has expired or is about to. */
  async token(): Promise<string | null> {
    if (this.tokens !== null && this.leftMs() < SPARE_MS) await this.renew();
    return this.tokenNow();
  }

  /** As `token`, without a renewal. */
  tokenNow(): string | null {
    return this.leftMs() < SPARE_MS ? null : (this.tokens?.idToken ?? null);
  }

  /** Renews the token. @param refused one that the service did not accept @returns another; `null`: there is none */
  async renewed(refused: string): Promise<string | null> {
    if (this.tokens?.idToken === refused && !(await this.renew())) return null;
    return this.token();
  }

  /** Whether a sign-out has not reached the service's own issuer yet. */
  get isSignOutPending(): boolean {
    return browserStorage.get(SIGN_OUT_PENDING) !== null;
  }

  /** Signs out. @returns whether the session at the service's own issuer has ended, if that is the provider */
  async end(): Promise<boolean> {
    this.forget();
    // Until its session has ended, the service's own issuer would sign in the next person without a code.
    if (this.config.signIn === 'email') browserStorage.set(SIGN_OUT_PENDING, 'yes');
    // Last, since other tabs sign out when they receive this change.
    browserStorage.set(SIGNED_IN, 'out');
    return this.finishSignOut();
  }

  /** Ends the session at the service's own issuer, if that has not succeeded yet. @returns as `end` */
  async finishSignOut(): Promise<boolean> {
    if (!this.isSignOutPending) return true;
    try {
      await endSession(this.config.issuer);
    } catch {
      return false;
    }
    browserStorage.set(SIGN_OUT_PENDING, null);
    return true;
  }

  /** Drops the tokens: the person signed out, here or in another tab. */
  forget(): void {
    clearTimeout(this.timer);
    this.tokens = null;
    this.leavesAt.value = null;
  }

  private async arrival(why: Leaving): Promise<Arrival> {
    try {
      if (this.take(await this.provider.arrive())) {
        if (why === 'silent') tabStorage.set(NO_FRAMES, 'yes');
        tabStorage.set(LEFT, 'asked');
        return 'in';
      }
    } catch (error) {
      if (this.provider.dropRefreshScope(error)) return 'again';
      // A code is valid once, but the provider may have a session by now.
      const mayRenew =
        !(error instanceof ProviderRefusal) && why !== 'silent' && browserStorage.get(SIGNED_IN) !== 'out';
      if (mayRenew && (await this.renew())) return 'in';
    }
    if (why === 'asked') return 'failed';
    browserStorage.set(SIGNED_IN, null);
    return why === 'silent' ? 'none' : 'expired';
  }

  private get isElsewhere(): boolean {
    return new URL(this.config.issuer).origin !== location.origin;
  }

  /** Whether the provider can be reached. */
  isReachable(): Promise<boolean> {
    return this.provider.isReachable();
  }

  private leftMs(): number {
    return this.tokens === null ? 0 : this.endsAt - serviceNow();
  }

  private renew(): Promise<boolean> {
    this.renewing ??= this.renewOnce().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    const { tokens } = this;
    if (tokens !== null && tokens.refreshToken !== null) {
      if (this.takeRenewed(await this.provider.refresh(tokens).catch(() => null), tokens)) return true;
      if (!(await this.isReachable()) || this.tokens !== tokens) return false;
      // The refresh token is no longer valid.
      this.tokens = { ...tokens, refreshToken: null };
    }
    if (tabStorage.get(NO_FRAMES) !== null) return false;
    const former = this.tokens;
    const answer = await this.provider.askInFrame({ ui_locales: this.language() }).catch(() => null);
    return this.takeRenewed(answer, former);
  }

  /** Takes the answer to a renewal, unless the person has signed out since, here or in another tab. */
  private takeRenewed(answer: Tokens | null, former: Tokens | null): boolean {
    return this.tokens === former && browserStorage.get(SIGNED_IN) !== 'out' && this.take(answer);
  }

  private take(tokens: Tokens | null): boolean {
    if (tokens === null || tokens.idToken === this.tokens?.idToken) return false;
    if (this.tokens !== null && this.tokens.subject !== tokens.subject) return false;
    this.tokens = tokens;
    this.endsAt = endOf(tokens);
    this.leavesAt.value = null;
    browserStorage.set(SIGNED_IN, 'in');
    const leftMs = this.leftMs();
    this.wait(leftMs - Math.min(RENEW_MS, leftMs / 2));
    return true;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.renewInTime(), Math.max(MIN_WAIT_MS, ms));
  }

  /** Renews before the token expires. If that fails although the provider answers, the page has to navigate to it: warns. */
  private async renewInTime(): Promise<void> {
    if (this.tokens === null || (await this.renew())) return;
    const leftMs = this.leftMs() - SPARE_MS;
    if (leftMs <= 0) {
      if (await this.isReachable()) this.leaveByItself();
      else this.wait(SPARE_MS);
      return;
    }
    const mayLeave = await this.canLeave();
    this.leavesAt.value = mayLeave ? this.endsAt - SPARE_MS : null;
    this.wait(mayLeave ? leftMs : Math.min(leftMs, SPARE_MS));
  }
}

/** When a token expires, by the service's time: after its lifetime, and not after the service stops accepting it. */
const endOf = ({ iat, exp }: Pick<Tokens, 'iat' | 'exp'>): number => {
  const lasts = serviceNow() + (exp - iat) * 1_000;
  return serviceClock.isSynchronised ? Math.min(exp * 1_000, lasts) : lasts;
};
