import { type Html, html, inlinePage, type Page } from '../../http/page.js';
import { CARD_STYLE, cardField, formSources } from '../card.js';

const STYLE = `${CARD_STYLE}
main.wide { max-width: 46rem; }
textarea.field { font: .8125rem/1.5 ui-monospace, monospace; resize: vertical; overflow-wrap: anywhere; }
.wrong { font-size: .9375rem; }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin: 1rem 0 1.5rem; }
.check input { flex: none; width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
.copy { padding: .25rem .75rem; margin: .5rem 0 1.5rem; background: none; color: var(--accent); font-size: .875rem; }
`;

const SCRIPT = `
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand('copy'); }
    button.textContent = 'Copied';
  });
}
`;

/** @param formAction sources that a form may be sent to */
const page = (
  title: string,
  content: Html,
  formAction = "'self'",
  width: 'narrow' | 'wide' = 'narrow',
): Page =>
  inlinePage({
    title: `${title} · Assay development issuer`,
    body: html`<main class="${width}">\n${content}\n</main>`,
    style: STYLE,
    script: SCRIPT,
    formAction,
  });

/** The content of the sign-in page. */
export interface SignInPage {
  /** The form's target, a path of this origin. */
  readonly action: string;
  /** The client that requests the sign-in; `null`: none. */
  readonly client: string | null;
  /** The origin to which the sign-in returns; `null`: none. */
  readonly returnsTo: string | null;
  /** What the field has at first. Default: it is empty. */
  readonly email?: string;
  /** Whether the box is ticked. Default: it is. */
  readonly emailVerified?: boolean;
  /** A sentence about a wrong entry. Left out when the form is shown first. */
  readonly mistake?: string;
}

/** The page that asks for an e-mail address to sign in with. */
export const signInPage = (form: SignInPage): Page => {
  const { action, client, returnsTo, email = '', emailVerified = true, mistake } = form;
  return page(
    'Sign in',
    html`<h1>Sign in as anybody</h1>
<p>${client === null ? 'Get an ID token' : `Continue to ${client}`} for any e-mail address. This page exists in development only; no password is asked.</p>
<form method="post" action="${action}">
${cardField('email', 'E-mail address', html`class="field" name="email" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" value="${email}"`, mistake)}
<label class="check"><input name="emailVerified" type="checkbox" value="true"${emailVerified ? html` checked` : ''}> The provider has verified this address</label>
<button class="button" type="submit">Sign in</button>
</form>`,
    formSources(returnsTo),
  );
};

/** A text field with a button that copies it. */
const copyable = (
  id: string,
  label: string,
  text: string,
  rows: number,
): Html => html`<label for="${id}">${label}</label>
<textarea class="field" id="${id}" rows="${rows}" readonly spellcheck="false">${text}</textarea>
<button class="button copy" type="button" data-copies="${id}" hidden>Copy</button>`;

/** The page with an ID token, after a sign-in without a client. */
export const tokenPage = (token: {
  email: string;
  idToken: string;
  meUrl: string;
  signInPath: string;
}): Page =>
  page(
    'ID token',
    html`<h1>Signed in</h1>
<p>An ID token for ${token.email}, valid for one hour.</p>
${copyable('token', 'ID token', token.idToken, 8)}
${copyable('curl', 'Try it', `curl -H 'Authorization: Bearer ${token.idToken}' ${token.meUrl}`, 8)}
<div><a class="button" href="${token.signInPath}">Sign in as somebody else</a></div>`,
    "'self'",
    'wide',
  );

/** The page with the reason why a sign-in cannot continue. */
export const errorPage = (message: string, title = 'We couldn’t sign you in'): Page =>
  page(title, html`<h1>${title}</h1>\n<p role="alert">${message}</p>`);
