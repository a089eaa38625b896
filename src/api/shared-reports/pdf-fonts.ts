import { create, type Font, type GlyphRun } from 'fontkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { codePointsOf, type Direction, GlyphVariants, mirrored, type Subset } from './glyph-variants.js';

/** `bold` is semi-bold, or `regular` in a family of one weight. */
export type Weight = 'regular' | 'bold';

const packages = createRequire(import.meta.url);

/**
 * The files of the fonts by family, in the order in which families are tried. One font in one weight has all that is
 * Chinese and Japanese: each further one would add 12 MB.
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
 * The scripts that may be set. The fonts have some letters of other scripts too, but how these join is not tested: such a
 * text is refused, since letters that are joined in a wrong way may read as another word.
 */
const SETTABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]+$/u;

/** Characters of no script are set in the font of the letters before them, apart from digits, which look alike everywhere. */
const FOLLOWS = /^[\p{Script=Common}\p{Script=Inherited}]+$/u;
const DIGIT = /\p{Nd}/u;

/** Invisible characters, which fonts may lack, apart from the joiners: those say how letters join. */
export const INVISIBLE = /[^\P{Default_Ignorable_Code_Point}\u200c\u200d]/gu;

/** A text has a character that no font here has, or letters that the font cannot join. */
export class UnsettableText extends Error {
  override readonly name = 'UnsettableText';
}

/**
 * Lays a text out by the rules of its font.
 * @throws {UnsettableText} fontkit fails on marks whose place the font does not give, as on some above Arabic letters
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

  /** The font, opened at the first use. It lays text out in the direction that `facing` was last called with. */
  get font(): Font {
    return (this.#opened ??= this.open());
  }

  /**
   * Sets the direction of `font`, since PDFKit lays text out without naming one: fontkit would take it from the first
   * letter, and set punctuation alone from left to right.
   */
  facing(direction: Direction): this {
    this.#direction = direction;
    return this;
  }

  /** Width of a text in em. */
  width(text: string, direction: Direction): number {
    const key = `${direction} ${text}`;
    const { font } = this.facing(direction);
    const width = this.#widths.get(key) ?? font.layout(text).advanceWidth / font.unitsPerEm;
    this.#widths.set(key, width);
    return width;
  }

  /** Whether the font has all characters of the text, joiners apart. */
  has(cluster: string): boolean {
    return codePointsOf(cluster.replaceAll(/[\u200c\u200d]/g, '')).every((one) =>
      this.font.hasGlyphForCodePoint(one),
    );
  }

  /** Reads the font’s file. It blocks, so reports are set in a thread. */
  private open(): Font {
    const opened = create(readFileSync(this.path()));
    if ('fonts' in opened) throw new TypeError(`${this.name} is a collection of fonts.`);
    const variants = new GlyphVariants();
    const getGlyph = opened.getGlyph.bind(opened);
    // fontkit caches a glyph with the text that it was first asked for.
    opened.getGlyph = (glyph, codePoints = []) =>
      Object.create(getGlyph(glyph), { codePoints: { value: codePoints } }) as ReturnType<typeof getGlyph>;
    const layout: Font['layout'] = (text, features) => {
      const direction = this.#direction;
      const shown = direction === 'rtl' ? mirrored(text) : text;
      return variants.numbered(shaped(opened, shown, features, direction), direction);
    };
    const createSubset = (): Subset => variants.taking(opened.createSubset() as unknown as Subset);
    return Object.assign(Object.create(opened) as Font, { layout, createSubset });
  }
}

/** All fonts, none of them opened. */
export class Faces {
  readonly #faces = new Map<string, Face>();

  /** The face of a family in a weight; in the regular one if the family has no other. */
  face(family: Family, weight: Weight): Face {
    const files: Partial<Record<Weight, () => string>> = FILES[family];
    const [name, path] = [`${family}-${files[weight] ? weight : 'regular'}`, files[weight]];
    const face = this.#faces.get(name) ?? new Face(name, family, path ?? FILES[family].regular);
    this.#faces.set(name, face);
    return face;
  }

  /**
   * The font for what a reader sees as one character: a letter with its marks and joiners.
   * @param before the font of the character before it
   * @returns `null`: no font has all of it
   */
  faceFor(cluster: string, weight: Weight, before: Face | null): Face | null {
    if (!SETTABLE.test(cluster)) return null;
    if (before && FOLLOWS.test(cluster) && !DIGIT.test(cluster) && before.has(cluster)) return before;
    return FAMILIES.map((family) => this.face(family, weight)).find((face) => face.has(cluster)) ?? null;
  }
}
