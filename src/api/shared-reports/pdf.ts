import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { Faces } from './pdf-fonts.js';
import type { SharedReport } from './report.js';
import { type SetText, setText, type Style } from './typesetting.js';
import { drawnScore, momentIn, shownLogo, WORDS } from './words.js';

/** What a PDF is made of. */
export interface PdfOrder {
  readonly report: SharedReport;
  /** The picture of the organisation's logo, as PNG or JPEG; `null`: it has none. */
  readonly logo: Uint8Array | null;
}

/** What the thread that makes a PDF answers; `unsettable`: the report has a text that cannot be set. */
export type MadePdf = { readonly kind: 'made'; readonly pdf: Uint8Array } | { readonly kind: 'unsettable' };

/** The page in points: A4, with the margins of the printed page. */
const PAGE = { width: 595.28, height: 841.89, side: 56, top: 60, bottom: 72 } as const;
const WIDTH = PAGE.width - 2 * PAGE.side;
const COLOURS = {
  ink: '#000000',
  soft: '#444444',
  line: '#bbbbbb',
  track: '#dddddd',
  accent: '#1f4fa3',
  good: '#17663a',
  bad: '#9b2c2c',
} as const;
/** Points of a CSS pixel. */
const PIXEL = 0.75;
type Colour = keyof typeof COLOURS;

const SMALL: Style = { size: 9, weight: 'regular' };
const TEXT: Style = { size: 11, weight: 'regular' };
const STRONG: Style = { size: 11, weight: 'bold' };
const HEADING: Style = { size: 13, weight: 'bold' };
const TITLE: Style = { size: 22, weight: 'bold' };
const FIGURE: Style = { size: 26, weight: 'bold' };
/** Distance of lines, in font sizes. */
const LEADING = 1.45;
/** From a line's top to its baseline, in font sizes. */
const FOOT = 1.1;

/** The width in points that is kept free for the figure of a dimension. */
const FIGURE_WIDTH = 44;
const RING = { radius: 37, width: 7 } as const;

/** PDFKit has it, and its types do not. */
const ACCESSIBLE = 'PDF/UA' as string as PDFKit.Mixins.PDFSubsets;

type Element = ReturnType<PDFKit.PDFDocument['struct']>;

/** Where and how a text is drawn. */
interface Place {
  readonly x?: number;
  readonly width?: number;
  readonly colour?: Colour;
  /** Names on a line of their own are aligned with the beginning of lines in their language. */
  readonly isAligned?: boolean;
}

/** Draws from top to bottom, and begins a page once one is full. */
class Sheet {
  readonly faces = new Faces();
  readonly doc: PDFKit.PDFDocument;
  y: number = PAGE.top;
  /** Drawn at the top of each further page; `null`: nothing is. */
  heading: string | null = null;

  constructor(title: string, made: Date) {
    this.doc = new PDFDocument({
      ...{ size: 'A4', margin: 0, lang: 'en', pdfVersion: '1.7', subset: ACCESSIBLE },
      ...{ tagged: true, displayTitle: true, bufferPages: true },
      // None of the fonts that every PDF reader has: they have no Arabic.
      font: '',
      info: { Title: title, CreationDate: made },
    });
  }

  readonly #set = new Map<string, SetText>();

  /** A text in lines, set once however often it is asked for. @throws {UnsettableText} no font has it */
  set(text: string, style: Style, width: number = WIDTH): SetText {
    const key = `${style.weight} ${style.size} ${width} ${text}`;
    const set = this.#set.get(key) ?? setText(text, style, width, this.faces);
    this.#set.set(key, set);
    return set;
  }

  /** Begins a page unless there is room of that height, in points. */
  ensure(height: number): void {
    if (this.y + height <= PAGE.height - PAGE.bottom) return;
    this.doc.addPage();
    this.y = PAGE.top;
    if (this.heading === null) return;
    this.decorate(
      () => this.draw(this.set(this.heading ?? '', SMALL), SMALL, { colour: 'soft' }),
      'Pagination',
    );
    this.y += 10;
  }

  /** Draws what screen readers pass over. */
  decorate(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.doc.markContent('Artifact', { type });
    draw();
    this.doc.endMarkedContent();
  }

