import { createHash } from 'node:crypto';
import type { SharedReport, SharedScore } from './report.js';
import { STYLE } from './style.js';

/** Nothing runs, nothing is loaded, nothing is sent: a page of text and shapes, in the one style that it comes with. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The page of a report. Names are the organisation's own words: they stand as text, whatever is in them. */
export const reportPage = (report: SharedReport): string =>
  page(
    `Assessment report: ${report.roleName}`,
    `<header>
<p class="kind">Assessment report</p>
<h1 dir="auto">${escaped(report.roleName)}</h1>
<p class="soft">Generated on ${time(report.generatedAt)}</p>
</header>
${overall(report)}
<h2 id="scores">Scores by dimension</h2>
${scores(report.scores)}
<footer>
<p>Scores go from 0 to 100. They support people’s decisions and do not take their place.</p>
<p>This link shows the latest report until ${time(report.expiresAt)}.</p>
</footer>`,
  );

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

const overall = ({ overallScore, passed }: SharedReport): string => {
  const figure = overallScore === null ? '–' : `${overallScore}`;
  const said = overallScore === null ? 'No overall score' : `Overall score ${figure} of 100`;
  const [verdict, words] =
    passed === null ? ['', 'No result'] : passed ? [' passed', 'Passed'] : [' failed', 'Not passed'];
  return `<section class="overall" aria-labelledby="overall">
<svg class="ring" viewBox="0 0 100 100" role="img" aria-label="${said}">
<circle cx="50" cy="50" r="44"/>
${overallScore === null ? '' : ring(drawn(overallScore))}<text x="50" y="56">${figure}</text>
<text class="of" x="50" y="71">of 100</text>
</svg>
<div>
<h2 id="overall">Overall score</h2>
<p class="verdict${verdict}">${words}</p>
</div>
</section>`;
};

/** From the top, clockwise. A round cap would show a point where there is nothing. */
const ring = (score: number): string =>
  score === 0
    ? ''
    : `<circle class="score" cx="50" cy="50" r="44" pathLength="100" stroke-dasharray="${score} 100" transform="rotate(-90 50 50)"/>\n`;

const scores = (all: readonly SharedScore[]): string =>
  all.length === 0
    ? '<p class="soft">The role has no dimensions.</p>'
    : `<ul aria-labelledby="scores">\n${all.map(row).join('\n')}\n</ul>`;

const row = ({ dimensionName, dimensionCategory, score }: SharedScore): string => `<li>
<div class="row"><div><bdi class="name">${escaped(dimensionName)}</bdi> <bdi class="category">${escaped(dimensionCategory)}</bdi></div><span class="figure">${score}</span></div>
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="4"/><rect class="score" width="${drawn(score)}" height="4"/></svg>
</li>`;

/** Within what can be drawn. */
const drawn = (score: number): number => Math.min(100, Math.max(0, score));

const TIMES = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

const time = (instant: string): string =>
  `<time datetime="${escaped(instant)}">${TIMES.format(new Date(instant))} UTC</time>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As text between tags or in a quoted attribute. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
