import { LANGUAGES, UNLOADED_TEXTS } from '../languages/languages.js';
import { html } from './page.js';

/** Shown after a while if a page's script does not load, or the browser cannot run it. */
export const UNLOADED = LANGUAGES.map((language) => {
  const { text, again } = UNLOADED_TEXTS[language];
  return html`<p class="unloaded" lang="${language}">${text} <a href="">${again}</a></p>`;
});

/** Shown if the browser runs no scripts. */
export const NO_SCRIPT = LANGUAGES.map(
  (language) => html`<noscript><p lang="${language}">${UNLOADED_TEXTS[language].noScript}</p></noscript>`,
);
