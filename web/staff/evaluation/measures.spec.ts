import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureTexts as german } from '../../../src/languages/de/console-measures.js';
import { measureTexts as english } from '../../../src/languages/en/console-measures.js';
import { measureOf } from './parts.js';

const FOLDER = 'src/scoring/integrity';

/** The text between a brace at `start` and its closing one. */
const within = (source: string, start: number): string => {
  let depth = 1;
  let end = start;
  while (depth > 0) {
    if (source[end] === '{') depth += 1;
    if (source[end] === '}') depth -= 1;
    end += 1;
  }
  return source.slice(start, end - 1);
};

/** The names of all that the rules compare, from their sources: each is a key of `inputs`. */
const names = new Set(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('-findings.ts'))
    .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
    .flatMap((source) =>
      [...source.matchAll(/inputs: \{/g)].flatMap(({ index }) =>
        [...within(source, index + 'inputs: {'.length).matchAll(/(?:^|[{,])\s*(\w+)(?=\s*[:,}]|\s*$)/g)].map(
          ([, name = '']) => name,
        ),
      ),
    ),
);

describe('what a rule of integrity compared', () => {
  it('has a name in each language', () => {
    expect([...names]).toEqual(
      expect.arrayContaining(['gapMs', 'minimumGapMs', 'identityAtStart', 'shared']),
    );
    for (const { measures } of [english, german])
      expect([...names].filter((name) => !Object.hasOwn(measures, name))).toEqual([]);
  });

  it('is a duration, a share or a figure in the reader’s language, never a code', () => {
    const of = (name: string, value: number | string) => measureOf(name, value, german, 'de');
    expect(of('minimumGapMs', 300_000)).toEqual({ name: 'Hinweis ab: Pause', value: '5 Min.' });
    expect(of('sharedPercent', 62.5)).toEqual({ name: 'Davon gemeinsam', value: '62,5\u00a0%' });
    expect(of('nonBlankCharacters', 4_300)).toMatchObject({ value: '4.300' });
    expect(of('identityAtStart', 'verified')).toMatchObject({ value: 'die eingeladene' });
    // Of a later version.
    expect(of('later', 'other_thing')).toEqual({ name: null, value: 'other_thing' });
  });
});
