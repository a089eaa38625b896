import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  emailMistake,
  formerEmailForms,
  mailboxOf,
  normaliseEmail,
  readableEmail,
  visibleEmail,
} from './email-address.js';

/** Any string there is, halves of surrogate pairs included. */
const anyString = () =>
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

const UNSEEN = ['\u200B', '\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u034F', '\u180E', '\uFE0F'];
const BIDI = [
  '\u200E',
  '\u200F',
  '\u061C',
  '\u202A',
  '\u202B',
  '\u202C',
  '\u202D',
  '\u202E',
  '\u2066',
  '\u2069',
];
const BLANKS = [' ', '\t', '\n', '\r\n', '\u0085', '\u00A0', '\u2003', '\u202F', '\u3000'];

const unseen = fc.constantFrom(...UNSEEN, ...BIDI);
const blanks = fc.array(fc.constantFrom(...BLANKS)).map((all) => all.join(''));
const address = fc.constantFrom(
  'anna@bücher.example',
  'émile@example.org',
  'müller@example.org',
  'strauß@straße.example',
  'Анна@почта.example',
  'ΟΔΌΣ@ΣΟΦΌΣ.example',
  'user@مثال.example',
  'ivan.İ@İstanbul.example',
  'o.reilly+tag@example.org',
);

/** A million signs that each table treats as their neighbours: not assigned, private, syllables and ideographs. */
const OF_MANY_ALIKE = /[\p{Cn}\p{Co}\p{Cs}\p{Unified_Ideograph}\p{Script=Hangul}]/u;

describe('the form in which addresses are compared', () => {
  it('is reached at once, for any string', () => {
    const anything = fc.oneof(anyString(), fc.string({ unit: 'grapheme' }), fc.emailAddress(), address);
    fc.assert(
      fc.property(anything, anything, (left, right) => {
        for (const text of [left, `${left}@${right}`, `${left}@${right}.example`]) {
          const once = normaliseEmail(text);
          expect(normaliseEmail(once)).toBe(once);
        }
      }),
      { numRuns: 1_000 },
    );
    for (let code = 0; code <= 0x10ffff; code++) {
      const sign = String.fromCodePoint(code);
      if (OF_MANY_ALIKE.test(sign) && code % 64 !== 0) continue;
      for (const text of [sign, `a@${sign}`, `a@b${sign}c.example`]) {
        const once = normaliseEmail(text);
        if (normaliseEmail(once) !== once)
          throw new Error(`U+${code.toString(16)} is not normalised at once`);
      }
    }
  }, 120_000);

  it('knows no blanks around, no unseen signs, no marks of direction, and no way to compose', () => {
    fc.assert(
      fc.property(
        address,
        blanks,
        blanks,
        fc.array(fc.tuple(fc.nat(40), unseen)),
        (email, before, after, marks) => {
          let text = email.normalize('NFD');
          for (const [place, mark] of marks) {
            const at = Math.min(place, text.length);
            text = `${text.slice(0, at)}${mark}${text.slice(at)}`;
          }
          expect(normaliseEmail(`${before}${text}${after}`)).toBe(normaliseEmail(email));
        },
      ),
    );
  });

  it.each([
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
    ['anna@BÜCHER.EXAMPLE', 'anna@xn--bcher-kva.example'],
    ['anna@XN--BCHER-KVA.example', 'anna@xn--bcher-kva.example'],
    ['anna@bu\u0308cher.example', 'anna@xn--bcher-kva.example'],
    ['anna@ｂücher。ｅxample', 'anna@xn--bcher-kva.example'],
    ['anna@ｅｘａｍｐｌｅ．ｏｒｇ', 'anna@example.org'],
    ['anna@faß.example', 'anna@xn--fa-hia.example'],
    ['anna@fass.example', 'anna@fass.example'],
    ['\u202Aanna@example.org\u202C', 'anna@example.org'],
    ['an\u00ADna@exam\u200Bple.org', 'anna@example.org'],
    ['ÉMILE@example.org', 'émile@example.org'],
    ['E\u0301mile@example.org', 'émile@example.org'],
    ['strauß@example.org', 'strauß@example.org'],
    ['STRAUẞ@example.org', 'strauß@example.org'],
    ['ﬁona@example.org', 'ﬁona@example.org'],
    ['İ@example.org', 'i\u0307@example.org'],
    ['a@example.org/x', 'a@example.org/x'],
    ['a@1.2.3', 'a@1.2.3'],
    ['anna@\u04C0.example', normaliseEmail('anna@\u04CF.example')],
    ['no address', 'no address'],
  ])('of %j is %j', (written, compared) => {
    expect(normaliseEmail(written)).toBe(compared);
  });

  it.each([
    ['strauß@example.org', 'strauss@example.org'],
    ['ﬁona@example.org', 'fiona@example.org'],
    ['ａnna@example.org', 'anna@example.org'],
    ['anna@straße.example', 'anna@strasse.example'],
    ['ınes@example.org', 'ines@example.org'],
    ['anna²@example.org', 'anna2@example.org'],
  ])('keeps %j and %j two people', (one, other) => {
    expect(normaliseEmail(one)).not.toBe(normaliseEmail(other));
  });
});

