import { createHash } from 'node:crypto';

/** A page and its headers, without those of all answers (`BrowserHeaders`). */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup. Only `html` creates it, so that no text becomes markup unescaped. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/** Content of a template: text, which is escaped, and markup, which is not. A list's items are joined. */
export type Content = string | number | Html | readonly Content[];

/**
 * A template of HTML. It escapes text for places between tags and in quoted attributes. In other places (names of tags
 * and attributes, scripts, styles) use constants only.
 */
export const html = (markup: TemplateStringsArray, ...contents: readonly Content[]): Html =>
  new Html(String.raw({ raw: markup }, ...contents.map(escaped)));

const escaped = (content: Content): string => {
  if (content instanceof Html) return content.toString();
  if (typeof content === 'object') return content.map(escaped).join('');
  return String(content).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
};

/** CSS of all pages: colours, text, fields and buttons, light or dark by the reader's setting. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f4f5f8; --card: #fff; --ink: #1d2433; --soft: #586174; --line: #dfe3ea; --edge: #8a94a6;
  --track: #e6e9f0; --accent: #1f4fa3; --on-accent: #fff;
  --good: #17663a; --good-paper: #e3f4e9; --bad: #9b2c2c; --bad-paper: #fbe9e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11151d; --card: #1a202c; --ink: #e8ebf2; --soft: #a7b0c2; --line: #2d3646; --edge: #6b7688;
    --track: #2d3646; --accent: #8fb4f5; --on-accent: #10142a;
    --good: #86dba6; --good-paper: #173425; --bad: #f5a8a0; --bad-paper: #3d1f1f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--accent); }
.field {
  width: 100%; padding: .6rem .75rem; border: 1px solid var(--edge); border-radius: .5rem;
  background: var(--paper); color: var(--ink); font: inherit;
}
.button {
  display: inline-block; padding: .6rem 1.1rem; border: 1px solid var(--accent); border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none;
  cursor: pointer;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** The icon of all pages, as SVG. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4fa3"/><path d="M9 24 16 8l7 16M11.6 18.5h8.8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/**
 * An HTML document.
 * @param head elements of the head beside charset, viewport and title
 * @param language a BCP 47 tag
 */
export const htmlDocument = (title: string, head: Html, body: Html, language = 'en'): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.toString();

/**
 * The content security policy of a page, which allows only these sources.
 * @param sources by directive, such as `style-src`
 */
export const pagePolicy = (sources: Readonly<Record<string, string>>): string =>
  Object.entries({
    'default-src': "'none'",
    ...sources,
    'form-action': sources['form-action'] ?? "'none'",
    'frame-ancestors': sources['frame-ancestors'] ?? "'none'",
    'base-uri': "'none'",
  })
    .map(([directive, allowed]) => `${directive} ${allowed}`)
    .join('; ');

/** Without this element, a browser requests an icon that the page's policy refuses. */
const OWN_ICON = html`<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(ICON).toString('base64')}">`;

/**
 * A page that loads nothing but pictures. Its icon, style and script are inline, and its policy has the hashes of style
 * and script.
 */
export const inlinePage = (content: {
  readonly title: string;
  readonly body: Html;
  /** CSS beside `BASE_STYLE`. */
  readonly style: string;
  readonly script?: string;
  /** Further elements of the head. */
  readonly head?: Html;
  /** Sources of pictures beside the icon. Default: none. */
  readonly images?: string;
  /** Sources that forms may be sent to. Default: none. */
  readonly formAction?: string;
  /** A BCP 47 tag. Default: English. */
  readonly language?: string;
}): Page => {
  const { title, body, script, head = [], images, formAction } = content;
  const style = `${BASE_STYLE}${content.style}`;
  return {
    html: htmlDocument(
      title,
      html`${OWN_ICON}${head}<style>${new Html(style)}</style>`,
      html`${body}${script === undefined ? [] : html`\n<script>${new Html(script)}</script>`}`,
      content.language,
    ),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy({
        'style-src': hashOf(style),
        ...(script !== undefined && { 'script-src': hashOf(script) }),
        'img-src': images === undefined ? 'data:' : `data: ${images}`,
        ...(formAction !== undefined && { 'form-action': formAction }),
      }),
      // With `no-referrer`, browsers would send a form with `Origin: null`.
      ...(formAction !== undefined && { 'Referrer-Policy': 'same-origin' }),
    },
  };
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
