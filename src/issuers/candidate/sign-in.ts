import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import { emailMistake, visibleEmail } from '../../core/email-address.js';
import { padResponseTime } from '../../http/answer.js';
import { prefersHtml } from '../../http/prefers-html.js';
import { isEmailAddress } from '../../http/validation/formats.js';
import { type Language, preferredLanguage, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import { answeredAt, type FormAnswers, isAnswered, typedPart, waitSecondsOf } from '../form-answers.js';
import { readForm, redirect, sendPage } from '../forms.js';
import type { Exchange } from '../routes.js';
import { finishSignIn, type ProviderSession, type SignInDetails, signInOf } from '../sign-in.js';
import type { CodeMails } from './code-mails.js';
import { type Asked, CODE_DIGITS, type Codes, readCode } from './codes.js';
import { confirmDevice, type DeviceAnswer, DEVICE_PROMPT } from './device.js';
import { codePage, codeUsedPage, emailPage, failedPage, signedOutPage, signOutPage } from './pages.js';
import type { SignInStates } from './sign-in-states.js';

/** What the page says about a form: a mistake, or how long to wait until the form may be sent again. */
export type SignInAnswer = {
  /** Content of the address field. Default: the address that the page suggests. */
  readonly typed?: string;
  /** The address is asked for, even if a code is waited for. */
  readonly isForEmail?: true;
} & (
  | { readonly mistake: string }
  /** @see waitSecondsOf for `until` */
  | { readonly tooMany: 'tooManyCodes' | 'tooManyRequests'; readonly until: number }
);

/** What the pages of a sign-in need of their issuer, for one request. */
export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly states: SignInStates;
  readonly answers: FormAnswers<SignInAnswer>;
  readonly deviceAnswers: FormAnswers<DeviceAnswer>;
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
 * a redirect, if there is a mistake to the form's page.
 */
export const signIn = async (exchange: Exchange, parts: SignInParts): Promise<void> => {
  const arrived = performance.now();
  const details = await signInOf(parts.provider, exchange);
  if (!details && exchange.request.method === 'POST') redirect(exchange.response, answeredAt(exchange.path));
  else if (!details) sendEnded(exchange);
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
    if (request.method !== 'POST') return this.show(this.parts.answers.shown(request, action));
    const form = await readForm(request);
    const before = form.get('form') ?? '';
    const codesAskedBefore = /^\d{1,6}$/.test(before) ? Number(before) : null;
    if (formWaitSeconds > 0) {
      const typed = form.get('email');
      const until = Date.now() + formWaitSeconds * 1_000;
      return this.showAgain({ tooMany: 'tooManyRequests', until, ...(typed !== null && { typed }) });
    }
    switch (form.get('step')) {
      case 'code':
        return this.enter(form.get('code') ?? '');
      case 'again': {
        const { email } = this.waiting;
        if (email !== null) return this.ask(email, codesAskedBefore, `${action}?new`);
        await this.padOnceAsked();
        redirect(this.exchange.response, action);
        return;
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
   * @param answer to the page's form; `null`: none, or it is over
   */
  private async show(answer: SignInAnswer | null): Promise<void> {
    const { email } = this.waiting;
    await this.padOnceAsked();
    const { response } = this.exchange;
    const waitSeconds = answer && 'tooMany' in answer ? waitSecondsOf(answer.until) : 0;
    if (waitSeconds > 0) response.setHeader('Retry-After', String(waitSeconds));
    const texts = TEXTS[this.language];
    const mistake =
      answer &&
      ('mistake' in answer ? answer.mistake : waitSeconds > 0 && texts[answer.tooMany](waitSeconds));
    const form = this.form(mistake || undefined);
    const asksEmail = email === null || answer?.isForEmail === true;
    const isNew = this.exchange.address.endsWith('?new');
    const page = asksEmail
      ? emailPage({ ...form, email: answer?.typed ?? this.hint() })
      : codePage({ ...form, email, isNew, outboxUrl: this.parts.outboxUrl });
    sendPage(response, page, waitSeconds > 0 ? 429 : mistake ? 400 : 200);
  }

  /** Redirects to the form's page, which shows the answer. */
  private async showAgain(answer: SignInAnswer): Promise<void> {
    const { response, path } = this.exchange;
    await this.padOnceAsked();
    const { typed } = answer;
    const stored = { ...answer, ...(typed !== undefined && { typed: typedPart(typed) }) };
    redirect(response, this.parts.answers.store(response, path, stored));
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
      const sign = emailMistake(email);
      const mistake = sign === null ? texts.wrongEmail : texts.wrongSign(sign);
      return this.showAgain({ mistake, typed: email, isForEmail: true });
    }
    const asked = await this.askOnce(email, codesAskedBefore);
    if (asked.kind === 'limited') {
      // Shows the code's page if a code was sent before, since it may still arrive.
      const until = Date.now() + asked.retrySeconds * 1_000;
      return this.showAgain({ tooMany: 'tooManyCodes', until, typed: email });
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
    // Without a code to enter, the page asks for the address again.
    const over = { mistake: texts.codeOver, typed: '' };
    if (code === null)
      return this.showAgain(email === null ? over : { mistake: texts.wrongForm(CODE_DIGITS) });
    const entered = await codes.enter(this.id, code);
    if (entered.kind === 'right') return this.finish(entered.email);
    if (entered.kind === 'used') {
      await this.padOnceAsked();
      const { pathname } = new URL(this.details.returnTo);
      // After a double click the browser shows this answer and not the first one: redirect as that did. After a second
      // at most, the next page also replaces this one in the browser's history.
      this.exchange.response.setHeader('Refresh', `1; url=${pathname}`);
      sendPage(this.exchange.response, codeUsedPage(this.language, pathname), 400);
      return;
    }
    const triesLeft = entered.kind === 'wrong' ? entered.triesLeft : 0;
    return this.showAgain(triesLeft > 0 ? { mistake: texts.wrongCode(triesLeft) } : over);
  }

  private async finish(email: string): Promise<void> {
    const { provider, remember, endSession } = this.parts;
    const login = { accountId: await remember(email), remember: false };
    await finishSignIn(provider, this.exchange, this.details, login, endSession);
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

/**
 * Shows the page for signing out, or handles its form, which ends the browser's session at this issuer. A program is
 * answered 200 once the session has ended; a browser's form is redirected to the page.
 */
export const signOut = async (
  { request, response, path }: Exchange,
  provider: Provider,
  endSession: SignInParts['endSession'],
): Promise<void> => {
  const language = browserLanguage(request);
  const currentSession = () => provider.Session.get(provider.createContext(request, response));
  if (request.method !== 'POST') {
    const isOut = isAnswered(request) && (await currentSession()).accountId === undefined;
    sendPage(response, isOut ? signedOutPage(language) : signOutPage(language, path));
    return;
  }
  // Browsers do not send the session's cookie with forms of other sites.
  const session = await currentSession();
  if (session.accountId !== undefined) await endSession(session);
  if (prefersHtml(request.headers.accept)) redirect(response, answeredAt(path));
  else sendPage(response, signedOutPage(language));
};
