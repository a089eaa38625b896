import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { readForm, sendPage } from '../../http/mounted.js';
import { padResponseTime } from '../../http/answer.js';
import { emailMistake, visibleEmail } from '../../core/email-address.js';
import { isEmailAddress } from '../../http/validation/formats.js';
import { type Language, preferredLanguage, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import type { CodeMails } from './code-mails.js';
import type { SignInStates } from './sign-in-states.js';
import { type Asked, CODE_DIGITS, type Codes, readCode } from './codes.js';
import { codePage, codeUsedPage, emailPage, failedPage, signedOutPage, signOutPage } from './pages.js';

export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly states: SignInStates;
  readonly mails: CodeMails;
  /** The page's own path and query, as the browser has them. */
  readonly action: string;
  readonly isNewCode: boolean;
  /** Requests for codes that are being answered: the same one again, as of a double click, asks for nothing more. */
  readonly asking: Set<string>;
  /** Whether the application is of somebody who was invited under the address. */
  readonly isInvitation: (email: string, applicationId: string) => Promise<boolean>;
  /** Seconds until the client's address may send a form again; 0: now. */
  readonly formsAgain: number;
  /** Remembers who signs in; gives the subject. */
  readonly remember: (email: string) => Promise<string>;
  /** Ends a session for good, also where another request is about to store it again. */
  readonly endSession: (session: ProviderSession) => Promise<void>;
}

export type ProviderSession = Awaited<ReturnType<Provider['Session']['get']>>;

const APPLICATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BROWSER_COOKIE = 'candidate_browser';
const BROWSER = new RegExp(`(?:^|;\\s*)${BROWSER_COOKIE}=([0-9a-f-]{36})(?:;|$)`);

type Details = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Languages without a sign-in under way. */
export const browserLanguage = ({ headers }: IncomingMessage): Language =>
  preferredLanguage(undefined, headers['accept-language']);

/** The pages of one sign-in: the address, then the code. Each form is answered by a redirect or says what is wrong. */
export const signIn = async (
  request: IncomingMessage,
  response: ServerResponse,
  parts: SignInParts,
): Promise<void> => {
  const arrived = performance.now();
  const details = await parts.provider.interactionDetails(request, response).catch(nullIfEnded);
  if (!details) {
    sendPage(response, failedPage(browserLanguage(request), 'ended'), 400);
    return;
  }
  await new SignInStep(request, response, parts, details, arrived).answer();
};

/** The provider has no such sign-in, or its cookie is missing. */
const nullIfEnded = (error: unknown): null => {
  if (error instanceof Error && error.name === 'SessionNotFound') return null;
  throw error;
};

