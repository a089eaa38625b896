/** The page at /docs. Everything on it comes from this server: it works without a network. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Assay API</title>
    <link rel="icon" type="image/png" href="./docs/favicon.png">
    <link rel="stylesheet" href="./docs/swagger-ui.css">
    <link rel="stylesheet" href="./docs/docs.css">
  </head>
  <body>
    <form id="sign-in" hidden>
      <strong>Sign in</strong>
      <label for="email">as</label>
      <input id="email" type="email" autocomplete="email" placeholder="owner@example.org" required>
      <button type="submit">Sign in</button>
    </form>
    <form id="paste">
      <strong id="paste-title">Sign in</strong>
      <label for="token">with an ID token</label>
      <input id="token" type="text" autocomplete="off" spellcheck="false" placeholder="eyJ…" required>
      <button type="submit">Use it</button>
    </form>
    <p id="who" role="status"></p>
    <p id="more">The interview’s socket has a document of its own: <a href="./asyncapi.json">asyncapi.json</a>.</p>
    <main id="api"></main>
    <script src="./docs/swagger-ui-bundle.js"></script>
    <script src="./docs/docs.js"></script>
  </body>
</html>
`;

export const STYLE = `body { margin: 0; font-family: system-ui, sans-serif; color: #1d2433; background: #fff; }
form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .8rem 1.25rem; background: #f2f4f8; }
form + form { padding-top: 0; }
form[hidden] { display: none; }
input { flex: 1 1 16rem; max-width: 30rem; padding: .45rem .6rem; border: 1px solid #8a94a6; border-radius: 4px; font: inherit; }
button { padding: .45rem .9rem; border: 1px solid #1f4fa3; border-radius: 4px; background: #1f4fa3; color: #fff; font: inherit; cursor: pointer; }
#who { margin: 0; padding: .1rem 1.25rem .8rem; background: #f2f4f8; min-height: 1.4rem; }
#more { margin: 0; padding: .6rem 1.25rem 0; }
#who.failed { color: #a31f1f; }
.swagger-ui .topbar { display: none; }
`;

export const SCRIPT = `'use strict';
const by = (id) => document.getElementById(id);
const say = (text, failed) => {
  by('who').textContent = text;
  by('who').className = failed ? 'failed' : '';
};
const base = new URL('.', location.href).href.replace(/\\/$/, '');
const json = async (url, options) => {
  const response = await fetch(url, options);
  const body = await response.json();
  if (!response.ok) throw new Error(body.error || 'The service answered ' + response.status + '.');
  return body;
};

const start = async () => {
  const [spec, settings] = await Promise.all([json('./openapi.json'), json('./docs/settings.json')]);
  spec.servers = [{ url: base }];
  const ui = SwaggerUIBundle({ spec, domNode: by('api'), deepLinking: true, validatorUrl: null });
  const use = async (token, name) => {
    ui.preauthorizeApiKey('idToken', token);
    const me = await json('./me', { headers: { Authorization: 'Bearer ' + token } });
    say('Signed in as ' + (me.email || name || me.subject) + '. Requests below are sent with your ID token.');
  };
  const submitted = (form, act) =>
    by(form).addEventListener('submit', (event) => {
      event.preventDefault();
      act().catch((error) => say(error.message, true));
    });
  submitted('paste', () => use(by('token').value.trim().replace(/^Bearer\\s+/i, '')));
  if (!settings.tokenFor) return;
  by('sign-in').hidden = false;
  by('paste-title').textContent = 'or';
  submitted('sign-in', async () => {
    const email = by('email').value.trim();
    const answer = await json(base + settings.tokenFor, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, emailVerified: true }),
    });
    await use(answer.idToken, email);
  });
};
start().catch((error) => say('This page cannot be shown: ' + error.message, true));
`;
