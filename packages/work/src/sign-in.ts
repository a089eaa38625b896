import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configFolder, forget, readJson, writePrivate } from './places.js';
import { jsonOf, Offline, request, safeUrl } from './service.js';
import { oneLine, Stop, type Terminal } from './terminal.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** How long before it expires a token is renewed, in milliseconds; a token that lives shortly, after half of its life. */
const RENEWED_BEFORE_MS = 60_000;
/** Assumed life of a token, in seconds, if neither the token nor the answer states it. */
const SHORT_LIFE = 60;

/** Where a service's candidates sign in. */
interface SignInPlace {
  readonly issuer: string;
  readonly clientId: string;
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string | null;
  /** In milliseconds since 1970, by this computer's clock. */
  readonly renewAt: number;
}

/** Tokens by the service's address. */
type Stored = Readonly<Record<string, Tokens>>;

interface Endpoints {
  readonly token: string;
  readonly device: string | null;
}

const tokensFile = (): string => join(configFolder(), 'tokens.json');
const stored = async (): Promise<Stored> => (await readJson<Stored>(tokensFile())) ?? {};
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Signs the candidate in to one service, and keeps the tokens where the user alone may read them. */
export class SignIn {
  constructor(
    private readonly service: string,
    private readonly terminal: Terminal,
    /** For tests: milliseconds between two requests are multiplied by this. */
    private readonly pace = 1,
  ) {}

  /**
   * A token that is valid now: the stored one, a renewed one, or one of a new sign-in.
   * @param isRefused whether the service has refused the stored one
   * @throws {Offline} the service or its sign-in cannot be reached
   * @throws {Stop} programs cannot sign in here, or the sign-in was denied or not confirmed in time
   */
  async token(isRefused: boolean): Promise<string> {
    const known = (await stored())[this.service];
    if (known && !isRefused && known.renewAt > Date.now()) return known.idToken;
    const place = await this.place();
    const endpoints = await this.endpoints(place);
    const renewed = known?.refreshToken
      ? await this.redeem(place, endpoints, {
          grant_type: 'refresh_token',
          refresh_token: known.refreshToken,
        })
      : null;
    if (renewed?.tokens) {
      const refreshToken = renewed.tokens.refreshToken ?? known?.refreshToken ?? null;
      return this.keep({ ...renewed.tokens, refreshToken });
    }
    return this.keep(await this.byDevice(place, endpoints));
  }

  /** Forgets the tokens of this service. */
  async signOut(): Promise<void> {
    const others = Object.entries(await stored()).filter(([service]) => service !== this.service);
    if (others.length === 0) await forget(tokensFile());
    else await writePrivate(tokensFile(), JSON.stringify(Object.fromEntries(others)));
  }

  private async keep(tokens: Tokens): Promise<string> {
    await writePrivate(tokensFile(), JSON.stringify({ ...(await stored()), [this.service]: tokens }));
    return tokens.idToken;
  }

  private async place(): Promise<SignInPlace> {
    const found = (await this.get(`${this.service}/apply/config.json`)) ?? {};
    const issuer = textOf(found.issuer);
    const clientId = textOf(found.deviceClientId);
    if (issuer === null || clientId === null)
      throw new Stop('assay-work cannot sign in at this address. Use the link of your invitation.');
    return { issuer, clientId };
  }

