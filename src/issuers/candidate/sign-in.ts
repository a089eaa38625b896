import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import { emailMistake, visibleEmail } from '../../core/email-address.js';
import { padResponseTime } from '../../http/answer.js';
import { isEmailAddress } from '../../http/validation/formats.js';
import { type Language, preferredLanguage, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import { readForm, redirect, sendPage } from '../forms.js';
import type { Exchange } from '../routes.js';
import { finishSignIn, type ProviderSession, type SignInDetails, signInOf } from '../sign-in.js';
import type { CodeMails } from './code-mails.js';
import { type Asked, CODE_DIGITS, type Codes, readCode } from './codes.js';
import { confirmDevice, DEVICE_PROMPT } from './device.js';
import { codePage, codeUsedPage, emailPage, failedPage, signedOutPage, signOutPage } from './pages.js';
import type { SignInStates } from './sign-in-states.js';

/** What the pages of a sign-in need of their issuer, for one request. */
export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly states: SignInStates;
  readonly mails: CodeMails;
  /** Requests for codes that are being answered. A repeated one, as by a double click, asks for no further code. */
  readonly asking: Set<string>;
  /** Whether the application's candidate was invited under the address. */
  readonly isInvitation: (email: string, applicationId: string) => Promise<boolean>;
  /** The page that shows mails; `null`: they are sent. */
  readonly outboxUrl: string | null;
  /** Seconds until the client's address may send a form again; 0: now. */
  readonly formWaitSeconds: number;
  /** The address that signed in under a subject; `null`: the sign-in has expired. */
  readonly emailOf: (subject: string) => Promise<string | null>;
  /** Stores the address that signs in. @returns its subject */
  readonly remember: (email: string) => Promise<string>;
  /** Ends a session, even if another request is about to store it again. */
  readonly endSession: (session: ProviderSession) => Promise<void>;
}

const APPLICATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BROWSER_COOKIE = 'candidate_browser';
const BROWSER = new RegExp(`(?:^|;\\s*)${BROWSER_COOKIE}=([0-9a-f-]{36})(?:;|$)`);

/** The language of a page without a sign-in under way. */
export const browserLanguage = ({ headers }: IncomingMessage): Language =>
  preferredLanguage(undefined, headers['accept-language']);

/**
 * Answers a request for a page of a sign-in, which asks for the address and then for the code. The answer to a form is
 * a redirect, or its page with the mistake.
 */
export const signIn = async (exchange: Exchange, parts: SignInParts): Promise<void> => {
  const arrived = performance.now();
  const details = await signInOf(parts.provider, exchange);
  if (!details) sendEnded(exchange);
  else if (details.prompt.name === DEVICE_PROMPT) await confirmDevice(exchange, parts, details);
  else await new SignInStep(exchange, parts, details, arrived).answer();
};

/** Sends the page for a sign-in that is not under way in this browser. */
export const sendEnded = ({ request, response }: Exchange): void =>
  sendPage(response, failedPage(browserLanguage(request), 'ended'), 400);

/** Answers one request of a sign-in by e-mail. Create it for the request, and call `answer` once. */
class SignInStep {
  private readonly id: string;
  private readonly language: Language;
  private readonly callback: URL;
  /** The application by whose link the sign-in was begun; `null`: unknown. */
  private readonly applicationId: string | null;
  /** Set at the beginning of `answer`. */
  private waiting: Awaited<ReturnType<Codes['waiting']>> = { email: null, codesAsked: 0 };

  constructor(
    private readonly exchange: Exchange,
    private readonly parts: SignInParts,
    private readonly details: SignInDetails,
    private readonly arrived: number,
  ) {
    this.id = details.uid;
    this.language = preferredLanguage(details.params.ui_locales, exchange.request.headers['accept-language']);
    // The sign-in of a program by a device code has no callback: all its pages are at this issuer.
    const { redirect_uri: callback } = details.params;
    this.callback = new URL(typeof callback === 'string' ? callback : details.returnTo);
    const { application } = details.params;
    this.applicationId =
      typeof application === 'string' && APPLICATION_ID.test(application) ? application : null;
  }

