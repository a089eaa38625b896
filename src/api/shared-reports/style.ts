/** The look of both pages. Its hash stands in their policy, so that no other style takes effect. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f4f5f8; --card: #fff; --ink: #1d2433; --soft: #586174; --line: #dfe3ea; --track: #e6e9f0;
  --accent: #1f4fa3; --good: #17663a; --good-paper: #e3f4e9; --bad: #9b2c2c; --bad-paper: #fbe9e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11151d; --card: #1a202c; --ink: #e8ebf2; --soft: #a7b0c2; --line: #2d3646; --track: #2d3646;
    --accent: #8fb4f5; --good: #86dba6; --good-paper: #173425; --bad: #f5a8a0; --bad-paper: #3d1f1f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
main {
  max-width: 42rem; margin: 0 auto; padding: 2.25rem 2.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 14px;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2.25rem 0 1rem; font-size: 1.05rem; font-weight: 650; }
p { margin: .4rem 0 0; }
.kind { margin: 0 0 .3rem; color: var(--soft); font-size: .8rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
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
  main { max-width: none; min-height: 0; padding: 0; border: 0; }
}
`;
