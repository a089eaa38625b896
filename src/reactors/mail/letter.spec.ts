import { describe, expect, it } from '@jest/globals';
import { MAIL_KINDS, type MailInput } from '../../languages/en/shapes.js';
import { INTERVIEW_WORDS, LANGUAGES } from '../../languages/languages.js';
import { erasureText, mailText, senderOf } from './letter.js';

const input: MailInput = {
  organisationName: 'Example & Söhne',
  roleName: 'Engineer',
  candidateName: 'Carol',
  link: 'https://assay.example.org/apply/1',
  expiresAt: '2026-03-15T09:05:00.000Z',
  timeZone: 'UTC',
};
const all = LANGUAGES.flatMap((language) => MAIL_KINDS.map((kind) => [language, kind] as const));

describe('a mail in words', () => {
  it.each(all)('has all that is needed in both forms: %s, %s', (language, kind) => {
    const { subject, text, html } = mailText(kind, language, input);
    expect(subject).toContain('Engineer');
    expect(text).toContain('Example & Söhne');
    expect(text).toContain('Carol');
    expect(html).toContain('Example &amp; Söhne');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form)|url\(/);
    const links = [...`${text}${html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);
    expect(new Set(links)).toEqual(new Set(kind === 'cancellation' ? [] : [input.link]));
  });

  it('says of an interview that it is held in another language, in the invitation alone', () => {
    const onlyEnglish = { en: INTERVIEW_WORDS.en };
    const other = /Das Interview wird auf Englisch geführt\./;
    expect(mailText('invitation', 'de', input, onlyEnglish).text).toMatch(other);
    expect(mailText('invitation', 'de', input).text).not.toMatch(other);
    expect(mailText('reminder', 'de', input, onlyEnglish).text).not.toMatch(other);
    expect(mailText('invitation', 'en', input, onlyEnglish).text).not.toMatch(/held in English/);
  });

  it('names the expiry in words, with its time zone', () => {
    expect(mailText('invitation', 'en', input).text).toContain('until Sunday, 15 March 2026 at 09:05 UTC.');
    expect(mailText('reminder', 'de', input).text).toContain('am Sonntag, 15. März 2026 um 09:05 UTC.');
  });

  it('names the expiry in the organisation’s zone, and in UTC beside it', () => {
    const there = { ...input, timeZone: 'Europe/Berlin' };
    expect(mailText('invitation', 'en', there).text).toContain('15 March 2026 at 10:05 CET (09:05 UTC).');
    expect(mailText('reminder', 'de', there).subject).toContain('15. März 2026 um 10:05 MEZ (09:05 UTC)');
  });

  it('comes from whom the organisation names, else from the organisation', () => {
    expect(senderOf({ name: 'Example', senderName: 'Hiring at Example' })).toBe('Hiring at Example');
    expect(senderOf({ name: 'Example\r\nBcc: evil.com', senderName: null })).toBe('Example Bcc: evil. com');
  });

  it('greets without a name where there is none', () => {
    for (const candidateName of [null, ' \n']) {
      expect(mailText('receipt', 'en', { ...input, candidateName }).text).toMatch(/^Hello,\n/);
      expect(mailText('receipt', 'de', { ...input, candidateName }).text).toMatch(/^Guten Tag,\n/);
    }
  });

  it('takes names as text on one line', () => {
    const roleName = '<b>"Lead"\r\nBcc: mallory@example.org</b>';
    const { subject, html } = mailText('invitation', 'en', { ...input, roleName });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).toContain('&lt;b&gt;&quot;Lead&quot; Bcc: mallory@example. org&lt;/b&gt;');
  });

  it('makes no link of a name that was stored before names were checked', () => {
    const roleName = 'Win at https://evil.com/x\u202e';
    for (const kind of MAIL_KINDS) {
      const { subject, text, html } = mailText(kind, 'en', {
        ...input,
        roleName,
        organisationName: 'Go to evil.com',
      });
      expect(subject + text + html).not.toMatch(/evil\.com|evil\.example|\u202e/u);
      expect(text).toContain('evil. com');
    }
  });

  it.each(LANGUAGES)('tells of an erasure: %s', (language) => {
    const { text, html } = erasureText(language, input);
    expect(text).toContain('Example & Söhne');
    expect(html).not.toContain('<a ');
  });
});