  /** Adds an element with a text, line by line. */
  write(parent: Element, type: string, text: string, style: Style, place: Place = {}): void {
    const set = this.set(text, style, place.width);
    // On the element and not on the page's text: readers that reorder the latter would reorder it twice.
    const isReordered = set.lines.some((line) => line.isReordered);
    const element = this.doc.struct(type, isReordered ? { actual: set.text } : {});
    parent.add(element);
    for (const line of set.lines) {
      this.ensure(style.size * LEADING);
      element.add(() => this.draw({ ...set, lines: [line] }, style, place));
    }
    element.end();
  }

  /** Draws a text that was set, and moves below it. */
  draw({ lines, direction }: SetText, style: Style, place: Place = {}): void {
    const { x = PAGE.side, width = WIDTH, colour = 'ink', isAligned = false } = place;
    for (const line of lines) {
      const foot = this.y + style.size * FOOT;
      let at = isAligned && direction === 'rtl' ? x + width - line.width : x;
      for (const piece of line.pieces) {
        const { face } = piece;
        // PDFKit takes an opened font, which its types do not say.
        this.doc.registerFont(face.name, face.facing(piece.direction).font as unknown as ArrayBuffer);
        this.doc.font(face.name, style.size).fillColor(COLOURS[colour]);
        // Features, even none: without any PDFKit would place word after word from left to right.
        this.doc.text(piece.text, at, foot, { lineBreak: false, baseline: 'alphabetic', features: [] });
        at += piece.width;
      }
      this.y += style.size * LEADING;
    }
  }

  /** Draws a logo. The organisation's name is below it. */
  logo(picture: Uint8Array, size: { readonly width: number; readonly height: number }): void {
    const [width, height] = [size.width * PIXEL, size.height * PIXEL];
    this.decorate(() => this.doc.image(Buffer.from(picture), PAGE.side, this.y, { width, height }));
    this.y += height + 14;
  }

  /** Draws a line across the page. */
  rule(): void {
    this.decorate(() => {
      const end = PAGE.side + WIDTH;
      this.doc.lineWidth(0.75).moveTo(PAGE.side, this.y).lineTo(end, this.y).stroke(COLOURS.line);
    });
  }

  /** Numbers the pages. Called last. */
  number(): void {
    const { count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.doc.switchToPage(page);
      this.y = PAGE.height - PAGE.bottom + 28;
      const set = this.set(`Page ${page + 1} of ${count}`, SMALL);
      const x = PAGE.side + WIDTH - (set.lines[0]?.width ?? 0);
      this.decorate(() => this.draw(set, SMALL, { x, colour: 'soft' }), 'Pagination');
    }
  }
}

/**
 * A report as a PDF, tagged for screen readers. Of the same report it has the same bytes.
 * @throws {UnsettableText} it has a text that cannot be set
 */
export const reportPdf = async ({ report, logo }: PdfOrder): Promise<Uint8Array> => {
  const sheet = new Sheet(WORDS.title(report), new Date(report.generatedAt));
  const { doc } = sheet;
  const bytes = buffer(doc);
  const root = doc.struct('Document');
  doc.addStructure(root);
  const moment = (instant: string): string => momentIn(instant, report.timeZone);
  const soft = { colour: 'soft', isAligned: false } as const;

  const { organisationLogo } = report;
  if (logo && organisationLogo) sheet.logo(logo, shownLogo(organisationLogo));
  sheet.write(root, 'P', WORDS.kind, SMALL, soft);
  sheet.write(root, 'H1', report.roleName, TITLE, { isAligned: true });
  sheet.write(root, 'P', report.organisationName, TEXT, { isAligned: true });
  if (report.label !== null) sheet.write(root, 'P', report.label, STRONG, { isAligned: true });
  sheet.write(root, 'P', WORDS.generated(moment(report.generatedAt)).join(''), TEXT, soft);
  overall(sheet, report, root);

  sheet.write(root, 'H2', WORDS.scores, HEADING);
  sheet.heading = `${WORDS.scores} (continued)`;
  if (report.scores.length === 0) sheet.write(root, 'P', WORDS.noScores, TEXT, soft);
  else scores(sheet, report.scores, root);
  sheet.heading = null;

  sheet.ensure(4 * SMALL.size * LEADING);
  sheet.y += 14;
  sheet.rule();
  sheet.y += 10;
  sheet.write(root, 'P', WORDS.purpose, SMALL, soft);
  sheet.write(root, 'P', WORDS.expires(moment(report.expiresAt)).join(''), SMALL, soft);
  root.end();
  sheet.number();
  doc.end();
  return new Uint8Array(await bytes);
};

