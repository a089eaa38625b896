import type { KeptMail } from '../../clients/mail.js';
import { type Content, type Html, html, inlinePage, type Page } from '../../http/page.js';
import { timesIn } from '../../languages/en/times.js';

/** The outbox as a page, newest mail first. */
export const outboxPage = (mails: readonly KeptMail[]): Page =>
  inlinePage({
    title: 'Outbox · Assay',
    style: STYLE,
    body: html`<main>
<header>
<div>
<h1>Outbox</h1>
<p class="soft">Mails that this service would send. It is in development and has no mail server: set SMTP_URL to send them.</p>
</div>
<a class="button" href="">Reload</a>
</header>
${mails.length === 0 ? EMPTY : html`<ol reversed>\n${mails.map(item)}</ol>`}
</main>`,
  });

const EMPTY = html`<section class="empty">
<h2>No mail yet</h2>
<p class="soft">Invite a candidate: the invitation appears here. Mails are kept until the process ends, the last 200 of them.</p>
</section>`;

const item = ({
  number,
  sentAt,
  senderName,
  timeZone = 'UTC',
  to,
  subject,
  text,
}: KeptMail): Html => html`<li>
<article aria-labelledby="mail-${number}">
<h2 id="mail-${number}" dir="auto">${subject}</h2>
<p class="soft">${senderName === undefined ? '' : html`from <bdi>${senderName}</bdi> `}to <bdi>${to}</bdi> · <time datetime="${sentAt}">${times(sentAt, timeZone)}</time></p>
<div class="text" dir="auto">${withLinks(text.trim())}</div>
<p class="more"><a href="outbox/${number}">As HTML</a></p>
</article>
</li>
`;

const times = timesIn('en-GB', 'long');

// Quotes by their numbers: scanners of the bundle would read a quote as the beginning of a text.
const LINK = /(https?:\/\/[^\s<>\x22\x27]*[^\s<>\x22\x27.,;:!?)\]])/;

/** A text as HTML, its addresses as links. */
const withLinks = (text: string): Content =>
  text.split(LINK).map((part, index) => (index % 2 === 0 ? part : html`<a href="${part}">${part}</a>`));

const STYLE = `
body { padding: 2rem 1rem; }
main { max-width: 46rem; margin: 0 auto; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; margin-bottom: 1.5rem; }
header > div { flex: 1 1 18rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 0; font-size: 1.1rem; line-height: 1.35; font-weight: 650; }
p { margin: .3rem 0 0; }
a { color: var(--accent); }
a.button { color: var(--on-accent); }
.soft { color: var(--soft); font-size: .92rem; }
ol { margin: 0; padding: 0; list-style: none; }
article, .empty { margin-bottom: 1rem; padding: 1.4rem 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.text { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); white-space: pre-wrap; }
.more { margin-top: 1rem; font-size: .92rem; }
@media (max-width: 34rem) {
  body { padding: 1rem .75rem; }
  article, .empty { padding: 1.1rem 1rem; }
}
`;
