import { BrokenCsv, isText, readCsv, type ReadRow } from '../../application/csv.js';
import type { CheckedRow } from '../../application/imports/begin-import.js';
import { normaliseEmail } from '../../core/email-address.js';
import { parseExpiry } from '../../domain/candidate/expiry.js';
import { ApiError, type ErrorDetail, validationFailed } from '../../http/api-error.js';
import { validated } from '../../http/validation/validate.js';
import { inputOf, InviteCandidateDto } from '../applications/invitation-bodies.js';
import { APPLICATION_COLUMNS } from '../data-exports/columns.js';

/** Maximum number of rows of an import. */
export const MAX_ROWS = 500;

/** The columns that are read, as an invitation names its fields. */
export const IMPORT_COLUMNS: readonly string[] = [
  'candidateEmail',
  'candidateName',
  'externalId',
  'language',
  'expiresAt',
];

/** An export of applications can be imported unchanged: its other columns are ignored. */
const PASSED_OVER = APPLICATION_COLUMNS.map(({ name }) => name);

/** The character that replaces a letter if a file in another encoding was read as UTF-8. */
const LOST = '\uFFFD';
const LOST_SENTENCE = `has letters that were lost (${LOST}): save the file as UTF-8 and read it as UTF-8.`;

/** How many faults an answer names. */
const MAX_DETAILS = 50;

/** The rows of a CSV, and the faults that they have by now and may not have had before: of times that have passed. */
export interface CheckedRows {
  readonly rows: readonly CheckedRow[];
  readonly passed: readonly ErrorDetail[];
}

/**
 * The rows of a CSV, each checked as an invitation.
 * @param now RFC 3339 in UTC, with milliseconds
 * @throws {ApiError} `validation_failed`, with every fault by row and column, if any of them will always be one
 */
export const checkedRows = (csv: string, now: string): CheckedRows => {
  const { header, rows } = readOrRefuse(csv);
  const names = header.map((name) => name.trim());
  const faults = [...headerFaults(names)];
  if (faults.length === 0 && (rows.length === 0 || rows.length > MAX_ROWS))
    faults.push(ofFile('rows', `An import has 1 to ${MAX_ROWS} rows below its header, not ${rows.length}.`));
  if (faults.length > 0) throw validationFailed(faults);
  const checked: CheckedRow[] = [];
  const firstWith = new Map<string, number>();
  for (const one of rows) {
    const row = checkedRow(one, names);
    if (!('content' in row)) {
      faults.push(...row);
      continue;
    }
    const passed = passedExpiry(row, now);
    if (passed) {
      faults.push(passed);
      checked.push(row);
      continue;
    }
    const address = normaliseEmail(row.content.email);
    const first = firstWith.get(address);
    if (first !== undefined)
      faults.push(ofCell(one.row, 'candidateEmail', 'unique', `row ${first} has this address already.`));
    firstWith.set(address, first ?? one.row);
    checked.push(row);
  }
  if (faults.some(({ rule }) => rule !== PASSED)) throw validationFailed(shortened(faults));
  return { rows: checked, passed: shortened(faults) };
};

/** The rule of a time that has passed. */
const PASSED = 'future';

/** The fault of a row whose session would have expired by now; `null`: it has none. */
const passedExpiry = ({ row, content: { expiresAt } }: CheckedRow, now: string): ErrorDetail | null => {
  const expiry = expiresAt === null ? null : parseExpiry(expiresAt, now);
  if (!expiry || !('problem' in expiry)) return null;
  const { path, message } = expiry.problem;
  return ofCell(row, path, PASSED, withoutName(path, message));
};

const readOrRefuse = (csv: string): ReturnType<typeof readCsv> => {
  try {
    return readCsv(csv);
  } catch (error) {
    if (error instanceof BrokenCsv) throw validationFailed([ofFile('csv', error.message)]);
    throw error;
  }
};

const headerFaults = (names: readonly string[]): readonly ErrorDetail[] => {
  if (!names.includes('candidateEmail'))
    return [
      ofFile('header', `Row 1 must name the columns: candidateEmail, and any of ${others.join(', ')}.`),
    ];
  return names.flatMap((name, at) => {
    if (names.indexOf(name) !== at && name !== '')
      return [ofCell(1, name, 'unique', 'a column has this name already.')];
    const isKnown = name === '' || IMPORT_COLUMNS.includes(name) || PASSED_OVER.includes(name);
    return isKnown ? [] : [ofCell(1, name, 'header', `unknown column. Known: ${IMPORT_COLUMNS.join(', ')}.`)];
  });
};

const others = IMPORT_COLUMNS.filter((name) => name !== 'candidateEmail');

const checkedRow = (
  { row, cells }: ReadRow,
  names: readonly string[],
): CheckedRow | readonly ErrorDetail[] => {
  const lossy = names.filter((name, at) => IMPORT_COLUMNS.includes(name) && cells[at]?.includes(LOST));
  if (lossy.length > 0) return lossy.map((name) => ofCell(row, name, 'encoding', LOST_SENTENCE));
  const strayed = cells.findIndex((cell, at) => isText(cell) && !isText(names[at] ?? ''));
  if (strayed !== -1)
    return [ofCell(row, `${strayed + 1}`, 'header', `field ${strayed + 1} has no column in row 1.`)];
  const given = names.flatMap((name, at): [string, string][] => {
    const cell = cells[at] ?? '';
    // An empty field counts as not given.
    return IMPORT_COLUMNS.includes(name) && isText(cell) ? [[name, cell]] : [];
  });
  try {
    const content = inputOf(validated(InviteCandidateDto, Object.fromEntries(given)));
    return { row, content };
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    return error.details.map(({ path, rule, message }) =>
      ofCell(row, path, rule, withoutName(path, message)),
    );
  }
};

/** A sentence about a field, without the field's name at its beginning. */
const withoutName = (path: string, message: string): string =>
  message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;

/** A fault of the whole file. */
const ofFile = (rule: string, message: string): ErrorDetail => ({ path: 'csv', rule, message });

/** A fault of a field. @param column its name, or its number if it has none */
const ofCell = (row: number, column: string, rule: string, what: string): ErrorDetail => ({
  path: `rows[${row}].${column}`,
  rule,
  message: `Row ${row}, ${column}: ${what}`,
});

const shortened = (faults: readonly ErrorDetail[]): readonly ErrorDetail[] =>
  faults.length <= MAX_DETAILS
    ? faults
    : [
        ...faults.slice(0, MAX_DETAILS),
        ofFile('more', `${faults.length - MAX_DETAILS} more faults are not named here.`),
      ];
