import { signal } from '@preact/signals';
import { Provider, ProviderRefusal, type Tokens } from '../../shared/oidc.js';
import { request } from '../../shared/request.js';
import { browserStorage, itemKeyOf, tabStorage } from '../../shared/storage.js';

/** How staff sign in, as `/console/config.json` has it. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly development: boolean;
}

/** For the browser. `in`: somebody has signed in; `out`: the next one has to show who it is. */
const SIGNED_IN = 'staff-signed-in';
/** For the tab: the page that a sign-in under way leads to, and whether it was begun without being asked for. */
const RETURN_TO = 'staff-return-to';
const SILENT = 'staff-silent';
/** A token is renewed this long before it ends, and not used in its last seconds. */
const RENEW_MS = 5 * 60_000;
const SPARE_MS = 30_000;

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
}

/** Whether another tab has signed its person out. @param event of the browser's storage */
export const toldOfSignOut = ({ key, newValue }: StorageEvent): boolean =>
  key === itemKeyOf(SIGNED_IN) && newValue === 'out';

/**
 * The session of a member of staff at the installation's OpenID provider. Tokens are in memory alone. They are renewed by
 * a refresh token if the provider gives one, else in a hidden frame. If the browser keeps the provider's cookies from
 * frames, a page that opens leaves for the provider and comes back, and one that is open says that the sign-in has ended.
 */
export class StaffSession {
  /** The sign-in ended and could not be renewed. */
  readonly ended = signal(false);
  private readonly provider: StaffProvider;
  private tokens: Tokens | null = null;
  private endsAt = 0;
  private renewing: Promise<boolean> | null = null;

  constructor(
    readonly config: SignInConfig,
    private readonly language: () => string,
  ) {
    this.provider = new StaffProvider(config);
  }

  get email(): string | null {
    return this.tokens?.email ?? null;
  }

  /**
   * At `/console/callback`, takes the provider's answer out of the address.
   * @returns whether somebody is signed in, and the address of the page that was asked for
   */
  async arrive(): Promise<{ readonly outcome: 'in' | 'out' | 'failed'; readonly returnTo: string }> {
    const returnTo = tabStorage.get(RETURN_TO) ?? '';
    const wasSilent = tabStorage.get(SILENT) !== null;
    tabStorage.set(SILENT, null);
    try {
      this.take(await this.provider.arrive());
      return { outcome: 'in', returnTo };
    } catch (error) {
      browserStorage.set(SIGNED_IN, null);
      return { outcome: wasSilent && error instanceof ProviderRefusal ? 'out' : 'failed', returnTo };
    }
  }

  /** Signs in without being asked, if this browser has been signed in. @returns `leaving`: the page goes away */
  async resume(returnTo: string): Promise<'in' | 'out' | 'leaving'> {
    if (browserStorage.get(SIGNED_IN) !== 'in') return 'out';
    if (await this.renew()) return 'in';
    if (new URL(this.config.issuer).origin === location.origin) return 'out';
    tabStorage.set(SILENT, 'yes');
    return this.leave(returnTo, { prompt: 'none' }).then(
      () => 'leaving',
      () => 'out',
    );
  }

  /** Leaves for the provider, which returns to `/console/callback`. @throws {ApiFailure} it gives no answer */
  async leave(returnTo: string, parameters: Readonly<Record<string, string>> = {}): Promise<void> {
    tabStorage.set(RETURN_TO, returnTo);
    const refreshes = await this.provider.hasScope('offline_access');
    await this.provider.leave({
      ui_locales: this.language(),
      scope: refreshes ? 'openid email offline_access' : 'openid email',
      // Somebody who signed out may be somebody else now.
      ...(browserStorage.get(SIGNED_IN) === 'out' && { prompt: 'login' }),
      ...parameters,
    });
  }

  /** A valid ID token; `null`: there is none. @param refused one that the service did not accept */
  async token(refused: string | null): Promise<string | null> {
    if (this.tokens === null) return null;
    const leftMs = this.endsAt - Date.now();
    if (leftMs < SPARE_MS || refused === this.tokens.idToken) await this.renew();
    else if (leftMs < RENEW_MS) void this.renew();
    const isOver = this.endsAt - Date.now() < SPARE_MS || refused === this.tokens.idToken;
    if (isOver) this.ended.value = true;
    return isOver ? null : this.tokens.idToken;
  }

  /** Ends the session here and at the provider. @returns where the browser has to go for that; `null`: nowhere */
  async end(home: string): Promise<string | null> {
    const idToken = this.tokens?.idToken;
    this.forget();
    browserStorage.set(SIGNED_IN, 'out');
    if (idToken === undefined) return null;
    if (this.config.development) {
      await request(`${this.config.issuer}/sign-out`, { method: 'POST' }).catch(() => null);
      return null;
    }
    return this.provider.signOutUrl(idToken, home).catch(() => null);
  }

  /** Has no token any more: the person signed out, here or in another tab. */
  forget(): void {
    this.tokens = null;
    this.ended.value = false;
  }

  private renew(): Promise<boolean> {
    this.renewing ??= this.renewOnce().finally(() => (this.renewing = null));
    return this.renewing;
  }

  private async renewOnce(): Promise<boolean> {
    const { tokens } = this;
    try {
      return this.take(
        tokens !== null && tokens.refreshToken !== null
          ? await this.provider.refresh(tokens)
          : await this.provider.askInFrame({ ui_locales: this.language() }),
      );
    } catch {
      return false;
    }
  }

  private take(tokens: Tokens): boolean {
    // Another person has signed in at the provider meanwhile: this page goes on as nobody.
    if (this.tokens !== null && this.tokens.subject !== tokens.subject) return false;
    this.tokens = tokens;
    this.endsAt = Date.now() + (tokens.exp - tokens.iat) * 1_000;
    this.ended.value = false;
    browserStorage.set(SIGNED_IN, 'in');
    return true;
  }
}
