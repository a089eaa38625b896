import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { writeAnew } from '../../application/organisations/logo-image.js';
import { isRefused } from '../../core/decider.js';
import { Faces, UnsettableText } from './pdf-fonts.js';
import { reportPdf } from './pdf.js';
import type { SharedReport } from './report.js';
import { setText } from './typesetting.js';

const STYLE = { size: 10, weight: 'regular' } as const;
const faces = new Faces();
const set = (text: string, width = 400) => setText(text, STYLE, width, faces);
const piecesOf = (text: string) =>
  set(text).lines.map(({ pieces }) =>
    pieces.map(({ text, face, direction }) => `${face.name} ${direction} ${text}`),
  );

describe('a text', () => {
  it.each([
    ['Zażółć gęślą jaźń', ['latin-regular ltr Zażółć gęślą jaźń']],
    ['Инженер / Μηχανικός', ['latin-regular ltr Инженер / Μηχανικός']],
    ['代码质量：後端', ['han-regular ltr 代码质量：後端']],
    ['テスト', ['han-regular ltr テスト']],
    ['مهندس برمجيات', ['arabic-regular rtl مهندس برمجيات']],
    ['קוד (נקי)', ['hebrew-regular rtl קוד (נקי)']],
    ['e\u0301', ['latin-regular ltr é']],
    ['q\u0303', ['latin-regular ltr q\u0303']],
    ['a\u00adb', ['latin-regular ltr ab']],
  ])('%s is set in the fonts that have it', (text, pieces) => {
    expect(piecesOf(text)).toEqual([pieces]);
  });

  it('goes from right to left, what is Latin in it and its numbers from left to right', () => {
    expect(piecesOf('שלום 123 abc')).toEqual([
      ['latin-regular ltr abc', 'latin-regular rtl  ', 'latin-regular ltr 123', 'hebrew-regular rtl שלום '],
    ]);
    expect(set('שלום 123 abc').direction).toBe('rtl');
  });

  it.each(['🎯', 'วิศวกร', 'अभियंता', '한국어', '1\u20e3', '\ue000', '\ud800', 'x\u0903'])(
    '%j is refused',
    (text) => {
      expect(() => set(`Engineer ${text}`)).toThrow(UnsettableText);
    },
  );

  it.each(['a\u0615', 'a\u06d6', 'و\u1f93\ufdf2\u0652'])(
    'is refused if its font fails on its marks, which is no fault of the service: %j',
    (text) => {
      expect(() => set(text)).toThrow(UnsettableText);
    },
  );

  it.each(['\u0604\u0639', '\ufeb2\u0604\u0639a,a', 'a \u06dd12'])(
    'loses no sign that goes in another direction than what it is set with: %j',
    (text) => {
      const sorted = (of: string) => Array.from(of.replaceAll(' ', '')).sort();
      const shown = set(text).lines.flatMap(({ pieces }) => pieces.map((piece) => piece.text));
      expect(sorted(shown.join(''))).toEqual(sorted(text));
    },
  );

  it.each([
    'W'.repeat(200),
    'word '.repeat(80),
    '很长的名字'.repeat(40),
    'مهندس'.repeat(40),
    'שלום '.repeat(40),
  ])('is broken into lines that fit, and loses nothing: %s', (text) => {
    const { lines } = set(text, 200);
    expect(lines.length).toBeGreaterThan(1);
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(200);
    const letters = (of: string) => of.replaceAll(/\s/g, '').length;
    const shown = lines.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join('');
    expect(letters(shown)).toBe(letters(text));
  });
});

describe('a PDF', () => {
  const report: SharedReport = {
    ...{
      organisationName: 'Acme',
      organisationLogo: null,
      roleName: 'Engineer',
      label: null,
      status: 'ready',
    },
    ...{ overallScore: 72, overallThreshold: 60, passed: true, timeZone: 'Europe/Berlin' },
    scores: [{ dimensionName: 'Tests', dimensionCategory: 'testing', score: 72, caveat: null }],
    generatedAt: '2026-03-01T09:05:00.000Z',
    expiresAt: '2026-03-31T09:05:00.000Z',
  };

  const made = async (of: SharedReport, logo: Uint8Array | null = null): Promise<Buffer> =>
    Buffer.from(await reportPdf({ report: of, logo }));

  const picture = sharp({ create: { width: 320, height: 96, channels: 4, background: '#1f4fa380' } });
  it.each([
    ['PNG', picture.clone().png(), true],
    ['PNG of few colours', picture.clone().png({ palette: true }), true],
    ['grey PNG', picture.clone().removeAlpha().greyscale().toColourspace('b-w').png(), false],
    ['JPEG', picture.clone().jpeg(), false],
    ['grey JPEG', picture.clone().greyscale().jpeg(), false],
  ])('has the logo, as a %s', async (_, image, isTransparent) => {
    const kept = await writeAnew(await image.toBuffer());
    if (isRefused(kept)) throw new Error(kept.refusal.message);
    const { width, height, bytes } = kept;
    const branded = {
      ...report,
      organisationLogo: { url: 'https://assay.example/logos/a/b', width, height },
    };
    const text = (await made(branded, bytes)).toString('latin1');
    expect(text).toMatch(/\/Subtype \/Image[^>]*\/Width 320\s+\/Height 96/);
    expect(text.includes('/SMask')).toBe(isTransparent);
    expect((await made(branded)).toString('latin1')).not.toContain('/Subtype /Image');
  });

  it('is tagged, has a title and a language, and is the same for the same report', async () => {
    const [first, second] = [await made(report), await made(report)];
    expect(first.equals(second)).toBe(true);
    const text = first.toString('latin1');
    for (const part of [
      '/Marked true',
      '/Lang (en)',
      '/DisplayDocTitle true',
      '(Assessment report: Engineer)',
    ])
      expect(text).toContain(part);
  });
});
