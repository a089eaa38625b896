import { readFileSync, writeFileSync } from 'node:fs';

const PAGE = 'docs/formats.md';

/** `UPDATE_FORMATS=1` writes what a service stores today into the page. Run Prettier afterwards. */
export const updating = process.env['UPDATE_FORMATS'] === '1';

/** The heading below which the page shows the events of a trial, and the key of its candidate. */
export const TRIAL_STREAM = '### A trial’s stream';

/** An event as a reader of EventStoreDB gets it: see test/formats/read_stream.py. */
export interface ShownEvent {
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  readonly contentType: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const block = (language: string): RegExp => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');

/** The code blocks of a language below a heading of the page, up to the next heading. */
export const blocksBelow = (heading: string, language: string): string[] =>
  [...sectionOf(heading).matchAll(block(language))].map(([, code = '']) => code);

/** Replaces the first code block of a language below a heading. */
export const replaceBlock = (heading: string, language: string, code: string): void => {
  const section = sectionOf(heading);
  const replaced = section.replace(block(language), (whole, _, at: number) =>
    at === section.search(block(language)) ? `\`\`\`${language}\n${code.trimEnd()}\n\`\`\`` : whole,
  );
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(section, () => replaced),
  );
};

function sectionOf(heading: string): string {
  const text = readFileSync(PAGE, 'utf8');
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${PAGE} has no heading "${heading}".`);
  const next = text.slice(start + heading.length + 2).search(/^#{1,6} /m);
  return next < 0 ? text.slice(start) : text.slice(start, start + heading.length + 2 + next);
}
