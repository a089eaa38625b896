import bidiFactory from 'bidi-js';
import type { GlyphRun } from 'fontkit';

/** In which direction letters follow each other. */
export type Direction = 'ltr' | 'rtl';

/** The Unicode bidirectional algorithm. The library's types are those of an ES module, which it is not. */
export const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** The text as it is drawn from right to left: its brackets open to the other side. `mirrored(mirrored(text))` is `text`. */
export const mirrored = (text: string): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');

/** The code points of a text. */
export const codePointsOf = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) ?? 0);

/** The number of the first variant: no glyph of a font has one as large. */
const FIRST_VARIANT = 2 ** 20;

/** What fontkit's subsets have beyond its types. */
export interface Subset {
  /** The glyphs' numbers in the font, in their order; the subset is encoded from these. */
  readonly glyphs: number[];
  includeGlyph(glyph: number): number;
}

/**
 * The glyphs of one font, each embedded once for each text that it is drawn for. Letters can share a glyph (dotless Arabic
 * letters, digits, mirrored brackets): embedded once, they would be the same letter when the PDF is searched, copied or
 * read aloud.
 *
 * There is no public way to do that. A subset of fontkit takes each glyph once; PDFKit gives each glyph of a subset the
 * text that it had first; and several readers, among them those of browsers, ignore `ActualText`. So each variant of a
 * glyph gets a number that no glyph has. A subset takes these numbers, and the glyph's own number is written into the list
 * from which the subset is encoded. If a release of fontkit changes that list, the tests fail that read a PDF's text.
 */
export class GlyphVariants {
  readonly #numbers = new Map<string, number>();
  readonly #glyphs: number[] = [];

  /** The same run, with the numbers of variants in place of those of glyphs. */
  numbered(run: GlyphRun, direction: Direction): GlyphRun {
    const glyphs = run.glyphs.map(({ id, codePoints, advanceWidth }) => {
      const text = String.fromCodePoint(...codePoints);
      const read = codePointsOf(direction === 'rtl' ? mirrored(text) : text);
      return { id: this.#numberOf(id, read.join()), codePoints: read, advanceWidth };
    });
    // PDFKit uses these three members of a glyph.
    return Object.assign(run, { glyphs: glyphs as unknown as GlyphRun['glyphs'] });
  }

  /** The same subset, which from now on takes the numbers of variants. */
  taking(subset: Subset): Subset {
    const include = subset.includeGlyph.bind(subset);
    return Object.assign(subset, {
      includeGlyph: (number: number): number => {
        const index = include(number);
        const glyph = this.#glyphs[number - FIRST_VARIANT];
        if (glyph !== undefined) subset.glyphs[index] = glyph;
        return index;
      },
    });
  }

  #numberOf(glyph: number, text: string): number {
    const key = `${glyph}:${text}`;
    const number = this.#numbers.get(key) ?? FIRST_VARIANT + this.#glyphs.push(glyph) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
