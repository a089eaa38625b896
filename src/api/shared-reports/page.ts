import { type Html, html, inlinePage, type Page } from '../../http/page.js';
import type { SharedReport } from './report.js';
import { drawnScore, momentIn, shownLogo, WORDS } from './words.js';

const HEAD = html`<meta name="robots" content="noindex">\n<meta name="referrer" content="no-referrer">\n`;

/** The page of a report: text and shapes, without a script. @param pdf where the same is as a PDF */
export const reportPage = (report: SharedReport, pdf: string): Page =>
  inlinePage({
    title: WORDS.title(report),
    head: HEAD,
    style: STYLE,
    // The origin by its name: the reader may have come by another one.
    ...(report.organisationLogo && { images: new URL(report.organisationLogo.url).origin }),
    body: html`<main>
<header>
${report.organisationLogo === null ? '' : logo(report.organisationLogo)}<p class="kind">${WORDS.kind}</p>
<h1 dir="auto">${report.roleName}</h1>
<p dir="auto">${report.organisationName}</p>
${report.label === null ? '' : html`<p class="label" dir="auto">${report.label}</p>\n`}<p class="soft">${WORDS.generated(time(report.generatedAt, report.timeZone))}</p>
<p class="pdf"><a href="${pdf}">Download as PDF</a></p>
</header>
${overall(report)}
<h2 id="scores">${WORDS.scores}</h2>
${scores(report.scores)}
<footer>
<p>${WORDS.purpose}</p>
<p>${WORDS.expires(time(report.expiresAt, report.timeZone))}</p>
</footer>
</main>`,
  });

/** The organisation's name is beside it. */
const logo = (shown: NonNullable<SharedReport['organisationLogo']>): Html => {
  const { width, height } = shownLogo(shown);
  return html`<img class="logo" src="${shown.url}" alt="" width="${width}" height="${height}">\n`;
};

const overall = (report: SharedReport): Html => {
  const { overallScore, passed } = report;
  const verdict = passed === null ? '' : passed ? ' passed' : ' failed';
  return html`<section class="overall" aria-labelledby="overall">
<svg class="ring" viewBox="0 0 100 100" role="img" aria-label="${WORDS.picture(report)}">
<circle cx="50" cy="50" r="44"/>
${overallScore === null ? '' : ring(drawnScore(overallScore))}<text x="50" y="56">${WORDS.figure(report)}</text>
<text class="of" x="50" y="71">${WORDS.outOf}</text>
</svg>
<div>
<h2 id="overall">${WORDS.overall}</h2>
<p class="verdict${verdict}">${WORDS.verdict(report)}</p>
<p class="soft">${WORDS.passesAt(report)}</p>
</div>
</section>`;
};

/** The arc of a score, from the top, clockwise. None for 0: the round cap would show a dot. */
const ring = (score: number): Html | '' =>
  score === 0
    ? ''
    : html`<circle class="score" cx="50" cy="50" r="44" pathLength="100" stroke-dasharray="${score} 100" transform="rotate(-90 50 50)"/>\n`;

const scores = (all: SharedReport['scores']): Html =>
  all.length === 0
    ? html`<p class="soft">${WORDS.noScores}</p>`
    : html`<ul aria-labelledby="scores">\n${all.map(row)}</ul>`;

const row = ({
  dimensionName,
  dimensionCategory,
  score,
  caveat,
}: SharedReport['scores'][number]): Html => html`<li>
<div class="row"><div><bdi class="name">${dimensionName}</bdi> <bdi class="category">${dimensionCategory}</bdi></div><span class="figure">${score}</span></div>
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="score" width="${drawnScore(score)}" height="4"/></svg>
${caveat === null ? '' : html`<p class="caveat">${caveat}</p>\n`}</li>
`;

const time = (instant: string, timeZone: string): Html =>
  html`<time datetime="${instant}">${momentIn(instant, timeZone)}</time>`;

const STYLE = `
body { padding: 2rem 1rem; }
main {
  max-width: 42rem; margin: 0 auto; padding: 2.25rem 2.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 14px;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2.25rem 0 1rem; font-size: 1.05rem; font-weight: 650; }
p { margin: .4rem 0 0; }
.kind { margin: 0 0 .3rem; color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
/* On a light ground also where the page is dark: most logos are made for one. */
.logo { display: block; max-width: 100%; height: auto; margin: 0 0 1.25rem; }
@media screen and (prefers-color-scheme: dark) { .logo { padding: .5rem; border-radius: .5rem; background: #fff; box-sizing: content-box; } }
.label { font-weight: 600; }
.soft { color: var(--soft); }
.overall { display: flex; gap: 1.75rem; align-items: center; margin-top: 1.75rem; padding: 1.5rem 0; border: solid var(--line); border-width: 1px 0; }
.ring { flex: none; width: 7.5rem; height: 7.5rem; }
.ring circle { fill: none; stroke-width: 9; stroke: var(--track); }
.ring .score { stroke: var(--accent); stroke-linecap: round; }
.ring text { fill: var(--ink); font-size: 30px; font-weight: 650; text-anchor: middle; }
.ring .of { fill: var(--soft); font-size: 10px; font-weight: 400; }
.overall h2 { margin: 0 0 .6rem; }
.verdict { display: inline-block; margin: 0; padding: .2rem .75rem; border-radius: 99px; background: var(--track); font-weight: 600; }
.passed { background: var(--good-paper); color: var(--good); }
.failed { background: var(--bad-paper); color: var(--bad); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .7rem 0; break-inside: avoid; }
.row { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; }
.name { margin-inline-end: .6rem; font-weight: 600; }
.category { color: var(--soft); font-size: .85rem; }
.figure { flex: none; font-weight: 650; font-variant-numeric: tabular-nums; }
.bar { display: block; width: 100%; height: .6rem; margin-top: .45rem; border-radius: 99px; }
.bar .track { fill: var(--track); }
.bar .score { fill: var(--accent); }
.caveat { color: var(--soft); font-size: .88rem; }
footer { margin-top: 2rem; padding-top: 1.1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem; }
@media (max-width: 34rem) {
  body { padding: 0; }
  main { min-height: 100vh; padding: 1.5rem 1.25rem; border: 0; border-radius: 0; }
  h1 { font-size: 1.4rem; }
  .overall { gap: 1.1rem; }
  .ring { width: 6rem; height: 6rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --track: #ddd;
    --accent: #1f4fa3; --good: #17663a; --good-paper: #e3f4e9; --bad: #9b2c2c; --bad-paper: #fbe9e7;
  }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  body { padding: 0; font-size: 11pt; }
  .pdf { display: none; }
  main { max-width: none; min-height: 0; padding: 0; border: 0; }
}
`;

/** The page of a link that opens no report: the same for every reason, so that it reveals none. */
export const CLOSED_LINK_PAGE: Page = inlinePage({
  title: 'No report',
  head: HEAD,
  style: STYLE,
  body: html`<main>
<h1>This link does not open a report.</h1>
<p>It may have expired or been taken back, or its address is not complete. Check the address, or ask whoever sent you the link for a new one.</p>
</main>`,
});

/** The page in place of a PDF that cannot be made. @param report where the report is as a page */
export const noPdfPage = (sentence: string, report: string): Page =>
  inlinePage({
    title: 'No PDF',
    head: HEAD,
    style: STYLE,
    body: html`<main>
<h1>This report cannot be made as a PDF.</h1>
<p>${sentence}</p>
<p><a href="${report}">Open the report</a></p>
</main>`,
  });
