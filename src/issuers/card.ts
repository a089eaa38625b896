import { type Html, html } from '../http/page.js';

/** The style of a page that is one card in the middle, with a form. */
export const CARD_STYLE = `
body { min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; }
main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; line-height: 1.25; font-weight: 650; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
.wrong { color: var(--bad); margin: .375rem 0 0; }
@media (max-width: 34rem) {
  body { padding: 0; place-items: stretch; }
  main { padding: 1.5rem 1.25rem; border: 0; border-radius: 0; }
}
`;

/**
 * A field with the initial focus, and the mistake in what was entered.
 * @param attributes further attributes of the input
 */
export const cardField = (
  id: string,
  label: string,
  attributes: Html,
  mistake: string | undefined,
): Html => html`<label for="${id}">${label}</label>
<input id="${id}" required autofocus ${attributes}${mistake === undefined ? '' : html` aria-invalid="true" aria-describedby="mistake"`}>
${mistake === undefined ? '' : html`<p class="wrong" id="mistake" role="alert">${mistake}</p>`}`;

/** Value of the policy's `form-action` for a card's form. Browsers also apply it to the redirect that follows. */
export const formSources = (returnsTo: string | null): string =>
  returnsTo === null ? "'self'" : `'self' ${returnsTo}`;