describe('the other forms of an address', () => {
  it.each([
    ['anna@xn--bcher-kva.example', 'anna@bücher.example'],
    [' Anna@BÜCHER.example', 'anna@bücher.example'],
    ['anna@xn--0.example', 'anna@xn--0.example'],
    ['anna', 'anna'],
  ])('people read %j as %j', (written, read) => {
    expect(readableEmail(written)).toBe(read);
    expect(normaliseEmail(readableEmail(written))).toBe(normaliseEmail(written));
  });

  it.each([
    ['Anna.Z@Bücher.example', 'Anna.Z@xn--bcher-kva.example'],
    ['\u200BZoe\u0308@example.org ', 'Zoë@example.org'],
  ])('a mail server is told %j as %j', (written, told) => {
    expect(mailboxOf(written)).toBe(told);
  });

  it('of former releases are found whatever way the domain is written', () => {
    expect(formerEmailForms('Anna@Bücher.example')).toEqual(['anna@bücher.example']);
    expect(formerEmailForms('anna@xn--bcher-kva.example')).toEqual(['anna@bücher.example']);
    expect(formerEmailForms('Carol@example.org')).toEqual([]);
  });
});

describe('the sign that keeps a text from being an address', () => {
  it.each([
    ['anna muster@example.org', { sign: ' ', fault: 'remove', after: 'anna' }],
    ['anna\u3000muster@example.org', { sign: ' ', fault: 'remove', after: 'anna' }],
    ['anna@example.org,', { sign: ',', fault: 'remove', after: 'anna@example.org' }],
    ['anna@example.org; bob@example.org', { sign: ';', fault: 'remove', after: 'anna@example.org' }],
    ['Anna<anna@example.org>', { sign: '<', fault: 'remove', after: 'Anna' }],
    ['<anna@example.org>', { sign: '<', fault: 'remove', after: '' }],
    ['mailto:anna@example.org', { sign: ':', fault: 'remove', after: 'mailto' }],
    ['anna@@example.org', { sign: '@', fault: 'remove', after: 'anna@' }],
    ['anna..b@example.org', { sign: '.', fault: 'remove', after: 'anna' }],
    ['anna@example.org.', { sign: '.', fault: 'remove', after: 'anna@example.org' }],
    ['anna\u0000@example.org', { sign: '\u0000', fault: 'remove', after: 'anna' }],
    ['\u212Aelvin@example.org', { sign: '\u212A', fault: 'remove', after: '' }],
    ['anna＠example.org', { sign: '＠', fault: 'at', after: 'anna' }],
    ['anna', { sign: '@', fault: 'missing', after: '' }],
    ['', null],
    ['anna@example', null],
  ])('of %j is %j', (text, mistake) => {
    expect(emailMistake(text)).toEqual(mistake);
  });

  it('is not what nobody sees', () => {
    for (const mark of [...UNSEEN, ...BIDI])
      expect(visibleEmail(`an${mark}na@example.org`)).toBe('anna@example.org');
  });
});