  async answer(): Promise<void> {
    this.waiting = await this.parts.codes.waiting(this.id);
    const { codes, formWaitSeconds } = this.parts;
    const { request, path: action } = this.exchange;
    if (request.method !== 'POST') return this.show();
    const form = await readForm(request);
    const before = form.get('form') ?? '';
    const codesAskedBefore = /^\d{1,6}$/.test(before) ? Number(before) : null;
    if (formWaitSeconds > 0) {
      this.exchange.response.setHeader('Retry-After', String(formWaitSeconds));
      const mistake = TEXTS[this.language].tooManyRequests(formWaitSeconds);
      return this.show(mistake, 429, form.get('email') ?? undefined);
    }
    switch (form.get('step')) {
      case 'code':
        return this.enter(form.get('code') ?? '');
      case 'again': {
        const { email } = this.waiting;
        if (email !== null) return this.ask(email, codesAskedBefore, `${action}?new`);
        return this.show();
      }
      case 'change':
        await codes.forget(this.id);
        await this.padOnceAsked();
        redirect(this.exchange.response, action);
        return;
      default:
        return this.ask(visibleEmail(form.get('email') ?? ''), codesAskedBefore, action);
    }
  }

  /**
   * Sends the page for the code if one is waited for, else for the address.
   * @param typed content of the address field
   */
  private async show(mistake?: string, status?: number, typed?: string): Promise<void> {
    const { email } = this.waiting;
    await this.padOnceAsked();
    if (email === null) this.showEmail(typed, mistake, status);
    else this.showCode(email, mistake, status);
  }

  /**
   * Pads the time of the answer, if a code was asked for. Otherwise answers for an invited address would be slower,
   * since its mail is being sent meanwhile.
   */
  private async padOnceAsked(): Promise<void> {
    if (this.waiting.codesAsked > 0) await padResponseTime(this.arrived);
  }

  /** Asks for a code to an address. @param next the path of the redirect */
  private async ask(email: string, codesAskedBefore: number | null, next: string): Promise<void> {
    const texts = TEXTS[this.language];
    if (!isEmailAddress(email)) {
      const mistake = emailMistake(email);
      await this.padOnceAsked();
      this.showEmail(email, mistake === null ? texts.wrongEmail : texts.wrongSign(mistake));
      return;
    }
    const asked = await this.askOnce(email, codesAskedBefore);
    if (asked.kind === 'limited') {
      this.exchange.response.setHeader('Retry-After', String(asked.retrySeconds));
      // Shows the code's page if a code was sent before, since it may still arrive.
      return this.show(texts.tooManyCodes(asked.retrySeconds), 429, email);
    }
    this.parts.states.entered();
    await this.details.persist();
    redirect(this.exchange.response, next);
    if (asked.kind !== 'asked') return;
    const { email: address, code } = asked;
    this.parts.mails.send(address, code, this.language, () => this.parts.codes.isCurrent(this.id, code));
  }

  /** Asks for a code. Takes the same time for every address. */
  private async askOnce(email: string, codesAskedBefore: number | null): Promise<Asked> {
    const { asking, codes, isInvitation } = this.parts;
    const { applicationId } = this;
    const key = `${this.id} ${email}`;
    const isSame = asking.has(key);
    asking.add(key);
    try {
      const isInvited = !isSame && applicationId !== null && (await isInvitation(email, applicationId));
      const invitation = isInvited ? { applicationId, browser: this.browser() } : null;
      const asked: Asked = isSame
        ? { kind: 'already' }
        : await codes.ask(this.id, email, { codesAskedBefore, invitation });
      await padResponseTime(this.arrived);
      return asked;
    } finally {
      if (!isSame) asking.delete(key);
    }
  }

