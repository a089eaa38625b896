import { escapeHtml, inlinePage, type Page } from '../../http/page.js';
import { type Language, SIGN_IN_TEXTS as TEXTS } from '../../languages/languages.js';
import { CODE_DIGITS, CODE_MINUTES } from './codes.js';

const STYLE = `
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
.button { min-height: 2.75rem; margin-top: 1.25rem; }
.button.plain { background: none; color: var(--accent); margin: 0; }
.code { font-size: 1.5rem; letter-spacing: .15em; font-variant-numeric: tabular-nums; }
.wrong { color: var(--bad); margin: .375rem 0 0; }
.others { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.hint { margin: 1.25rem 0 0; font-size: .9375rem; }
@media (max-width: 34rem) {
  body { padding: 0; place-items: stretch; }
  main { padding: 1.5rem 1.25rem; border: 0; border-radius: 0; }
}
`;

const page = (language: Language, title: string, content: string, formAction = "'self'"): Page =>
  inlinePage({
    language,
    title,
    body: `<main>\n<h1>${escapeHtml(title)}</h1>\n${content}\n</main>`,
    style: STYLE,
    formAction,
  });

interface Form {
  readonly language: Language;
  /** The form's target, a path of this origin. */
  readonly action: string;
  /** The origin that the sign-in leads back to. */
  readonly returnsTo: string;
  /** How many codes were asked for before this form: sent twice, it asks once. */
  readonly number: number;
  /** The assessment's page that the sign-in was begun at; `null`: unknown. */
  readonly assessment: string | null;
  /** What is wrong with what was entered. */
  readonly mistake?: string;
}

/** Browsers apply the policy to the redirect that follows a form, too. */
const sources = ({ returnsTo }: Form): string => `'self' ${returnsTo}`;

const field = (
  { mistake }: Form,
  label: string,
  attributes: string,
): string => `<label for="field">${escapeHtml(label)}</label>
<input id="field" required autofocus ${attributes}${mistake === undefined ? '' : ' aria-invalid="true" aria-describedby="mistake"'}>
${mistake === undefined ? '' : `<p class="wrong" id="mistake" role="alert">${escapeHtml(mistake)}</p>`}`;

const numberField = ({ number }: Form): string => `<input type="hidden" name="form" value="${number}">`;

const back = ({ assessment, language }: Form): string =>
  assessment === null
    ? ''
    : `\n<p class="hint"><a href="${escapeHtml(assessment)}">${escapeHtml(TEXTS[language].toAssessment)}</a></p>`;

const step = (
  form: Form,
  name: string,
  label: string,
): string => `<form method="post" action="${escapeHtml(form.action)}">
<input type="hidden" name="step" value="${name}">
${numberField(form)}
<button class="button plain" type="submit">${escapeHtml(label)}</button>
</form>`;

/** Asks for the address that a code is sent to. */
export const emailPage = (form: Form & { readonly email: string }): Page => {
  const texts = TEXTS[form.language];
  return page(
    form.language,
    texts.signIn,
    `<p>${escapeHtml(texts.askEmail)}</p>
<form method="post" action="${escapeHtml(form.action)}">
<input type="hidden" name="step" value="email">
${numberField(form)}
${field(form, texts.email, `class="field" name="email" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" value="${escapeHtml(form.email)}"`)}
<button class="button" type="submit">${escapeHtml(texts.sendCode)}</button>
</form>${back(form)}`,
    sources(form),
  );
};

/** Asks for the code. */
export const codePage = (form: Form & { readonly email: string; readonly isNew: boolean }): Page => {
  const { language, action } = form;
  const texts = TEXTS[language];
  const sent = form.isNew ? texts.newCodeSent : texts.codeSent(form.email, CODE_MINUTES);
  return page(
    language,
    texts.enterCode,
    `<p${form.isNew ? ' role="status"' : ''}>${escapeHtml(sent)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="step" value="code">
${field(form, texts.code, `class="field code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" size="${CODE_DIGITS + 1}"`)}
<button class="button" type="submit">${escapeHtml(texts.signIn)}</button>
</form>
<p class="hint">${escapeHtml(texts.noMail)}</p>
<div class="others">
${step(form, 'again', texts.again)}
${step(form, 'change', texts.another)}
</div>${back(form)}`,
    sources(form),
  );
};

const wayOn = (language: Language, label: 'goOn' | 'tryAgain', href: string): string =>
  `<div><a class="button" href="${escapeHtml(href)}">${escapeHtml(TEXTS[language][label])}</a></div>`;

/** Why a sign-in cannot go on; a page that may be asked for again has its address. */
export type Failure =
  'ended' | { readonly away: string } | { readonly tooMany: string; readonly retrySeconds: number };

export const failedPage = (language: Language, failure: Failure): Page => {
  const texts = TEXTS[language];
  const failed = (why: string, again: string | null): Page =>
    page(
      language,
      texts.failed,
      `<p role="alert">${escapeHtml(why)}</p>${again === null ? '' : `\n${wayOn(language, 'tryAgain', again)}`}`,
    );
  // It tells to open the invitation's link.
  if (failure === 'ended') return failed(texts.ended, null);
  if ('away' in failure) return failed(texts.away, failure.away);
  return failed(texts.tooManyRequests(failure.retrySeconds), failure.tooMany);
};

/** Says that another request of the same browser has used the code: the sign-in goes on there. */
export const codeUsedPage = (language: Language, href: string): Page => {
  const texts = TEXTS[language];
  const content = `<p role="status">${escapeHtml(texts.codeUsedText)}</p>\n${wayOn(language, 'goOn', href)}`;
  return page(language, texts.codeUsed, content);
};

/** Asks whether to sign out. */
export const signOutPage = (language: Language, action: string): Page => {
  const texts = TEXTS[language];
  return page(
    language,
    texts.signOut,
    `<p>${escapeHtml(texts.askSignOut)}</p>
<form method="post" action="${escapeHtml(action)}">
<button class="button" type="submit">${escapeHtml(texts.signOut)}</button>
</form>
<p class="hint">${escapeHtml(texts.notSignOut)}</p>`,
  );
};

export const signedOutPage = (language: Language): Page =>
  page(language, TEXTS[language].signedOut, `<p>${escapeHtml(TEXTS[language].signedOutText)}</p>`);
