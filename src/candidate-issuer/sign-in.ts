import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { readForm, sendPage } from '../api/http/mounted.js';
import { heldBack } from '../api/shared-reports/read-shared-report.js';
import { emailMistake, visibleEmail } from '../core/email-address.js';
import { isEmailAddress } from '../api/validation/formats.js';
import { type Language, preferredLanguage, SIGN_IN_TEXTS as TEXTS } from '../languages/languages.js';
import type { CodeMails } from './code-mails.js';
import { CODE_DIGITS, type Codes, readCode } from './codes.js';
import { codePage, emailPage, failedPage, signedOutPage, signOutPage } from './pages.js';

export interface SignInParts {
  readonly provider: Provider;
  readonly codes: Codes;
  readonly mails: CodeMails;
  /** The page's own path and query, as the browser has them. */
  readonly action: string;
  readonly isNewCode: boolean;
  /** Remembers who signs in; gives the subject. */
  readonly remember: (email: string) => Promise<string>;
}

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
  }

  async answer(): Promise<void> {
    if (this.request.method !== 'POST') return this.show();
    const form = await readForm(this.request);
    switch (form.get('step')) {
      case 'code':
        return this.enter(form.get('code') ?? '');
      case 'again': {
        const email = await this.parts.codes.waitsFor(this.id);
        return email === null ? this.show() : this.ask(email, `${this.parts.action}?new`);
      }
      case 'change':
        await this.parts.codes.forget(this.id);
        this.redirect(this.parts.action);
        return;
      default:
        return this.ask(visibleEmail(form.get('email') ?? ''), this.parts.action);
    }
  }

  private async show(): Promise<void> {
    const email = await this.parts.codes.waitsFor(this.id);
    if (email === null) this.showEmail();
    else this.showCode(email);
  }

  private async ask(email: string, next: string): Promise<void> {
    const texts = TEXTS[this.language];
    if (!isEmailAddress(email)) {
      const mistake = emailMistake(email);
      this.showEmail(email, mistake === null ? texts.wrongEmail : texts.wrongSign(mistake));
      return;
    }
    const asked = await this.parts.codes.ask(this.id, email);
    await heldBack(this.arrived);
    if (asked.kind === 'limited') {
      const minutes = Math.ceil(asked.retrySeconds / 60);
      this.response.setHeader('Retry-After', String(asked.retrySeconds));
      this.showEmail(email, texts.tooManyCodes(minutes), 429);
      return;
    }
    this.redirect(next);
    this.parts.mails.send(asked.email, asked.code, this.language);
  }

  private async enter(typed: string): Promise<void> {
    const { codes } = this.parts;
    const texts = TEXTS[this.language];
    const email = await codes.waitsFor(this.id);
    if (email === null) {
      this.showEmail('', texts.codeOver, 400);
      return;
    }
    const code = readCode(typed);
    if (code === null) {
      this.showCode(email, texts.wrongForm(CODE_DIGITS));
      return;
    }
    const entered = await codes.enter(this.id, code);
    if (entered.kind === 'right') return this.finish(entered.email);
    const triesLeft = entered.kind === 'wrong' ? entered.triesLeft : 0;
    this.showCode(email, triesLeft > 0 ? texts.wrongCode(triesLeft) : texts.codeOver);
  }

  private async finish(email: string): Promise<void> {
    const { provider, remember } = this.parts;
    const { details } = this;
    const subject = await remember(email);
    // The provider takes another person in the same browser for a mistake: the former one's session ends first.
    if (details.session && details.session.accountId !== subject) {
      await (await provider.Session.findByUid(details.session.uid))?.destroy();
      delete details.session;
      await details.save(details.exp - Math.floor(Date.now() / 1000));
    }
    const result = { login: { accountId: subject, remember: false } };
    const next = new URL(await provider.interactionResult(this.request, this.response, result));
    // Without its origin: the browser stays with the name that it came by, and so keeps its cookies.
    this.redirect(next.pathname);
  }

  private showEmail(email = this.hint(), mistake?: string, status = mistake === undefined ? 200 : 400): void {
    const { language, returnsTo } = this;
    const form = { language, action: this.parts.action, returnsTo, email };
    sendPage(this.response, emailPage({ ...form, ...(mistake !== undefined && { mistake }) }), status);
  }

  private showCode(email: string, mistake?: string): void {
    const { language, returnsTo } = this;
    const { action, isNewCode } = this.parts;
    const isNew = isNewCode && mistake === undefined;
    const form = { language, action, returnsTo, email, isNew, ...(mistake !== undefined && { mistake }) };
    sendPage(this.response, codePage(form), mistake === undefined ? 200 : 400);
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
  action: string,
): Promise<void> => {
  const language = browserLanguage(request);
  if (request.method !== 'POST') {
    sendPage(response, signOutPage(language, action));
    return;
  }
  // The cookie is not sent with forms of other sites.
  const session = await provider.Session.get(provider.createContext(request, response));
  if (session.accountId !== undefined) await session.destroy();
  sendPage(response, signedOutPage(language));
};
