import { codeSentTo } from './candidate-sign-in.js';
import { type Browser } from './sign-in-client.js';
import type { MailServer } from './smtp.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The answer to a program's request for a code. */
interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
}

/** The answer of the token endpoint, with its status. */
interface TokenAnswer {
  readonly status: number;
  readonly error?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

const post = (url: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form) });

/** Requests a code, as a program does. @param issuer `{PUBLIC_URL}/candidate` */
export const askForDeviceCode = async (
  issuer: string,
  change: Readonly<Record<string, string>> = {},
): Promise<DeviceCode> => {
  const form = { client_id: 'assay-work', scope: 'openid email', ...change };
  const response = await post(`${issuer}/device/auth`, form);
  if (response.status !== 200) throw new Error(`No code: ${response.status} ${await response.text()}`);
  return (await response.json()) as DeviceCode;
};

/** Requests tokens once, by a device code or by a refresh token. */
export const tokensOf = async (
  issuer: string,
  { device, refresh }: { readonly device?: string; readonly refresh?: string },
): Promise<TokenAnswer> => {
  const by: Readonly<Record<string, string>> =
    refresh === undefined
      ? { grant_type: GRANT, device_code: device ?? '' }
      : { grant_type: 'refresh_token', refresh_token: refresh };
  const response = await post(`${issuer}/token`, { client_id: 'assay-work', ...by });
  return { ...((await response.json()) as object), status: response.status };
};

/** The page for a program's code in a candidate's browser. */
export class DevicePage {
  constructor(
    readonly browser: Browser,
    /** The origin of the pages. */
    readonly path = '/candidate/device',
  ) {}

  /** Opens the page and enters a code. */
  async enter(userCode: string): Promise<Response> {
    const opened = await (await this.browser.go(this.path)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(opened)?.[1] ?? '';
    return this.browser.go(this.path, { xsrf, user_code: userCode, confirm: 'yes' });
  }

  /** Signs in by a mailed code, on the page that an answer redirects to. @returns where the sign-in redirects */
  async signIn(entered: Response, mails: MailServer, email: string): Promise<string> {
    const page = locationOf(entered);
    const before = mails.received.length;
    await this.browser.go(page, { step: 'email', email });
    const code = await codeSentTo(mails, email, before);
    return this.follow(await this.browser.go(page, { step: 'code', code }));
  }

  /** Follows the redirects of an answer. @returns the page at their end */
  async follow(answer: Response): Promise<string> {
    return locationOf(await this.browser.go(locationOf(answer)));
  }

  /** Answers the page that asks whether the candidate started the program. @returns the last page */
  async answer(page: string, step: 'confirm' | 'deny'): Promise<string> {
    const answered = await this.browser.go(page, { step });
    return (await this.browser.go(locationOf(answered))).text();
  }
}

const locationOf = (response: Response): string => {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`It leads nowhere: ${response.status}`);
  return location;
};