  private async enter(typed: string): Promise<void> {
    const { codes } = this.parts;
    const texts = TEXTS[this.language];
    const { email } = this.waiting;
    const code = readCode(typed);
    if (code === null) {
      await this.padOnceAsked();
      if (email === null) this.showEmail('', texts.codeOver, 400);
      else this.showCode(email, texts.wrongForm(CODE_DIGITS));
      return;
    }
    const entered = await codes.enter(this.id, code);
    if (entered.kind === 'right') return this.finish(entered.email);
    await this.padOnceAsked();
    if (entered.kind === 'used') {
      const { pathname } = new URL(this.details.returnTo);
      // After a double click the browser shows this answer and not the first one: redirect as that did.
      this.exchange.response.setHeader('Refresh', `1; url=${pathname}`);
      sendPage(this.exchange.response, codeUsedPage(this.language, pathname), 400);
      return;
    }
    if (email === null) {
      this.showEmail('', texts.codeOver, 400);
      return;
    }
    const triesLeft = entered.kind === 'wrong' ? entered.triesLeft : 0;
    this.showCode(email, triesLeft > 0 ? texts.wrongCode(triesLeft) : texts.codeOver);
  }

  private async finish(email: string): Promise<void> {
    const { provider, remember, endSession } = this.parts;
    const login = { accountId: await remember(email), remember: false };
    await finishSignIn(provider, this.exchange, this.details, login, endSession);
  }

  private showEmail(email = this.hint(), mistake?: string, status = mistake === undefined ? 200 : 400): void {
    sendPage(this.exchange.response, emailPage({ ...this.form(mistake), email }), status);
  }

  private showCode(email: string, mistake?: string, status = mistake === undefined ? 200 : 400): void {
    const isNew = this.exchange.address.endsWith('?new') && mistake === undefined;
    const { outboxUrl } = this.parts;
    sendPage(this.exchange.response, codePage({ ...this.form(mistake), email, isNew, outboxUrl }), status);
  }

  private form(mistake: string | undefined) {
    const { language, applicationId } = this;
    const { path: action } = this.exchange;
    const { origin: returnsTo, pathname: callback } = this.callback;
    const assessment =
      applicationId === null ? null : `${callback.slice(0, callback.lastIndexOf('/'))}/${applicationId}`;
    // Sets the browser's cookie before it sends a form.
    this.browser();
    return {
      language,
      action,
      returnsTo,
      assessment,
      codesAsked: this.waiting.codesAsked,
      ...(mistake !== undefined && { mistake }),
    };
  }

  /** The id by which the browser's requests are counted; `''`: it has none, and gets one in a cookie. */
  private browser(): string {
    const known = BROWSER.exec(this.exchange.request.headers.cookie ?? '')?.[1];
    if (known !== undefined) return known;
    const { pathname, protocol } = new URL(this.details.returnTo);
    const path = pathname.split('/').slice(0, -2).join('/');
    const secure = protocol === 'https:' ? '; secure' : '';
    this.exchange.response.appendHeader(
      'Set-Cookie',
      `${BROWSER_COOKIE}=${randomUUID()}; path=${path}; max-age=${24 * 3600}; samesite=lax; httponly${secure}`,
    );
    return '';
  }

  /** The address that the page suggests; `''`: none. */
  private hint(): string {
    const { login_hint: hint } = this.details.params;
    return typeof hint === 'string' && isEmailAddress(hint) ? hint : '';
  }
}

/** Shows the page for signing out, or handles its form, which ends the browser's session at this issuer. */
export const signOut = async (
  { request, response, path }: Exchange,
  provider: Provider,
  endSession: SignInParts['endSession'],
): Promise<void> => {
  const language = browserLanguage(request);
  if (request.method !== 'POST') {
    sendPage(response, signOutPage(language, path));
    return;
  }
  // Browsers do not send the session's cookie with forms of other sites.
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined) await endSession(session);
  sendPage(response, signedOutPage(language));
};
