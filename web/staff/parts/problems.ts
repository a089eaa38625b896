import { excessOf } from '../../shared/text-limits.js';

/** The whole number of a text, both limits included; `null`: it is not a whole number, or outside of them. */
export const wholeIn = (
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | null => {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= minimum && value <= maximum ? value : null;
};

/**
 * Collects what keeps a draft from being saved, by the path in the body that the service would name, in the order of
 * the calls, which is that of the page. `name`: a text is blank; `tooLong`: it is longer than the service takes.
 */
export class Problems<Problem extends string> {
  readonly found = new Map<string, Problem | 'name' | 'tooLong'>();

  /** Adds the problem unless `isRight`. Of a field with several problems only the first is kept. */
  check(isRight: boolean, path: string, problem: Problem | 'name' | 'tooLong'): void {
    if (!isRight && !this.found.has(path)) this.found.set(path, problem);
  }

  /** Checks a text that may be empty. */
  fits(text: string, path: string, limit: { readonly maxLength: number }): void {
    this.check(excessOf(text, limit) === 0, path, 'tooLong');
  }

  /** Checks a text that may not be blank. */
  named(text: string, path: string, limit: { readonly maxLength: number }): void {
    this.check(text.trim() !== '', path, 'name');
    this.fits(text, path, limit);
  }
}

/** The field that a path of the body names, without indexes, and the first index; `null`: the path has none. */
export const fieldOf = (path: string): { readonly field: string; readonly index: number | null } => {
  const place = /\[(\d+)\]/.exec(path)?.[1];
  return { field: path.replace(/\[\d+\]/g, ''), index: place === undefined ? null : Number(place) };
};

interface FieldTexts {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly numbered: (field: string, number: number) => string;
}

/** The page's name of the field that a path of the body names. */
export const nameOfField = (path: string, { fields, numbered }: FieldTexts): string => {
  const { field, index } = fieldOf(path);
  const name = fields[field] ?? path;
  return index === null ? name : numbered(name, index + 1);
};
