import { signal } from '@preact/signals';
import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { ApiFailure } from './api.js';
import { serviceClock, serviceNow } from './clock.js';
import { forBrowser, forTab } from './kept.js';
import type { SignInConfig } from './records.js';
import { persistently, request } from './request.js';

/** A token is renewed this long before it expires, and not used in its last seconds. */
const RENEW_MS = 5 * 60_000;
const SPARE_MS = 30_000;
const LEAST_MS = 5_000;
const SILENT_SECONDS = 10;
/** Of what a library does with several requests. */
const WHOLE_MS = 25_000;
/** Between two times that the page leaves for the provider by itself. */
const LEAVE_AGAIN_MS = 60_000;
const SIGN_OUT_TRIES = 2;

/** For the browser. `in`: somebody has signed in; `out`: the next one has to show who it is. */
export const SIGNED_IN = 'signed-in';
/** For the browser: the service has not confirmed a sign-out. */
const SIGN_OUT_PENDING = 'sign-out-pending';
/** For the tab: the provider has no cookies in a frame of this page. */
const NO_FRAMES = 'sign-in-without-frames';
/** For the browser: the provider refuses the scope for refresh tokens. */
const NO_REFRESH = 'sign-in-without-refresh';
/** For the tab: what a sign-in that is under way is for. */
const APPLICATION = 'application';
const LEFT = 'left-to-sign-in';
const LEFT_AT = 'left-at';

/** Why the page leaves for the provider: by the button, to see whether there is a session, or before a token ends. */
type Leaving = 'asked' | 'silent' | 'renewal';

/** What came of it. `none`: there is no session at the provider. */
export type Arrival = 'in' | 'failed' | 'none' | 'expired' | 'again';

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
 * Signs the candidate in by authorization code and PKCE. Tokens are in memory alone. They are renewed by a refresh token
 * if the provider gives one, else in a hidden frame, else by leaving for the provider and coming back: browsers keep the
 * cookies of a provider on another site from its frames.
 */
export class SignIn {
  /** When the page leaves for the provider by itself, by the service's time; `null`: it need not. */
  readonly leavesAt = signal<number | null>(null);
  private readonly manager: UserManager;
  private user: User | null = null;
  /** When the service stops accepting the token, by the service's time. */
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly config: SignInConfig,
    private readonly language: () => string,
    private readonly leaveByItself: () => void,
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

  get subject(): string | null {
    return this.user?.profile.sub ?? null;
  }

  /** Leaves for the provider; it returns to `/apply/callback`. */
  async leave(applicationId: string, why: Leaving = 'asked'): Promise<void> {
    forTab.set(APPLICATION, applicationId);
    forTab.set(LEFT, why);
    if (why !== 'asked') forTab.set(LEFT_AT, `${serviceNow()}`);
    await within(
      this.manager.signinRedirect({
        ui_locales: this.language(),
        scope: await this.scope(),
        // Somebody who signed out may be somebody else now.
        ...(forBrowser.get(SIGNED_IN) === 'out' && { prompt: 'login' }),
        ...(why === 'silent' && { prompt: 'none' }),
      }),
    );
  }

  /** Whether the page may leave by itself: the provider answers, and it has not just come back from it. */
  async canLeave(): Promise<boolean> {
    const leftAt = Number(forTab.get(LEFT_AT) ?? 0);
    return Math.abs(serviceNow() - leftAt) > LEAVE_AGAIN_MS && this.answers();
  }

  /** At `/apply/callback`. @returns the application that the sign-in was for, and what came of it */
  async arrive(): Promise<{ readonly applicationId: string; readonly arrival: Arrival }> {
    const applicationId = forTab.get(APPLICATION) ?? '';
    return { applicationId, arrival: await this.arrival((forTab.get(LEFT) ?? 'asked') as Leaving) };
  }

  /** Signs in without a word, if this browser has been signed in. @returns `leave`: by leaving, as `silent` */
  async resume(): Promise<boolean | 'leave'> {
    if (forBrowser.get(SIGNED_IN) !== 'in') return false;
    if (await this.renew()) return true;
    return this.isElsewhere && forTab.get(LEFT) !== 'silent' && (await this.answers()) ? 'leave' : false;
  }

  /** A valid ID token; `null`: the sign-in is over, or about to be. */
  async token(): Promise<string | null> {
    if (this.user !== null && this.leftMs() < SPARE_MS) await this.renew();
    return this.tokenNow();
  }

  /** As `token`, without a renewal. */
  tokenNow(): string | null {
    return this.leftMs() < SPARE_MS ? null : (this.user?.id_token ?? null);
  }

  /** @param refused a token that the service did not accept @returns another; `null`: there is none */
  async renewed(refused: string): Promise<string | null> {
    if (this.user?.id_token === refused && !(await this.renew())) return null;
    return this.token();
  }

  /** Whether the service has yet to learn of a sign-out. */
  get isSignOutPending(): boolean {
    return forBrowser.get(SIGN_OUT_PENDING) !== null;
  }