class SignInStep {
  private readonly id: string;
  private readonly language: Language;
  private readonly returnsTo: string;
  /** The application whose link the sign-in was begun by, as far as the page told. */
  private readonly applicationId: string | null;
  private waiting: Awaited<ReturnType<Codes['waiting']>> = { email: null, number: 0 };

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly parts: SignInParts,
    private readonly details: Details,
    private readonly arrived: number,
  ) {
    this.id = details.uid;
    this.language = preferredLanguage(details.params.ui_locales, request.headers['accept-language']);
    this.returnsTo = new URL(String(details.params.redirect_uri)).origin;
    const { application } = details.params;
    this.applicationId =
      typeof application === 'string' && APPLICATION_ID.test(application) ? application : null;
  }

  async answer(): Promise<void> {
    this.waiting = await this.parts.codes.waiting(this.id);
    const { action, codes, formsAgain } = this.parts;
    if (this.request.method !== 'POST') return this.show();
    const form = await readForm(this.request);
    const number = /^\d{1,6}$/.test(form.get('form') ?? '') ? Number(form.get('form')) : null;
    if (formsAgain > 0) {
      this.response.setHeader('Retry-After', String(formsAgain));
      const mistake = TEXTS[this.language].tooManyRequests(formsAgain);
      return this.show(mistake, 429, form.get('email') ?? undefined);
    }
    switch (form.get('step')) {
      case 'code':
        return this.enter(form.get('code') ?? '');
      case 'again': {
        const { email } = this.waiting;
        if (email !== null) return this.ask(email, number, `${action}?new`);
        return this.show();
      }
      case 'change':
        await codes.forget(this.id);
        await this.holdBack();
        this.redirect(action);
        return;
      default:
        return this.ask(visibleEmail(form.get('email') ?? ''), number, action);
    }
  }

  /** The form that the sign-in is at. @param typed what is in the field for an address */
  private async show(mistake?: string, status?: number, typed?: string): Promise<void> {
    const { email } = this.waiting;
    await this.holdBack();
    if (email === null) this.showEmail(typed, mistake, status);
    else this.showCode(email, mistake, status);
  }

  /**
   * Once a code was asked for, every answer takes the same time for every address: the mail to one that was invited is
   * under way meanwhile, and takes the process's time.
   */
  private async holdBack(): Promise<void> {
    if (this.waiting.number > 0) await padResponseTime(this.arrived);
  }

  private async ask(email: string, form: number | null, next: string): Promise<void> {
    const texts = TEXTS[this.language];
    if (!isEmailAddress(email)) {
      const mistake = emailMistake(email);
      await this.holdBack();
      this.showEmail(email, mistake === null ? texts.wrongEmail : texts.wrongSign(mistake));
      return;
    }
    const asked = await this.askOnce(email, form);
    if (asked.kind === 'limited') {
      this.response.setHeader('Retry-After', String(asked.retrySeconds));
      // If a code was sent before, it may still arrive.
      return this.show(texts.tooManyCodes(asked.retrySeconds), 429, email);
    }
    this.parts.states.entered();
    await this.details.persist();
    this.redirect(next);
    if (asked.kind !== 'asked') return;
    const { email: address, code } = asked;
    this.parts.mails.send(address, code, this.language, () => this.parts.codes.isCurrent(this.id, code));
  }

  /** The answer takes the same time for every address. */
  private async askOnce(email: string, form: number | null): Promise<Asked> {
    const { asking, codes, isInvitation } = this.parts;
    const { applicationId } = this;
    const key = `${this.id} ${email}`;
    const isSame = asking.has(key);
    asking.add(key);
    try {
      const isLink = !isSame && applicationId !== null && (await isInvitation(email, applicationId));
      const invitation = isLink ? { applicationId, browser: this.browser() } : null;
      const asked: Asked = isSame
        ? { kind: 'already' }
        : await codes.ask(this.id, email, { form, invitation });
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
      await this.holdBack();
      if (email === null) this.showEmail('', texts.codeOver, 400);
      else this.showCode(email, texts.wrongForm(CODE_DIGITS));
      return;
    }
    const entered = await codes.enter(this.id, code);
    if (entered.kind === 'right') return this.finish(entered.email);
    await this.holdBack();
    if (entered.kind === 'used') {
      const { pathname } = new URL(this.details.returnTo);
      // The page of a double click's second request is the one that shows: the first one's answer is lost.
      this.response.setHeader('Refresh', `1; url=${pathname}`);
      sendPage(this.response, codeUsedPage(this.language, pathname), 400);
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
    const { provider, remember } = this.parts;
    const { details } = this;
    const subject = await remember(email);
    // The provider takes another person in the same browser for a mistake: the former one's session ends first.
    if (details.session && details.session.accountId !== subject) {
      const former = await provider.Session.findByUid(details.session.uid);
      if (former) await this.parts.endSession(former);
      delete details.session;
      await details.save(details.exp - Math.floor(Date.now() / 1000));
    }
    const result = { login: { accountId: subject, remember: false } };
    const next = new URL(await provider.interactionResult(this.request, this.response, result));
    // Without its origin: the browser stays with the name that it came by, and so keeps its cookies.
    this.redirect(next.pathname);
  }

  private showEmail(email = this.hint(), mistake?: string, status = mistake === undefined ? 200 : 400): void {
    sendPage(this.response, emailPage({ ...this.form(mistake), email }), status);
  }

  private showCode(email: string, mistake?: string, status = mistake === undefined ? 200 : 400): void {
    const isNew = this.parts.isNewCode && mistake === undefined;
    sendPage(this.response, codePage({ ...this.form(mistake), email, isNew }), status);
  }

  private form(mistake: string | undefined) {
    const { language, returnsTo, applicationId } = this;
    const { action } = this.parts;
    const callback = new URL(String(this.details.params.redirect_uri)).pathname;
    const assessment =
      applicationId === null ? null : `${callback.slice(0, callback.lastIndexOf('/'))}/${applicationId}`;
    this.browser();
    return {
      language,
      action,
      returnsTo,
      assessment,
      number: this.waiting.number,
      ...(mistake !== undefined && { mistake }),
    };
  }

  /** What the browser is counted by; it gets a cookie if it has none. */
  private browser(): string {
    const known = BROWSER.exec(this.request.headers.cookie ?? '')?.[1];
    if (known !== undefined) return known;
    const { pathname, protocol } = new URL(this.details.returnTo);
    const path = pathname.slice(0, pathname.indexOf('/auth/'));
    const secure = protocol === 'https:' ? '; secure' : '';
    this.response.appendHeader(
      'Set-Cookie',
      `${BROWSER_COOKIE}=${randomUUID()}; path=${path}; max-age=${24 * 3600}; samesite=lax; httponly${secure}`,
    );
    return '';
  }

  private hint(): string {
    const { login_hint: hint } = this.details.params;
    return typeof hint === 'string' && isEmailAddress(hint) ? hint : '';
  }

  private redirect(location: string): void {
    this.response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
  }
}

/** Ends the browser's session here, so that further tokens need another code. */
export const signOut = async (
  request: IncomingMessage,
  response: ServerResponse,
  provider: Provider,
  { action, endSession }: Pick<SignInParts, 'action' | 'endSession'>,
): Promise<void> => {
  const language = browserLanguage(request);
  if (request.method !== 'POST') {
    sendPage(response, signOutPage(language, action));
    return;
  }
  // The cookie is not sent with forms of other sites.
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined) await endSession(session);
  sendPage(response, signedOutPage(language));
};
