import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LANGUAGE, firstKnown, preferredLanguage } from './languages.js';

describe('the language of a page', () => {
  it.each([
    [undefined, undefined, 'en'],
    ['de', 'en', 'de'],
    ['fr de-AT en', undefined, 'de'],
    ['fr', 'de', 'de'],
    [7, 'de-CH,en;q=0.5', 'de'],
    ['', 'en;q=0.4, de;q=0.9', 'de'],
    ['', 'fr, de;q=0, en;q=0.1', 'en'],
    ['DE', '', 'de'],
    ['den', 'deutsch', 'en'],
    ['', ';;;,=,q=1', 'en'],
    ['', `${'x,'.repeat(5000)}de`, 'en'],
  ])('for %j and %j is %s', (asked, accepted, language) => {
    expect(preferredLanguage(asked, accepted)).toBe(language);
  });
});

describe('the language of a list of tags', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [[null, 'EN-us'], 'en'],
    [['fr', 'de'], 'de'],
    [['fr', undefined], 'en'],
    [[], 'en'],
  ])('for %j is %s', (wished, language) => expect(firstKnown(wished) ?? DEFAULT_LANGUAGE).toBe(language));
});
