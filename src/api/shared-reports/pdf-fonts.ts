import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import bidiFactory from 'bidi-js';
import { create, type Font, type GlyphRun } from 'fontkit';

export type Weight = 'regular' | 'bold';
export type Direction = 'ltr' | 'rtl';

const packages = createRequire(import.meta.url);

/**
 * Where the fonts are, by their names, in the order in which they are tried. One font has all that is Chinese and
 * Japanese, in one weight: each further one would add 12 MB.
 */
const FILES = {
  latin: {
    regular: () => packages.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    bold: () => packages.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  },
  arabic: {
    regular: () =>
      packages.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    bold: () =>
      packages.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
  },
  hebrew: {
    regular: () =>
      packages.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    bold: () =>
      packages.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
  },
  han: {
    regular: () =>
      packages.resolve(
        '@expo-google-fonts/chocolate-classical-sans/400Regular/ChocolateClassicalSans_400Regular.ttf',
      ),
  },
} as const;
type Family = keyof typeof FILES;
const FAMILIES = Object.keys(FILES) as readonly Family[];

/**
 * What may be set. The fonts have some letters of other scripts too, whose rules for joining letters are not tried here:
 * such a text is refused, since a wrong one may read as another word.
 */
const SETTABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]+$/u;

/** What belongs to no script, and is set like the letters before it. Digits are set alike everywhere. */
const FOLLOWS = /^[\p{Script=Common}\p{Script=Inherited}]+$/u;
const DIGIT = /\p{Nd}/u;

/** Joiners say how letters join; all else that is invisible takes no place, and may be missing in a font. */
export const INVISIBLE = /[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/gu;

/** A text has a character that no font has, or letters that cannot be joined here. */
export class UnsettableText extends Error {
  override readonly name = 'UnsettableText';
}

/** The Unicode bidirectional algorithm. Its types describe an ES module, and it is none. */
export const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** Brackets open to the other side from right to left. Twice, it is the text itself. */
const mirrored = (text: string): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');

const codePointsOf = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) ?? 0);

/** Above every number of a glyph in a font. */
const VARIANTS = 2 ** 20;

/** What fontkit has of a subset, beyond its types: the numbers of the glyphs in it, in their order, before it is encoded. */
interface Subset {
  readonly glyphs: number[];
  includeGlyph(glyph: number): number;
}

/**
 * Embeds a glyph once for each text that it stands for: letters that share a shape (dotless Arabic letters, digits,
 * mirrored brackets) could not be told apart otherwise when the PDF is searched, copied or read aloud.
 *
 * No public way leads there. A subset of fontkit takes a glyph once, whatever it is asked; PDFKit gives each glyph of a
 * subset the one text that it had first; and `ActualText` around letters is left aside by several readers, among them
 * those of browsers. So a subset takes a number that no glyph has, and the glyph's own is put in its place, in the list
 * from which it is encoded. A release that changes that list fails the tests that read the text out of a PDF.
 */
class Variants {
  readonly #numbers = new Map<string, number>();
  readonly #glyphs: number[] = [];

  /** The same run, its glyphs numbered by shape and text. */
  of(run: GlyphRun, direction: Direction): GlyphRun {
    const glyphs = run.glyphs.map(({ id, codePoints, advanceWidth }) => {
      const text = String.fromCodePoint(...codePoints);
      const read = codePointsOf(direction === 'rtl' ? mirrored(text) : text);
      return { id: this.number(id, read.join()), codePoints: read, advanceWidth };
    });
    // What PDFKit uses of a glyph.
    return Object.assign(run, { glyphs: glyphs as unknown as GlyphRun['glyphs'] });
  }

  /** A subset that takes these numbers. */
  in(subset: Subset): Subset {
    const include = subset.includeGlyph.bind(subset);
    return Object.assign(subset, {
      includeGlyph: (number: number): number => {
        const index = include(number);
        const glyph = this.#glyphs[number - VARIANTS];
        if (glyph !== undefined) subset.glyphs[index] = glyph;
        return index;
      },
    });
  }

  private number(glyph: number, text: string): number {
    const key = `${glyph}:${text}`;
    const number = this.#numbers.get(key) ?? VARIANTS + this.#glyphs.push(glyph) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

/**
 * Lays a text out by the rules of its font.
 * @throws {UnsettableText} it cannot: fontkit fails on marks for which a font names no place, as on some above Arabic letters
 */
const shaped = (
  font: Font,
  text: string,
  features: Parameters<Font['layout']>[1],
  direction: Direction,
): GlyphRun => {
  try {
    return font.layout(text, features, undefined, undefined, direction);
  } catch {
    throw new UnsettableText('The letters of the text cannot be joined.');
  }
};

/** A font in one weight. */
export class Face {
  readonly #widths = new Map<string, number>();
  #opened: Font | null = null;
  #direction: Direction = 'ltr';

  constructor(
    readonly name: string,
    readonly family: Family,
    private readonly path: () => string,
  ) {}

  /** The font, opened when it is first asked for. It lays text out in the direction of the last call of `turn`. */
  get font(): Font {
    return (this.#opened ??= this.open());
  }

  /** By its own rules a font would take the direction from the first letter, and punctuation alone from left to right. */
  turn(direction: Direction): this {
    this.#direction = direction;
    return this;
  }

  /** Width of a text in em. */
  width(text: string, direction: Direction): number {
    const key = `${direction} ${text}`;
    const { font } = this.turn(direction);
    const width = this.#widths.get(key) ?? font.layout(text).advanceWidth / font.unitsPerEm;
    this.#widths.set(key, width);
    return width;
  }

  has(cluster: string): boolean {
    return codePointsOf(cluster.replaceAll(/[\u200c\u200d]/g, '')).every((one) =>
      this.font.hasGlyphForCodePoint(one),
    );
  }

  private open(): Font {
    const opened = create(readFileSync(this.path()));
    if ('fonts' in opened) throw new TypeError(`${this.name} is a collection of fonts.`);
    const variants = new Variants();
    const shape = opened.getGlyph.bind(opened);
    // fontkit keeps a glyph with the text that it first stood for.
    opened.getGlyph = (glyph, codePoints = []) =>
      Object.create(shape(glyph), { codePoints: { value: codePoints } }) as ReturnType<typeof shape>;
    const layout: Font['layout'] = (text, features) => {
      const direction = this.#direction;
      const shown = direction === 'rtl' ? mirrored(text) : text;
      return variants.of(shaped(opened, shown, features, direction), direction);
    };
    const createSubset = (): Subset => variants.in(opened.createSubset() as unknown as Subset);
    return Object.assign(Object.create(opened) as Font, { layout, createSubset });
  }
}

/** All fonts, none of them opened. */
export class Faces {
  readonly #faces = new Map<string, Face>();

  face(family: Family, weight: Weight): Face {
    const files: Partial<Record<Weight, () => string>> = FILES[family];
    const [name, path] = [`${family}-${files[weight] ? weight : 'regular'}`, files[weight]];
    const face = this.#faces.get(name) ?? new Face(name, family, path ?? FILES[family].regular);
    this.#faces.set(name, face);
    return face;
  }

  /**
   * The font for what is one character to its reader: it has all of it, marks and joiners included.
   * @param before the font of what stands before it
   * @returns `null`: none has
   */
  for(cluster: string, weight: Weight, before: Face | null): Face | null {
    if (!SETTABLE.test(cluster)) return null;
    if (before && FOLLOWS.test(cluster) && !DIGIT.test(cluster) && before.has(cluster)) return before;
    return FAMILIES.map((family) => this.face(family, weight)).find((face) => face.has(cluster)) ?? null;
  }
}
