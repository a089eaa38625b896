import { escapeHtml, inlinePage, type Page } from '../../http/page.js';

const STYLE = `
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; }
main.wide { max-width: 46rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
textarea.field { font: .8125rem/1.5 ui-monospace, monospace; resize: vertical; overflow-wrap: anywhere; }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin: 1rem 0 1.5rem; }
.check input { flex: none; width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
.copy { padding: .25rem .75rem; margin: .5rem 0 1.5rem; background: none; color: var(--accent); font-size: .875rem; }
.wrong { color: var(--bad); margin: .375rem 0 0; font-size: .9375rem; }
@media (max-width: 34rem) {
  body { padding: 0; place-items: stretch; }
  main { padding: 1.5rem 1.25rem; border: 0; border-radius: 0; }
}
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
  content: string,
  formAction = "'self'",
  width: 'narrow' | 'wide' = 'narrow',
): Page =>
  inlinePage({
    title: `${title} · Assay development issuer`,
    body: `<main class="${width}">\n${content}\n</main>`,
    style: STYLE,
    script: SCRIPT,
    formAction,
  });

export interface SignInPage {
  /** The form's target, a path of this origin. */
  readonly action: string;
  /** The client that asked, `null` without one. */
  readonly client: string | null;
  /** The origin that the sign-in leads back to. */
  readonly returnsTo: string | null;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly mistake?: string;
}

/** Asks for an e-mail address to sign in with. */
export const signInPage = (form: SignInPage): Page => {
  const { action, client, returnsTo, email = '', emailVerified = true, mistake } = form;
  const wrong = mistake ? ' aria-invalid="true" aria-describedby="mistake"' : '';
  return page(
    'Sign in',
    `<h1>Sign in as anybody</h1>
<p>${client === null ? 'Get an ID token' : `Continue to ${escapeHtml(client)}`} for any e-mail address. This page exists in development only; no password is asked.</p>
<form method="post" action="${escapeHtml(action)}">
<label for="email">E-mail address</label>
<input class="field" id="email" name="email" type="text" inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false" required autofocus value="${escapeHtml(email)}"${wrong}>
${mistake ? `<p class="wrong" id="mistake" role="alert">${escapeHtml(mistake)}</p>` : ''}
<label class="check"><input name="emailVerified" type="checkbox" value="true"${emailVerified ? ' checked' : ''}> The provider has verified this address</label>
<button class="button" type="submit">Sign in</button>
</form>`,
    // Browsers apply this to the redirect that follows a form, too.
    ["'self'", ...(returnsTo === null ? [] : [returnsTo])].join(' '),
  );
};

const copyable = (
  id: string,
  label: string,
  text: string,
  rows: number,
): string => `<label for="${id}">${label}</label>
<textarea class="field" id="${id}" rows="${rows}" readonly spellcheck="false">${escapeHtml(text)}</textarea>
<button class="button copy" type="button" data-copies="${id}" hidden>Copy</button>`;

/** Shows an ID token after a sign-in without a client. */
export const tokenPage = (token: {
  email: string;
  idToken: string;
  meUrl: string;
  signInPath: string;
}): Page =>
  page(
    'ID token',
    `<h1>Signed in</h1>
<p>An ID token for ${escapeHtml(token.email)}, valid for one hour.</p>
${copyable('token', 'ID token', token.idToken, 8)}
${copyable('curl', 'Try it', `curl -H 'Authorization: Bearer ${token.idToken}' ${token.meUrl}`, 8)}
<div><a class="button" href="${escapeHtml(token.signInPath)}">Sign in as somebody else</a></div>`,
    "'self'",
    'wide',
  );

/** Shows why a sign-in failed. */
export const errorPage = (message: string): Page =>
  page('Sign-in failed', `<h1>This sign-in cannot go on</h1>\n<p role="alert">${escapeHtml(message)}</p>`);