  private async endpoints({ issuer }: SignInPlace): Promise<Endpoints> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = (await this.get(address)) ?? {};
    const token = textOf(found.token_endpoint);
    if (token === null) throw new Stop('The sign-in of this service is not available. Try again later.');
    return { token, device: textOf(found.device_authorization_endpoint) };
  }

  private async get(url: string): Promise<Readonly<Record<string, unknown>> | null> {
    const response = await request(url);
    if (response.status >= 500 || response.status === 429)
      throw new Offline('The sign-in is not available at the moment.');
    const body = response.ok ? await jsonOf(response) : null;
    return typeof body === 'object' ? (body as Readonly<Record<string, unknown>> | null) : null;
  }

  /**
   * Shows a code, and asks the token endpoint until the candidate has confirmed it on the page.
   * @throws {Stop} the sign-in was denied, or not confirmed in time
   */
  private async byDevice(place: SignInPlace, endpoints: Endpoints): Promise<Tokens> {
    if (endpoints.device === null)
      throw new Stop(
        'The sign-in of this organisation’s candidates does not support programs. Hand in on the page instead.',
      );
    const answer = await this.post(endpoints.device, { client_id: place.clientId, scope: 'openid email' });
    const deviceCode = textOf(answer.body.device_code);
    const userCode = textOf(answer.body.user_code);
    const page = textOf(answer.body.verification_uri);
    if (deviceCode === null || userCode === null || page === null)
      throw new Stop(`The sign-in could not be begun: ${reasonOf(answer)}`);
    const seconds = Number(answer.body.expires_in) || 600;
    this.terminal.say('');
    this.terminal.say('To sign in, open this page in a browser and enter the code:');
    this.terminal.say('');
    this.terminal.say(`  ${safeUrl(page).href}`);
    this.terminal.say(`  ${oneLine(userCode, 40)}`);
    this.terminal.say('');
    this.terminal.say(`Waiting until you have confirmed it (at most ${Math.ceil(seconds / 60)} minutes) …`);
    const until = performance.now() + seconds * 1_000;
    let interval = Number(answer.body.interval) || 5;
    while (performance.now() < until) {
      await sleep(interval * 1_000 * this.pace);
      const form = { grant_type: DEVICE_GRANT, device_code: deviceCode };
      const got = await this.redeem(place, endpoints, form).catch((error: unknown) => {
        // A short failure of the network does not end the sign-in.
        if (error instanceof Offline) return { tokens: null, error: 'authorization_pending' };
        throw error;
      });
      if (got.tokens) {
        this.terminal.say('You are signed in.');
        return got.tokens;
      }
      if (got.error === 'slow_down') interval += 5;
      else if (got.error === 'access_denied') throw new Stop('The sign-in was denied on the page.');
      else if (got.error !== 'authorization_pending') break;
    }
    throw new Stop('The code has expired. Run the command again to get a new one.');
  }

  /** Asks the token endpoint once. @returns the tokens, or the code of its refusal */
  private async redeem(
    { clientId }: SignInPlace,
    { token }: Endpoints,
    grant: Readonly<Record<string, string>>,
  ): Promise<{ readonly tokens: Tokens | null; readonly error: string | null }> {
    const { body } = await this.post(token, { client_id: clientId, ...grant });
    const idToken = textOf(body.id_token);
    if (idToken === null) return { tokens: null, error: textOf(body.error) };
    const refreshToken = textOf(body.refresh_token);
    const lifeMs = (lifeOf(idToken) ?? (Number(body.expires_in) || SHORT_LIFE)) * 1_000;
    const renewAt = Date.now() + lifeMs - Math.min(RENEWED_BEFORE_MS, lifeMs / 2);
    return { tokens: { idToken, refreshToken, renewAt }, error: null };
  }

  private async post(url: string, form: Readonly<Record<string, string>>) {
    const response = await request(url, { method: 'POST', body: new URLSearchParams(form) });
    if (response.status >= 500 || response.status === 429)
      throw new Offline('The sign-in is not available at the moment.');
    const body = ((await jsonOf(response)) ?? {}) as Readonly<Record<string, unknown>>;
    return { status: response.status, body };
  }
}

/**
 * The life of an ID token in seconds, by its own times: `expires_in` is optional, and is that of the access token.
 * `null`: it states none.
 */
const lifeOf = (idToken: string): number | null => {
  try {
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
    const { iat, exp } = JSON.parse(payload) as { readonly iat?: unknown; readonly exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : null;
  } catch {
    return null;
  }
};

const reasonOf = ({ status, body }: { status: number; body: Readonly<Record<string, unknown>> }): string =>
  oneLine(textOf(body.error_description) ?? textOf(body.error) ?? `status ${status}`);
