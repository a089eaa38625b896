import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { INTERVIEW_WORDS, interviewLanguage, interviewTexts, LANGUAGES } from '../../languages/languages.js';
import { isSpeakable, prefaceOf, spokenName, topicQuestion } from './wording.js';

const en = interviewTexts('en');
const de = interviewTexts('de');

describe('a name that staff wrote, as it is said', () => {
  it.each([
    ...[
      '(m/w/d)',
      '(w/m/d)',
      '(f/m/x)',
      '(m/f/d)',
      '(w/m/div)',
      '(w/m/div.)',
      '(m|w|d)',
      '[m/w/d]',
      '(M/W/D)',
    ],
    ...['(m, w, d)', '(m/w/d/*)', '(all genders)', '(All Genders)', '(alle Geschlechter)', '(gn)', '(mwd)'],
    ...['(m/w)', '(d/m/w)', 'm/w/d', 'm / w / d', '- m/w/d', '(H/F)', '(any gender)', '(divers)', '(m*w*d)'],
    ...['(gn*)', '(m/w/i/t)', '(x/f/m)', '(m-w-d)', '(f/m/d)', '(w / m / d)', '｛m/w/d｝', '(m／w／d)'],
  ])('is without a tag of sex: %s', (tag) => {
    for (const texts of [en, de]) {
      expect(spokenName(texts, `Software Engineer ${tag}`)).toBe('Software Engineer');
      expect(spokenName(texts, `${tag} Software Engineer`)).toBe('Software Engineer');
      expect(spokenName(texts, `Software Engineer ${tag}, Berlin`)).toBe('Software Engineer, Berlin');
    }
  });

  it.each([
    ['Java/Kotlin Dev – Berlin', 'Java or Kotlin Dev, Berlin', 'Java oder Kotlin Dev, Berlin'],
    ['Research & Development', 'Research and Development', 'Research und Development'],
    ['DevOps (Remote)', 'DevOps, Remote', 'DevOps, Remote'],
    ['SENIOR BACKEND DEVELOPER', 'Senior Backend Developer', 'Senior Backend Developer'],
    ['IT', 'IT', 'IT'],
    ['CI/CD', 'CI CD', 'CI CD'],
    ['🚀 Rocket Engineer 🚀', 'Rocket Engineer', 'Rocket Engineer'],
    ['C++ / C# Engineer', 'C++ or C# Engineer', 'C++ oder C# Engineer'],
    ['Entwickler*in', 'EntwicklerIn', 'EntwicklerIn'],
    ['Entwickler:innen', 'EntwicklerInnen', 'EntwicklerInnen'],
    ['Entwickler/-in (m/w/d)', 'EntwicklerIn', 'EntwicklerIn'],
    ['Entwickler(in)', 'EntwicklerIn', 'EntwicklerIn'],
    ['Does it work?', 'Does it work?', 'Does it work?'],
    ['communicates clearly.', 'communicates clearly', 'communicates clearly'],
    ['Developer -- Berlin', 'Developer, Berlin', 'Developer, Berlin'],
    ['Lead--Payments', 'Lead, Payments', 'Lead, Payments'],
    ['Editor of www.example.com', 'Editor of example.com', 'Editor of example.com'],
    ['Rust +# Go', 'Rust Go', 'Rust Go'],
    ['The "A" Team', 'The A Team', 'The A Team'],
    ['Head of X / Y_Z [EMEA]', 'Head of X or Y Z, EMEA', 'Head of X oder Y Z, EMEA'],
    ['***', '', ''],
    ['.NET Developer', '.NET Developer', '.NET Developer'],
    ['Backend', 'Backend', 'Backend'],
  ])('%s', (name, english, german) => {
    expect(spokenName(en, name)).toBe(english);
    expect(spokenName(de, name)).toBe(german);
  });

  it('can be spoken whatever it is, in good time', () => {
    const before = performance.now();
    for (const piece of ['(m/', 'm/w/', '- ', '((', ', ', 'A/', '?', 'in*', 'ẞ'])
      spokenName(en, piece.repeat(50_000));
    expect(performance.now() - before).toBeLessThan(2_000);
    const tag = fc.constantFrom(
      ...['(m/w/d)', '/', ' – ', '🚀', '&', '?', '…', 'A', 'Dev', '(', ')', ' ', '"'],
      ...['-', 'www', 'http', '.', ',', ':', '#', '+'],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(tag, { size: 'medium' }).map((parts) => parts.join('')),
        ),
        (name) => {
          for (const texts of [en, de]) {
            const spoken = spokenName(texts, name);
            if (spoken !== '' && /\p{L}/u.test(spoken)) expect(isSpeakable(texts.quote(spoken))).toBe(true);
          }
        },
      ),
    );
  });
});

describe('a name within the interviewer’s sentences', () => {
  const names = [
    'Does it work?',
    'Tests',
    'communicates clearly',
    'I18n & L10n',
    'Ship it!',
    '***',
    'Tests.',
  ];

  it.each(LANGUAGES)('is a title, in no sentence’s grammar: %s', (language) => {
    const texts = interviewTexts(language);
    for (const name of names)
      for (const category of ['process', 'correctness', 'other'])
        for (let place = 0; place < 3; place += 1) {
          const { text, again } = topicQuestion(texts, { name, category }, place);
          for (const said of [text, ...again]) {
            const title = spokenName(texts, name);
            const end = /[?!]$/.test(title) ? '' : '.';
            const quoted = title === '' ? texts.unnamedTopic : texts.quote(title) + end;
            // After a colon, and with a new sentence behind it.
            expect(said).toContain(`: ${quoted} `);
            expect(said.slice(said.indexOf(`: ${quoted} `) + quoted.length + 3)).toMatch(/^\p{Lu}/u);
            expect(isSpeakable(said)).toBe(true);
          }
        }
  });

  it('is quoted in the greeting, without its tag of sex', () => {
    expect(prefaceOf(en, 'Software Engineer (m/w/d)')).toMatch(/ for the role “Software Engineer”\. /);
    expect(prefaceOf(de, 'Software Engineer (m/w/d)')).toMatch(/ für die Stelle „Software Engineer“\. /);
    expect(prefaceOf(de, '🚀')).toMatch(/^Guten Tag und willkommen zu Ihrem Interview\. /);
  });
});

describe('the language of an interview', () => {
  it('is the invitation’s, or English where the interviewer has no words in it', () => {
    expect(LANGUAGES.map((language) => interviewLanguage(language))).toEqual(['en', 'de']);
    const { en: english } = INTERVIEW_WORDS;
    expect(LANGUAGES.map((language) => interviewLanguage(language, { en: english }))).toEqual(['en', 'en']);
  });

  it('has the same words in every language, none empty', () => {
    const shape = (value: unknown): unknown =>
      typeof value === 'string'
        ? value.trim() !== ''
        : typeof value === 'function'
          ? value.length
          : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, shape(inner)]));
    for (const words of Object.values(INTERVIEW_WORDS)) expect(shape(words)).toEqual(shape(en));
  });
});