  /** @returns whether nobody goes on as this person without showing who it is */
  async end(): Promise<boolean> {
    this.forget();
    // The service's own issuer would sign whoever is next in without a code.
    if (this.config.signIn === 'email') forBrowser.set(SIGN_OUT_PENDING, 'yes');
    // Last: other tabs learn of it.
    forBrowser.set(SIGNED_IN, 'out');
    return this.finishSignOut();
  }

  /** Tells the service of a sign-out that it does not know. @returns as `end` */
  async finishSignOut(): Promise<boolean> {
    if (!this.isSignOutPending) return true;
    try {
      await persistently(
        async () => {
          const { ok, status } = await request(`${this.config.issuer}/sign-out`, {
            method: 'POST',
            keepalive: true,
          });
          if (!ok) throw new ApiFailure(status, 'sign_out_failed', 'The sign-out did not succeed.');
        },
        { tries: SIGN_OUT_TRIES },
      );
    } catch {
      return false;
    }
    forBrowser.set(SIGN_OUT_PENDING, null);
    return true;
  }

  /** Has no token any more: the person signed out, here or in another tab. */
  forget(): void {
    clearTimeout(this.timer);
    this.user = null;
    this.leavesAt.value = null;
    void this.manager.removeUser();
  }

  private async arrival(why: Leaving): Promise<Arrival> {
    try {
      const user = await within(this.manager.signinCallback());
      if (this.take(user ?? null)) {
        if (why === 'silent') forTab.set(NO_FRAMES, 'yes');
        forTab.set(LEFT, 'asked');
        return 'in';
      }
    } catch (error) {
      const refusal = error instanceof ErrorResponse ? error.error : null;
      if (refusal === 'invalid_scope' && forBrowser.get(NO_REFRESH) === null) {
        forBrowser.set(NO_REFRESH, 'yes');
        return 'again';
      }
      // A code is good for one try, but the provider may have a session by now.
      const mayRenew = refusal === null && why !== 'silent' && forBrowser.get(SIGNED_IN) !== 'out';
      if (mayRenew && (await this.renew())) return 'in';
    }
    if (why === 'asked') return 'failed';
    forBrowser.set(SIGNED_IN, null);
    return why === 'silent' ? 'none' : 'expired';
  }

  private get isElsewhere(): boolean {
    return new URL(this.config.issuer).origin !== location.origin;
  }

  private async scope(): Promise<string> {
    const refreshes =
      forBrowser.get(NO_REFRESH) === null &&
      (await within(this.manager.metadataService.getMetadata())).scopes_supported?.includes('offline_access');
    return refreshes ? 'openid email offline_access' : 'openid email';
  }

  /** Whether the provider can be reached. */
  answers(): Promise<boolean> {
    return request(`${this.config.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  private leftMs(): number {
    return this.user === null ? 0 : this.endsAt - serviceNow();
  }

  private renew(): Promise<boolean> {
    this.renewing ??= this.renewOnce().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    const silently = (): Promise<User | null> =>
      within(this.manager.signinSilent({ ui_locales: this.language() })).catch(() => null);
    if (this.user?.refresh_token !== undefined) {
      if (this.take(await silently())) return true;
      if (!(await this.answers())) return false;
      // It is over. Without it the library takes a frame.
      await this.manager.removeUser();
    }
    return forTab.get(NO_FRAMES) === null && this.take(await silently());
  }

  private take(user: User | null): boolean {
    if (!user?.id_token || user.id_token === this.user?.id_token) return false;
    if (this.user !== null && this.user.profile.sub !== user.profile.sub) return false;
    this.user = user;
    this.endsAt = endOf(user.profile);
    this.leavesAt.value = null;
    forBrowser.set(SIGNED_IN, 'in');
    const leftMs = this.leftMs();
    this.wait(leftMs - Math.min(RENEW_MS, leftMs / 2));
    return true;
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keepUp(), Math.max(LEAST_MS, ms));
  }

  /** Renews in good time. If that fails though the provider answers, the page has to leave: the candidate is warned. */
  private async keepUp(): Promise<void> {
    if (this.user === null || (await this.renew())) return;
    const leftMs = this.leftMs() - SPARE_MS;
    if (leftMs <= 0) {
      if (await this.answers()) this.leaveByItself();
      else this.wait(SPARE_MS);
      return;
    }
    const mayLeave = await this.canLeave();
    this.leavesAt.value = mayLeave ? this.endsAt - SPARE_MS : null;
    this.wait(mayLeave ? leftMs : Math.min(leftMs, SPARE_MS));
  }
}

/** @throws {ApiFailure} it did not end in time */
const within = async <T>(work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiFailure(0, 'timeout', 'There was no answer in time.')), WHOLE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** The device's clock has no say: a token lasts for as long as it was made for, and no longer than the service takes it. */
const endOf = ({ iat, exp }: Pick<User['profile'], 'iat' | 'exp'>): number => {
  const lasts = serviceNow() + (exp - iat) * 1_000;
  return serviceClock.isSure ? Math.min(exp * 1_000, lasts) : lasts;
};
