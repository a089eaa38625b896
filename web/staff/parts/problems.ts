import { excessOf } from '../../shared/text-limits.js';

/** A whole number within limits; `null`: the text is none. */
export const wholeIn = (
  text: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | null => {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= minimum && value <= maximum ? value : null;
};

/** Collects what keeps a draft from being saved, by the path in the body that the service would name, in the order of the page. */
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
