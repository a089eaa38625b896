import { describe, expect, it } from '@jest/globals';
import { DEFINITION_LIMITS } from '../../domain/role/events.js';
import { AI_POLICIES, type Participants, type Practice } from '../../languages/en/shapes.js';
import { AI_POLICY_TEXTS, INTERVIEW_WORDS, LANGUAGES } from '../../languages/languages.js';
import { defaultNotice, ownNotice } from './consent-notice.js';

const BUILT_IN: Participants = {
  interviewer: { kind: 'scripted' },
  scorer: { kind: 'rubric' },
  transcriber: { kind: 'browser' },
  synthesiser: { kind: 'browser' },
  detector: { kind: 'none' },
  checker: { kind: 'none' },
};
const practice = (
  participants: Partial<Participants> = {},
  settings: Partial<Practice['organisation']> = {},
): Practice => ({
  organisation: { name: 'Example Ltd', recordAudio: false, retentionDays: null, ...settings },
  roleName: 'Backend engineer',
  participants: { ...BUILT_IN, ...participants },
});
const text = (...given: Parameters<typeof practice>) => defaultNotice(practice(...given), 'en').text;

describe.each(LANGUAGES)('what a notice says of AI assistants in %s', (language) => {
  const texts = AI_POLICIES.map((policy) => AI_POLICY_TEXTS[language][policy]('A*B'));

  it('is one paragraph for each policy, and names the organisation as it is', () => {
    expect(new Set(texts).size).toBe(AI_POLICIES.length);
    for (const text of texts) expect(text).toMatch(/^\*\*\S.+\.\*\* .+\.$/u);
    expect(texts[AI_POLICIES.indexOf('provided')]).toContain('A\\*B');
  });

  it('makes another version of the default notice, for each policy', () => {
    const notices = [null, ...texts].map((text) => defaultNotice(practice(), language, text));
    expect(new Set(notices.map(({ version }) => version)).size).toBe(notices.length);
    for (const [index, text] of texts.entries()) expect(notices[index + 1]?.text).toContain(text);
  });
});

describe('the version of what a candidate agrees to', () => {
  const policies = LANGUAGES.flatMap((language) =>
    AI_POLICIES.flatMap((policy) =>
      ['Example Ltd', 'Example plc'].map((name) => AI_POLICY_TEXTS[language][policy](name)),
    ),
  );
  it.each([
    ['a default notice', (policy: string | null) => defaultNotice(practice(), 'en', policy)],
    ['a role’s own notice', (policy: string | null) => ownNotice({ version: '7', text: 'Own.' }, policy)],
  ])('names all of the text that is shown: of %s', (_, noticeWith) => {
    const notices = [null, ...policies].map(noticeWith);
    const texts = new Set(notices.map(({ text }) => text));
    // With `provided` the text names the organisation.
    expect(texts.size).toBe(1 + LANGUAGES.length * (AI_POLICIES.length + 1));
    expect(new Set(notices.map(({ version }) => version)).size).toBe(texts.size);
  });

  it('names its own text too, fits the limit, and is the role’s own if nothing is added', () => {
    const policy = policies[0]!;
    const long = 'v'.repeat(DEFINITION_LIMITS.noticeVersion - 1);
    const versions = ['1', '2', `${long}1`, `${long}2`, '\u{1F4A1}'.repeat(25)].flatMap((version) =>
      ['One.', 'Two.'].map((text) => {
        const notice = { version, text };
        expect(ownNotice(notice, null)).toEqual(notice);
        return ownNotice(notice, policy).version;
      }),
    );
    expect(new Set(versions).size).toBe(versions.length);
    for (const version of versions) {
      expect(version.length).toBeLessThanOrEqual(DEFINITION_LIMITS.noticeVersion);
      expect(version.isWellFormed()).toBe(true);
    }
  });
});

describe('the default notice', () => {
  it('says that the interview is held in another language, where the interviewer has no words in its own', () => {
    const words = { en: INTERVIEW_WORDS.en };
    const other = 'Das Interview wird auf Englisch geführt.';
    expect(defaultNotice(practice(), 'de', null, words).text).toContain(other);
    expect(defaultNotice(practice(), 'de').text).not.toContain(other);
    expect(defaultNotice(practice(), 'en', null, words)).toEqual(defaultNotice(practice(), 'en'));
  });

  it('tells who scores, interviews and listens', () => {
    expect(text()).toContain('by fixed rules, without AI');
    expect(text()).toContain('No AI chooses them');
    expect(text()).toContain('some browsers send the sound to their maker');
    const models = text({
      scorer: { kind: 'openai' },
      interviewer: { kind: 'openai' },
      transcriber: { kind: 'openai' },
      synthesiser: { kind: 'openai' },
      detector: { kind: 'command' },
    });
    expect(models).toContain('An AI model scores');
    expect(models).toContain('An AI model asks');
    expect(models).toContain('An AI service turns speech into text');
    expect(models).toContain('An AI service speaks');
    expect(models).toContain('whether texts were generated');
    expect(models).not.toContain('without AI');
  });

  it('tells what is kept, and for how long', () => {
    expect(text()).toContain('Work that you hand in.** It is stored as you sent it.');
    expect(defaultNotice(practice(), 'de').text).toContain(
      'Arbeit, die Sie abgeben.** Sie wird so gespeichert',
    );
    expect(text()).toContain('your voice is not kept');
    expect(text()).toContain('Until Example Ltd erases it');
    const kept = text({}, { recordAudio: true, retentionDays: 30 });
    expect(kept).toContain('your voice is recorded and kept too');
    expect(kept).toContain('after 30 days');
  });

  it('tells that work is run and compared, and what the page and the program watch', () => {
    for (const told of [
      'they are run with it',
      'compares it with what others handed in to Example Ltd for the same task',
      'This page reports how much you paste',
      'assay-work, if you use it, watches the folder',
    ])
      expect(text()).toContain(told);
    const german = defaultNotice(practice(), 'de').text;
    for (const told of [
      'werden sie damit ausgeführt',
      'vergleicht sie mit dem, was andere bei Example Ltd für dieselbe Aufgabe abgegeben haben',
      'Diese Seite meldet, wie viel Sie einfügen',
      'assay-work, falls Sie es verwenden, beobachtet den Ordner',
    ])
      expect(german).toContain(told);
  });

  it('has a version that names its text', () => {
    const all = (['en', 'de'] as const).flatMap((language) => [
      defaultNotice(practice(), language),
      defaultNotice(practice({ scorer: { kind: 'openai' } }), language),
      defaultNotice(practice({}, { retentionDays: 1 }), language),
    ]);
    expect(new Set(all.map(({ version }) => version)).size).toBe(all.length);
    for (const { version } of all) expect(version).toMatch(/^default-[0-9a-f]{12}$/);
    expect(defaultNotice(practice(), 'de')).toEqual(defaultNotice(practice(), 'de'));
  });

  it('takes a name as text, not as markup', () => {
    expect(text({}, { name: '[x](https://evil.example) <b>\n\n# y' })).toContain(
      '\\[x\\](https://evil.example) \\<b\\> \\# y',
    );
  });
});
