import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationTexts as germanEvaluation } from './de/console-evaluation.js';
import { measureTexts as germanMeasures } from './de/console-measures.js';
import { savedViewTexts as germanViews } from './de/console-saved-views.js';
import { handIn as germanHandIn } from './de/hand-in.js';
import { evaluationTexts as englishEvaluation } from './en/console-evaluation.js';
import { measureTexts as englishMeasures } from './en/console-measures.js';
import { savedViewTexts as englishViews } from './en/console-saved-views.js';
import { handIn as englishHandIn } from './en/hand-in.js';
import { CONSOLE_TEXTS, PAGE_TEXTS } from './languages.js';

const { en, de } = PAGE_TEXTS;
/** What is loaded later, if work is handed in on the page. */
const handIn = { en: englishHandIn, de: germanHandIn };
/** What the console loads with its pages of evaluations. */
const evaluation = {
  en: { ...englishEvaluation, ...englishMeasures },
  de: { ...germanEvaluation, ...germanMeasures },
};
/** And with its lists. */
const views = { en: englishViews, de: germanViews };

type Tree = { readonly [name: string]: unknown };

/** Texts that replace the service's own sentences, which are English: English has none of them. */
const REPLACING = /^\.scores\.(caveats|scorers)\./;

/** Each text by its path; a text with gaps as its number of gaps. `null` is no text. */
const leaves = (tree: Tree | null, path = ''): [string, unknown][] =>
  Object.entries(tree ?? {}).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object'
      ? leaves(value as Tree | null, `${path}.${name}`)
      : [[`${path}.${name}`, value]],
  );
const shapeOf = (tree: Tree): [string, unknown][] =>
  leaves(tree).map(([path, value]) => [path, typeof value === 'function' ? value.length : 'text']);

describe('the texts', () => {
  it('are complete in every language, with the same gaps', () => {
    for (const texts of Object.values(PAGE_TEXTS)) expect(shapeOf(texts)).toEqual(shapeOf(en));
    expect(shapeOf(handIn.de)).toEqual(shapeOf(handIn.en));
    for (const texts of Object.values(CONSOLE_TEXTS))
      expect(shapeOf(texts)).toEqual(shapeOf(CONSOLE_TEXTS.en));
    const replacing = leaves(evaluation.en).filter(([path]) => REPLACING.test(path));
    expect(replacing).toEqual([]);
    expect(shapeOf(evaluation.de).filter(([path]) => !REPLACING.test(path))).toEqual(shapeOf(evaluation.en));
    expect(shapeOf(views.de)).toEqual(shapeOf(views.en));
  });

  it('are nowhere empty, and translated', () => {
    const english = new Map(
      leaves({
        ...en,
        handIn: handIn.en,
        console: CONSOLE_TEXTS.en,
        evaluation: evaluation.en,
        views: views.en,
      }),
    );
    const german = leaves({
      ...de,
      handIn: handIn.de,
      console: CONSOLE_TEXTS.de,
      evaluation: evaluation.de,
      views: views.de,
    });
    const same = german.filter(([path, value]) => typeof value === 'string' && english.get(path) === value);
    for (const [, value] of german) if (typeof value === 'string') expect(value.trim()).not.toBe('');
    // The same word in both.
    expect(same.map(([path]) => path)).toEqual([
      '.work.links',
      '.after.organisation',
      '.handIn.receipt.hash',
      '.console.organisation',
      '.console.ticket.links',
      '.console.ticket.fields.links',
      '.console.candidates.mails.title',
      '.console.candidates.mails.mail',
      '.console.settings.pages.organisation',
      '.console.settings.pages.webhooks',
      '.console.settings.organisation.name',
      '.console.settings.logo.title',
      '.console.settings.keys.name',
      '.console.settings.audit.subjects.organisation',
      '.console.settings.audit.subjects.webhook',
      '.views.active.person',
    ]);
  });

  it('call the invited by one word for staff', () => {
    const german = leaves({ ...CONSOLE_TEXTS.de, evaluation: evaluation.de, views: views.de });
    const other = german.filter(([, text]) => /Kandidat/.test(String(text)));
    expect(other.map(([path]) => path)).toEqual([]);
  });

  it('count in words', () => {
    expect([en.minutes(1), en.minutes(2), de.minutes(1), de.minutes(2)]).toEqual([
      '1 minute',
      '2 minutes',
      '1 Minute',
      '2 Minuten',
    ]);
  });

  it('have a sentence for every rule but what programs alone break: a choice, a type, an id, what has no field', () => {
    const withoutSentence = [
      ...rulesIn('src/domain', DECIDED),
      ...rulesIn('src/application', DECIDED),
      ...rulesIn('src/http/validation', DECLARED),
    ].filter((rule) => !Object.hasOwn(CONSOLE_TEXTS.en.failure.byRule, rule));
    expect(new Set(withoutSentence)).toEqual(
      new Set([
        ...[
          'array',
          'boolean',
          'count',
          'duration',
          'exactly',
          'instant',
          'object',
          'string',
          'strings',
          'uuid',
        ],
        ...['distinct', 'known', 'member', 'oneOf', 'retake', 'unique', 'wellFormed'],
        // The service's own sentence names the file of a task that is at fault.
        'fileSet',
      ]),
    );
  });
});

const DECIDED = /\brule: '(\w+)'/g;
const DECLARED = /\b(?:constraint\(|name: )'(\w+)'/g;

/** The rules that sources name. @param pattern has the name as its group */
const rulesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(pattern)])
    .map(([, rule = '']) => rule);
