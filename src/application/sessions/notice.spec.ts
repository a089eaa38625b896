import { describe, expect, it } from '@jest/globals';
import type { Participants, Practice } from '../../languages/en/shapes.js';
import { INTERVIEW_WORDS } from '../../languages/languages.js';
import { defaultNotice } from './notice.js';

const BUILT_IN: Participants = {
  interviewer: { kind: 'scripted' },
  scorer: { kind: 'rubric' },
  transcriber: { kind: 'browser' },
  synthesiser: { kind: 'browser' },
  detector: { kind: 'none' },
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

describe('the default notice', () => {
  it('says that the interview is held in another language, where the interviewer has no words in its own', () => {
    const words = { en: INTERVIEW_WORDS.en };
    const other = 'Das Interview wird auf Englisch geführt.';
    expect(defaultNotice(practice(), 'de', words).text).toContain(other);
    expect(defaultNotice(practice(), 'de').text).not.toContain(other);
    expect(defaultNotice(practice(), 'en', words)).toEqual(defaultNotice(practice(), 'en'));
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
    expect(text()).toContain('your voice is not kept');
    expect(text()).toContain('Until Example Ltd erases it');
    const kept = text({}, { recordAudio: true, retentionDays: 30 });
    expect(kept).toContain('your voice is recorded and kept too');
    expect(kept).toContain('after 30 days');
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
