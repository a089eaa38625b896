import { excessOf } from '../../shared/text-limits.js';

/** A whole number within limits; `null`: the text is none. */
export const wholeIn = (
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | null => {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= minimum && value <= maximum ? value : null;
};

/**
 * Collects what keeps a draft from being saved, by the path in the body that the service would name, in the order of
 * the page.
 */
export class Problems<Problem extends string> {
  readonly found = new Map<string, Problem | 'name' | 'tooLong'>();

  /** The first problem of a field is the one that is told. */
  check(isRight: boolean, path: string, problem: Problem | 'name' | 'tooLong'): void {
    if (!isRight && !this.found.has(path)) this.found.set(path, problem);
  }

  /** A text that may be empty. */
  fits(text: string, path: string, limit: { readonly maxLength: number }): void {
    this.check(excessOf(text, limit) === 0, path, 'tooLong');
  }

  /** A text that may not be blank. */
  named(text: string, path: string, limit: { readonly maxLength: number }): void {
    this.check(text.trim() !== '', path, 'name');
    this.fits(text, path, limit);
  }
}

/** Which field a path of the body names: its name without places, and the place if it is in a list. */
export const fieldOf = (path: string): { readonly field: string; readonly index: number | null } => {
  const place = /\[(\d+)\]/.exec(path)?.[1];
  return { field: path.replace(/\[\d+\]/g, ''), index: place === undefined ? null : Number(place) };
};

interface FieldTexts {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly numbered: (field: string, number: number) => string;
}

/** What a path of the body is called on the page. */
export const nameOfField = (path: string, { fields, numbered }: FieldTexts): string => {
  const { field, index } = fieldOf(path);
  const name = fields[field] ?? path;
  return index === null ? name : numbered(name, index + 1);
};
