import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';

const SCRIPT: string = '../../scripts/comment-rules.mjs';

/** Sentences in which the words speak of people. */
const OF_PEOPLE = [/[Nn]obody (?:can be|is) invited/, /^Get what I am told$/, /as its candidate was told/];

/** Every text of a document for its readers, each once. */
const textsIn = (value: unknown, key = ''): readonly string[] => {
  if (typeof value === 'string') return /^(?:description|summary|title)$/.test(key) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.entries(value).flatMap(([name, one]) => textsIn(one, name)))];
};

describe('the words of the contract', () => {
  it.each(['openapi.json', 'asyncapi.json'])('make no person of machinery: %s', async (file) => {
    const { WORDS } = (await import(SCRIPT)) as {
      readonly WORDS: readonly (readonly [words: RegExp, instead: string])[];
    };
    const texts = textsIn(JSON.parse(await readFile(`docs/contract/${file}`, 'utf8')));
    expect(texts.length).toBeGreaterThan(20);
    const sentences = texts.flatMap((text) => text.split(/(?<=[.;:]) /));
    const found = sentences
      .filter((sentence) => !OF_PEOPLE.some((words) => words.test(sentence)))
      .flatMap((sentence) =>
        WORDS.flatMap(([words, instead]) =>
          (sentence.match(words) ?? []).map((word) => `${sentence} (instead of "${word}": ${instead})`),
        ),
      );
    expect(found).toEqual([]);
  });
});
