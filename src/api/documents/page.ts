import { BASE_STYLE, html, htmlDocument } from '../../http/page.js';

/** The page at /docs. Everything on it comes from this server: it works without a network. */
export const PAGE = htmlDocument(
  'Assay API',
  html`<link rel="icon" type="image/png" href="./docs/favicon.png">
<link rel="stylesheet" href="./docs/swagger-ui.css">
<link rel="stylesheet" href="./docs/docs.css">`,
  html`<header>
<form id="sign-in" hidden>
  <strong>Sign in</strong>
  <label for="email">as</label>
  <input class="field" id="email" type="email" autocomplete="email" placeholder="owner@example.org" required>
  <button class="button" type="submit">Sign in</button>
</form>
<form id="paste">
  <strong id="paste-title">Sign in</strong>
  <label for="token">with an ID token</label>
  <input class="field" id="token" type="text" autocomplete="off" spellcheck="false" placeholder="eyJ…" required>
  <button class="button" type="submit">Use it</button>
</form>
<p id="who" role="status"></p>
<p id="more">The interview’s socket has a document of its own: <a href="./asyncapi.json">asyncapi.json</a>.</p>
</header>
<main id="api"></main>
<script src="./docs/swagger-ui-bundle.js"></script>
<script src="./docs/docs.js"></script>`,
);

export const STYLE = `${BASE_STYLE}
header > form { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .8rem 1.25rem; }
header > form + form { padding-top: 0; }
form[hidden] { display: none; }
header > form .field { flex: 1 1 16rem; max-width: 30rem; background: var(--card); }
#who { margin: 0; padding: .1rem 1.25rem .8rem; min-height: 1.4rem; }
#who.failed { color: var(--bad); }
#more, #api { background: #fff; overflow-wrap: normal; }
.dark-mode :is(#more, #api) { background: #1c2022; }
#more { margin: 0; padding: .6rem 1.25rem 0; }
#more a { color: var(--accent); }
.dark-mode .swagger-ui .headers :is(.header, .header-col) { color: var(--ink); }
.dark-mode .swagger-ui .opblock-section-header :is(h4, .btn, .opblock-title) { color: #fff; }
.dark-mode .swagger-ui .btn.cancel { color: #f5a8a0; border-color: #f5a8a0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #f2a0a0 !important; }
html:not(.dark-mode) .swagger-ui {
  .opblock-get .opblock-summary-method { background: #1558b0; }
  .opblock-post .opblock-summary-method { background: #1b7443; }
  .opblock-put .opblock-summary-method { background: #8a5200; }
  .opblock-patch .opblock-summary-method { background: #0f6f67; }
  .opblock-delete .opblock-summary-method { background: #b3261e; }
  .info .title small { background: #5d6472; }
  .info .title small.version-stamp { background: #4a6b00; }
  .info .link { color: var(--accent); }
  .btn.cancel { color: #b3261e; border-color: #b3261e; }
  .btn.execute { background: #1558b0; border-color: #1558b0; }
  .download-contents { background: #5d6472; }
  .parameter__in { color: #5a606b; }
  .renderedMarkdown code { color: #6b0fc0; }
  .json-schema-2020-12-expand-deep-button { color: #5a606b; }
}
.swagger-ui .operation-link pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .opblock-body { overflow-x: auto; }
@media (prefers-reduced-motion: reduce) { .swagger-ui * { transition: none !important; } }
`;

export const SCRIPT = `'use strict';
const by = (id) => document.getElementById(id);
// The interface library has a dark style of its own, by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setStyle = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setStyle);
setStyle();
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

// What the library's markup lacks for readers by keyboard and by ear, wherever it writes such an element.
const MENDED = [
  ['.webhooks > h2, section.models > h4', { 'aria-level': 3 }],
  ['pre.microlight', { tabindex: 0 }],
  ['textarea.body-param__text', { 'aria-label': 'Request body' }],
  ['table[role="region"]', { role: 'table' }],
];
const mend = () => {
  for (const [selector, attributes] of MENDED)
    for (const element of by('api').querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
};
new MutationObserver(mend).observe(by('api'), { childList: true, subtree: true });

// The library's parts, without its own sign-in: the page has one.
const assay = ({ React: { createElement: part } }) => ({
  components: {
    AssayLayout: ({ getComponent }) => {
      const parts = (...names) => names.map((name) => part(getComponent(name, true), { key: name }));
      const row = (...inner) => part('div', { className: 'wrapper' }, ...inner);
      return part(
        'div',
        { className: 'swagger-ui' },
        row(...parts('SvgAssets', 'errors', 'InfoContainer')),
        row(part('h2', { className: 'unseen' }, 'Reference'), ...parts('operations', 'Webhooks', 'Models')),
      );
    },
    authorizeOperationBtn: () => null,
  },
  wrapComponents: {
    // A link inside the button that opens its operation cannot be reached: the location names what was opened.
    DeepLink: (Original) => (props) => part(Original, { ...props, enabled: false }),
  },
});

const start = async () => {
  const [spec, settings] = await Promise.all([json('./openapi.json'), json('./docs/settings.json')]);
  spec.servers = [{ url: base }];
  const ui = SwaggerUIBundle({ spec, domNode: by('api'), deepLinking: true, validatorUrl: null,
    plugins: [assay], layout: 'AssayLayout' });
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
