import { eventually } from './eventually.js';
import { type AuthorizationRequest, authorizationRequest, Browser, exchange } from './sign-in-client.js';
import type { MailServer, ReceivedMail } from './smtp.js';

/** The settings of a service that sends its mails to this server. */
export const mailsTo = (server: MailServer): Readonly<Record<string, string>> => ({
  SMTP_URL: server.url,
  MAIL_FROM: 'Example <jobs@example.org>',
});

/** Waits for a mail with a code. @param after counts only mails after the first so many @returns the last one's code */
export const codeSentTo = async (server: MailServer, email: string, after = 0): Promise<string> => {
  const mail = await eventually(() => codeMailsTo(server, email, after).at(-1));
  return codeIn(mail) ?? '';
};

/** The mails to an address that have a code, after the first so many mails of the server. */
export const codeMailsTo = (server: MailServer, email: string, after = 0): readonly ReceivedMail[] =>
  server.received.slice(after).filter((mail) => mail.to.includes(email) && codeIn(mail) !== null);

/** The code in a mail's text, `null` if it has none. */
export const codeIn = ({ text }: { readonly text: string }): string | null => {
  const code = /^(\d{4}) (\d{4})$/m.exec(text);
  return code && `${code[1]}${code[2]}`;
};

/** A candidate's browser during a sign-in. */
export class SignIn {
  private constructor(
    readonly browser: Browser,
    readonly request: AuthorizationRequest,
    /** Where the provider redirects first: the page of the sign-in, or the client if there is no page. */
    readonly path: string,
  ) {}

  /** @param issuer `{PUBLIC_URL}/candidate` */
  static async begin(
    issuer: string,
    change: Record<string, string> = {},
    browser = new Browser(new URL(issuer).origin),
  ): Promise<SignIn> {
    const redirectUri = issuer.replace(/\/candidate$/, '/apply/callback');
    const request = authorizationRequest(`${issuer}/auth`, redirectUri, {
      client_id: 'assay-candidate',
      scope: 'openid email',
      ...change,
    });
    const response = await browser.go(request.url);
    await response.arrayBuffer();
    return new SignIn(browser, request, response.headers.get('location') ?? '');
  }

  /** The same sign-in, with the next requests sent to another process. */
  at(origin: string): SignIn {
    return new SignIn(this.browser.at(origin), this.request, this.path);
  }

  page(headers?: Record<string, string>): Promise<Response> {
    return this.browser.go(this.path, undefined, headers);
  }

  ask(email: string, headers?: Record<string, string>): Promise<Response> {
    return this.browser.go(this.path, { step: 'email', email }, headers);
  }

  enter(code: string): Promise<Response> {
    return this.browser.go(this.path, { step: 'code', code });
  }

  step(step: 'again' | 'change'): Promise<Response> {
    return this.browser.go(this.path, { step });
  }

  /** Follows the redirects after the right code back to the client. @returns the authorization code */
  async codeFrom(entered: Response): Promise<string> {
    const resumed = await this.browser.go(entered.headers.get('location') ?? '');
    const back = new URL(resumed.headers.get('location') ?? '');
    const code = back.searchParams.get('code');
    if (code === null) throw new Error(`No code: ${resumed.status} ${back.href} ${await resumed.text()}`);
    return code;
  }

  exchange(issuer: string, code: string): Promise<Response> {
    return exchange(`${issuer}/token`, code, this.request, 'assay-candidate');
  }
}

/** Signs in by a mailed code. @returns an ID token of the issuer for candidates */
export const candidateToken = async (
  serviceUrl: string,
  mails: MailServer,
  email: string,
  {
    browser,
    typed = email,
    publicUrl = serviceUrl,
  }: { readonly browser?: Browser; readonly typed?: string; readonly publicUrl?: string } = {},
): Promise<string> => {
  const issuer = `${publicUrl}/candidate`;
  const begun = await SignIn.begin(issuer, browser ? { prompt: 'login' } : {}, browser);
  const signIn = browser ? begun : begun.at(serviceUrl);
  const before = mails.received.length;
  const asked = await signIn.ask(typed);
  if (asked.status !== 303) throw new Error(`Not asked: ${asked.status} ${await asked.text()}`);
  const entered = await signIn.enter(await codeSentTo(mails, email, before));
  const response = await signIn.exchange(issuer, await signIn.codeFrom(entered));
  const tokens = (await response.json()) as { id_token?: string };
  if (tokens.id_token === undefined) throw new Error(`No ID token: ${JSON.stringify(tokens)}`);
  return tokens.id_token;
};