const overall = (sheet: Sheet, report: SharedReport, root: Element): void => {
  const { doc } = sheet;
  const { radius, width } = RING;
  const height = 2 * radius + width + 36;
  sheet.ensure(height);
  sheet.y += 14;
  sheet.rule();
  const top = sheet.y + 14;
  const [x, y] = [PAGE.side + radius + width / 2, top + radius + width / 2];
  const picture = doc.struct('Figure', { alt: WORDS.picture(report) }, () => {
    doc.lineWidth(width).circle(x, y, radius).stroke(COLOURS.track);
    arc(doc, x, y, report.overallScore ?? 0);
    for (const [text, style, down] of [
      [WORDS.figure(report), FIGURE, -22],
      [WORDS.outOf, SMALL, 10],
    ] as const) {
      const set = sheet.set(text, style);
      sheet.y = y + down;
      sheet.draw(set, style, {
        x: x - (set.lines[0]?.width ?? 0) / 2,
        colour: text === WORDS.outOf ? 'soft' : 'ink',
      });
    }
  });
  root.add(picture);
  const beside = { x: PAGE.side + 2 * radius + width + 24, width: WIDTH - 2 * radius - width - 24 };
  const colour = report.passed === null ? 'soft' : report.passed ? 'good' : 'bad';
  sheet.y = top + 8;
  sheet.write(root, 'H2', WORDS.overall, HEADING, beside);
  sheet.write(root, 'P', WORDS.verdict(report), STRONG, { ...beside, colour });
  const passes = WORDS.passesAt(report);
  if (passes !== '') sheet.write(root, 'P', passes, TEXT, { ...beside, colour: 'soft' });
  sheet.y = top + 2 * radius + width + 14;
  sheet.rule();
  sheet.y += 20;
};

/** Draws the arc of a score, from the top, clockwise. None for 0: the round cap would show a dot. */
const arc = (doc: PDFKit.PDFDocument, x: number, y: number, score: number): void => {
  const part = drawnScore(score) / 100;
  if (part === 0) return;
  const { radius, width } = RING;
  doc.lineWidth(width).lineCap('round').strokeColor(COLOURS.accent);
  // A whole circle has no beginning from which an arc could be drawn.
  if (part === 1) doc.circle(x, y, radius).stroke();
  else {
    const end = 2 * Math.PI * part - Math.PI / 2;
    const [toX, toY] = [x + radius * Math.cos(end), y + radius * Math.sin(end)];
    doc.path(`M ${x} ${y - radius} A ${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${toX} ${toY}`).stroke();
  }
  doc.lineCap('butt');
};

type Score = SharedReport['scores'][number];

const scores = (sheet: Sheet, all: readonly Score[], root: Element): void => {
  const list = sheet.doc.struct('L');
  root.add(list);
  for (const score of all) {
    const [item, body] = [sheet.doc.struct('LI'), sheet.doc.struct('LBody')];
    list.add(item.add(body));
    dimension(sheet, score, body);
  }
};

const dimension = (sheet: Sheet, score: Score, body: Element): void => {
  const { doc } = sheet;
  const width = WIDTH - FIGURE_WIDTH;
  const { dimensionName, dimensionCategory, caveat } = score;
  const lines = (text: string, style: Style): number =>
    sheet.set(text, style, width).lines.length * style.size * LEADING;
  const below = caveat === null ? 0 : lines(caveat, SMALL);
  sheet.ensure(lines(dimensionName, STRONG) + lines(dimensionCategory, SMALL) + below + 24);
  const top = sheet.y;
  sheet.write(body, 'Span', dimensionName, STRONG, { width });
  sheet.write(body, 'Span', dimensionCategory, SMALL, { width, colour: 'soft' });
  const end = sheet.y;
  const figure = sheet.set(`${score.score}`, STRONG);
  sheet.y = top;
  const x = PAGE.side + WIDTH - (figure.lines[0]?.width ?? 0);
  body.add(doc.struct('Span', {}, () => sheet.draw(figure, STRONG, { x })));
  sheet.y = end + 4;
  sheet.decorate(() => {
    doc.roundedRect(PAGE.side, sheet.y, WIDTH, 5, 2.5).fill(COLOURS.track);
    const filled = (WIDTH * drawnScore(score.score)) / 100;
    if (filled > 0)
      doc.roundedRect(PAGE.side, sheet.y, filled, 5, Math.min(2.5, filled / 2)).fill(COLOURS.accent);
  });
  sheet.y += 9;
  if (caveat !== null) sheet.write(body, 'Span', caveat, SMALL, { width, colour: 'soft' });
  body.end();
  sheet.y += 11;
};
