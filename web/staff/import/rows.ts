import type { AssayError } from '../../../packages/client/src/index.js';
import type { ImportTexts } from '../../../src/languages/en/console-import.js';
import { faultOf } from '../parts/sentences.js';

/** Largest CSV of a request, in bytes. */
export const MAX_BYTES = 256 * 1024;
/** How many checked rows are shown at most. */
export const MAX_SHOWN = 50;

/** A fault of a file, from the service's answer. */
export interface Fault {
  /** Counted as spreadsheet programs do; `null`: the fault is of the whole file. */
  readonly row: number | null;
  /** The column's name, or its number if it has none. */
  readonly column: string | null;
  /** The service's code of what is wrong, such as `email`. */
  readonly rule: string;
  /** The service's own sentence, without the row and the column. */
  readonly sentence: string;
}

/** The faults of a file, in the order of its rows. @param details of the answer to an import or a check of one */
export const faultsOf = (details: AssayError['details']): readonly Fault[] =>
  details
    .map(({ path, rule, message }): Fault => {
      const [, row, column] = /^rows\[(\d+)\]\.(.+)$/s.exec(path) ?? [];
      if (row === undefined || column === undefined)
        return { row: null, column: null, rule, sentence: message };
      const prefix = `Row ${row}, ${column}: `;
      const sentence = message.startsWith(prefix) ? message.slice(prefix.length) : message;
      return { row: Number(row), column, rule, sentence };
    })
    .sort((a, b) => (a.row ?? 0) - (b.row ?? 0));

/** How many faults a file has: the service names the first ones, and counts the others in one more. */
export const countOf = (faults: readonly Fault[]): number =>
  faults.reduce((sum, { rule, sentence }) => sum + (rule === 'more' ? parseInt(sentence) : 1), 0);

/** What a fault means, in the language of the texts; `null`: its rule has no text. */
export const faultText = (
  { row, rule, sentence }: Fault,
  { rules, headerRules, fileRules }: Pick<ImportTexts, 'rules' | 'headerRules' | 'fileRules'>,
): string | null => {
  const byRule = row === null ? fileRules : row === 1 ? headerRules : rules;
  return byRule[rule] === undefined ? null : faultOf({ path: '', rule, message: sentence }, { byRule });
};

/**
 * The text of a file; `null`: it is neither text in UTF-8 nor text in UTF-16 with a byte order mark, as Excel writes its
 * “Unicode Text”, or it contains a NUL.
 */
export const textOf = (bytes: Uint8Array): string | null => {
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
};
