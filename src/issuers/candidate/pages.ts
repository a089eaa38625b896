import { type Html, html, inlinePage, type Page } from '../../http/page.js';
import { type Language, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import { CARD_STYLE, cardField, formSources } from '../card.js';
import { CODE_DIGITS, CODE_MINUTES } from './codes.js';

const STYLE = `${CARD_STYLE}
.button { min-height: 2.75rem; margin-top: 1.25rem; }
.button.plain { background: none; color: var(--accent); margin: 0; }
.code { font-size: 1.5rem; letter-spacing: .15em; font-variant-numeric: tabular-nums; }
.others { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.hint { margin: 1.25rem 0 0; font-size: .9375rem; }
`;

const page = (language: Language, title: string, content: Html, formAction = "'self'"): Page =>
  inlinePage({
    language,
    title,
    body: html`<main>\n<h1>${title}</h1>\n${content}\n</main>`,
    style: STYLE,
    formAction,
  });

interface Form {
  readonly language: Language;
  /** The form's target, a path of this origin. */
  readonly action: string;
  /** The origin to which the sign-in returns. */
  readonly returnsTo: string;
  /** How many codes the sign-in had when the form was shown: a form that is sent twice asks for one code. */
  readonly codesAsked: number;
  /** The assessment's page from which the sign-in was begun; `null`: unknown. */
  readonly assessment: string | null;
  /** A sentence about a wrong entry. Left out when the form is shown first. */
  readonly mistake?: string;
}

const codesAskedField = ({ codesAsked }: Form): Html =>
  html`<input type="hidden" name="form" value="${codesAsked}">`;

const back = ({ assessment, language }: Form): Html | '' =>
  assessment === null
    ? ''
    : html`\n<p class="hint"><a href="${assessment}">${TEXTS[language].toAssessment}</a></p>`;

const step = (
  form: Form,
  name: string,
  label: string,
): Html => html`<form method="post" action="${form.action}">
<input type="hidden" name="step" value="${name}">
${codesAskedField(form)}
<button class="button plain" type="submit">${label}</button>
</form>`;

/** The page that asks for the address to send a code to. */
export const emailPage = (form: Form & { readonly email: string }): Page => {
  const texts = TEXTS[form.language];
  return page(
    form.language,
    texts.signIn,
    html`<p>${texts.askEmail}</p>
<form method="post" action="${form.action}">
<input type="hidden" name="step" value="email">
${codesAskedField(form)}
${cardField('field', texts.email, html`class="field" name="email" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" value="${form.email}"`, form.mistake)}
<button class="button" type="submit">${texts.sendCode}</button>
</form>${back(form)}`,
    formSources(form.returnsTo),
  );
};

const inOutbox = (texts: (typeof TEXTS)[Language], url: string): Html =>
  html`${texts.notSent} <a href="${url}" target="_blank" rel="noopener">${texts.outbox}</a>`;

/** The page that asks for the code. */
export const codePage = (
  form: Form & {
    readonly email: string;
    readonly isNew: boolean;
    /** The page that shows the mail; `null`: the mail is sent. */
    readonly outboxUrl: string | null;
  },
): Page => {
  const { language, action } = form;
  const texts = TEXTS[language];
  const sent = form.isNew ? texts.newCodeSent : texts.codeSent(form.email, CODE_MINUTES);
  return page(
    language,
    texts.enterCode,
    html`<p${form.isNew ? html` role="status"` : ''}>${sent}</p>
<form method="post" action="${action}">
<input type="hidden" name="step" value="code">
${cardField('field', texts.code, html`class="field code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" size="${CODE_DIGITS + 1}"`, form.mistake)}
<button class="button" type="submit">${texts.signIn}</button>
</form>
<p class="hint">${form.outboxUrl === null ? texts.noMail : inOutbox(texts, form.outboxUrl)}</p>
<div class="others">
${step(form, 'again', texts.again)}
${step(form, 'change', texts.another)}
</div>${back(form)}`,
    formSources(form.returnsTo),
  );
};

const wayOn = (language: Language, label: 'goOn' | 'tryAgain', href: string): Html =>
  html`<div><a class="button" href="${href}">${TEXTS[language][label]}</a></div>`;

/** Why a sign-in cannot continue. With the address of the page, if the reader may try again. */
export type Failure =
  | 'ended'
  | 'deviceEnded'
  | { readonly unavailable: string }
  | { readonly tooMany: string; readonly retrySeconds: number };

/** A page with the reason why a sign-in cannot continue, and what to do. */
export const failedPage = (language: Language, failure: Failure): Page => {
  const texts = TEXTS[language];
  const failed = (why: string, again: string | null, title = texts.failed): Page =>
    page(
      language,
      title,
      html`<p role="alert">${why}</p>${again === null ? '' : html`\n${wayOn(language, 'tryAgain', again)}`}`,
    );
  // Without a link: the text asks to open the invitation's link.
  if (failure === 'ended') return failed(texts.ended, null, texts.over);
  // Without a link: only the program can show a new code.
  if (failure === 'deviceEnded') return failed(texts.device.ended, null, texts.over);
  if ('unavailable' in failure) return failed(texts.unavailable, failure.unavailable);
  return failed(texts.tooManyRequests(failure.retrySeconds), failure.tooMany);
};

/** The page for a code that another request of the same browser has used. It links to where that request continues. */
export const codeUsedPage = (language: Language, href: string): Page => {
  const texts = TEXTS[language];
  const content = html`<p role="status">${texts.codeUsedText}</p>\n${wayOn(language, 'goOn', href)}`;
  return page(language, texts.codeUsed, content);
};

/** A mistake in a program's code. `wrong`: there is no such code. `over`: it has expired or was used. */
export type DeviceMistake = 'wrong' | 'over';

/**
 * The page that asks for a program's code. Its form has the anti-forgery secret (`xsrf`) of the library.
 * @param mistake in the code that was entered; left out when the page is shown first
 */
export const deviceCodePage = (
  language: Language,
  { action, xsrf }: { readonly action: string; readonly xsrf: string },
  mistake?: DeviceMistake,
): Page => {
  const { device, goOn } = TEXTS[language];
  return page(
    language,
    device.title,
    html`<p>${device.ask}</p>
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<input type="hidden" name="confirm" value="yes">
${cardField('field', device.code, html`class="field code" name="user_code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" size="10"`, mistake && device[mistake])}
<button class="button" type="submit">${goOn}</button>
</form>
<p class="hint">${device.onlyOwn}</p>`,
  );
};

/** The page that asks whether the reader started the program, with its name and what it may do. */
export const deviceConfirmPage = (
  language: Language,
  asked: {
    readonly action: string;
    readonly email: string;
    readonly code: string;
    readonly program: string;
  },
): Page => {
  const { device } = TEXTS[language];
  const answer = (
    name: string,
    label: string,
    style: string,
  ): Html => html`<form method="post" action="${asked.action}">
<input type="hidden" name="step" value="${name}">
<button class="${style}" type="submit">${label}</button>
</form>`;
  return page(
    language,
    device.confirmTitle,
    html`<p>${device.asks(asked.program, asked.email)}</p>
<p>${device.shows}</p>
<p class="code">${asked.code}</p>
<p><strong>${device.onlyOwn}</strong></p>
${answer('confirm', device.yes, 'button')}
<div class="others">${answer('deny', device.no, 'button plain')}</div>`,
  );
};

/** The last page: the program is signed in, or the reader refused. */
export const deviceDonePage = (language: Language, end: 'signedIn' | 'denied'): Page => {
  const { device } = TEXTS[language];
  return page(language, device[end], html`<p role="status">${device[`${end}Text`]}</p>`);
};

/** The page that asks whether to sign out. */
export const signOutPage = (language: Language, action: string): Page => {
  const texts = TEXTS[language];
  return page(
    language,
    texts.signOut,
    html`<p>${texts.askSignOut}</p>
<form method="post" action="${action}">
<button class="button" type="submit">${texts.signOut}</button>
</form>
<p class="hint">${texts.notSignOut}</p>`,
  );
};

/** The page after a sign-out. */
export const signedOutPage = (language: Language): Page =>
  page(language, TEXTS[language].signedOut, html`<p>${TEXTS[language].signedOutText}</p>`);
