import { createHash } from 'node:crypto';

/** A page and the headers that go with it. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --line: #c9cfda; --paper: #f4f5f8; --card: #fff; --accent: #2b4acb; --on-accent: #fff; --wrong: #a8231c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --soft: #a3acbf; --line: #3c4558; --paper: #12151c; --card: #1b202b; --accent: #9db2ff; --on-accent: #10142a; --wrong: #ff9d94; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 2rem; }
main.wide { max-width: 46rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; color: var(--soft); overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
input[type=email], textarea { width: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); color: var(--ink); font: inherit; }
textarea { font: .8125rem/1.5 ui-monospace, monospace; resize: vertical; overflow-wrap: anywhere; }
.check { display: flex; gap: .5rem; align-items: center; font-weight: 400; margin: 1rem 0 1.5rem; }
.check input { width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
button, a.button { display: inline-block; padding: .625rem 1.125rem; border: 1px solid var(--accent); border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button.copy { padding: .25rem .75rem; margin: .5rem 0 1.5rem; background: none; color: var(--accent); font-size: .875rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong { color: var(--wrong); margin: .375rem 0 0; font-size: .9375rem; }
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

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const STYLE_SOURCE = hashOf(STYLE);
const SCRIPT_SOURCE = hashOf(SCRIPT);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** `formTargets`: where a form may lead besides this origin; browsers hold redirects after a form to it too. */
const page = (title: string, body: string, formTargets: readonly string[] = [], wide = false): Page => ({
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Assay development issuer</title>
<style>${STYLE}</style>
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
${body}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${STYLE_SOURCE}`,
      `script-src ${SCRIPT_SOURCE}`,
      ["form-action 'self'", ...formTargets].join(' '),
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  },
});

export interface SignInPage {
  /** The form's target, a path of this origin. */
  readonly action: string;
  /** The client that asked, or `null` where somebody came by themselves. */
  readonly client: string | null;
  /** The origin that the sign-in leads back to. */
  readonly returnsTo: string | null;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly mistake?: string;
}

/** Asks who to be. */
export const signInPage = (form: SignInPage): Page => {
  const { action, client, returnsTo, email = '', emailVerified = true, mistake } = form;
  const wrong = mistake ? ' aria-invalid="true" aria-describedby="mistake"' : '';
  return page(
    'Sign in',
    `<h1>Sign in as anybody</h1>
<p>${client === null ? 'Get an ID token' : `Continue to ${escape(client)}`} for any e-mail address. This page exists in development only; no password is asked.</p>
<form method="post" action="${escape(action)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" autofocus value="${escape(email)}"${wrong}>
${mistake ? `<p class="wrong" id="mistake" role="alert">${escape(mistake)}</p>` : ''}
<label class="check"><input name="emailVerified" type="checkbox" value="true"${emailVerified ? ' checked' : ''}> The provider has verified this address</label>
<button type="submit">Sign in</button>
</form>`,
    returnsTo === null ? [] : [returnsTo],
  );
};

const copyable = (
  id: string,
  label: string,
  text: string,
  rows: number,
): string => `<label for="${id}">${label}</label>
<textarea id="${id}" rows="${rows}" readonly spellcheck="false">${escape(text)}</textarea>
<button class="copy" type="button" data-copies="${id}" hidden>Copy</button>`;

/** Shows an ID token to whoever signed in without a client. */
export const tokenPage = (token: {
  email: string;
  idToken: string;
  meUrl: string;
  signInPath: string;
}): Page =>
  page(
    'ID token',
    `<h1>Signed in</h1>
<p>An ID token for ${escape(token.email)}, valid for one hour.</p>
${copyable('token', 'ID token', token.idToken, 8)}
${copyable('curl', 'Try it', `curl -H 'Authorization: Bearer ${token.idToken}' ${token.meUrl}`, 8)}
<div><a class="button" href="${escape(token.signInPath)}">Sign in as somebody else</a></div>`,
    [],
    true,
  );

/** Says what went wrong with a sign-in. */
export const errorPage = (message: string): Page =>
  page('Sign-in failed', `<h1>This sign-in cannot go on</h1>\n<p role="alert">${escape(message)}</p>`);
