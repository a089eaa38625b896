import type { Finding, Report } from '../../engine/documents/comparison.js';
import { CannotFold, GenerationGone } from '../../engine/documents/reading.js';
import { answer, counted, type Screen, screenFor } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable } from '../cli/program.js';

/** One comparison of a view's documents. */
export interface Compared {
  readonly view: string;
  readonly report: Report<string>;
  /** What was compared: the beginning of the text for people. */
  readonly title: string;
  readonly sides: Sides;
  /** What was compared: further fields of the JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A view whose documents could not be compared, and why. */
interface NotCompared {
  readonly view: string;
  readonly problem: string;
}

/**
 * Compares views one after the other and prints each result, as JSON all of them at the end.
 * @param several prints a list in JSON, even of one view, and continues after a view that cannot be compared
 * @throws {OperatorError} something differs, or could not be compared
 * @throws {Interrupted} the operator ended the comparison
 */
export const compareAll = async (
  views: readonly string[],
  { json, several }: { readonly json: true | undefined; readonly several: boolean },
  compare: (view: string, screen: Screen, signal: AbortSignal) => Promise<Compared>,
): Promise<void> => {
  const screen = screenFor(json);
  const all: Compared[] = [];
  const failed: NotCompared[] = [];
  for (const view of views) {
    try {
      const compared = await stoppable((signal) => guarded(signal, () => compare(view, screen, signal)));
      all.push(compared);
      if (!json) answer(json, null, () => reportLines(compared.title, compared.report, compared.sides));
    } catch (error) {
      if (!several || !(error instanceof OperatorError) || error instanceof Interrupted) throw error;
      failed.push({ view, problem: error.message });
    }
  }
  const values = [...all.map(({ view, fields, report }) => ({ view, ...fields, ...report })), ...failed];
  if (json) answer(json, several ? values : values[0], () => []);
  const different = all.reduce((sum, { report }) => sum + report.different, 0);
  const compared = all.reduce((sum, { report }) => sum + report.compared, 0);
  const problems = [
    ...(different > 0 ? [`${different} of ${counted(compared, 'document')} differ.`] : []),
    ...failed.map(({ problem }) => problem),
  ];
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
};

/** Gives the errors that a comparison ends with a sentence for the operator. */
const guarded = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new Interrupted('Interrupted: the comparison has not ended.');
    if (error instanceof CannotFold || error instanceof GenerationGone)
      throw new OperatorError(error.message, { cause: error });
    throw error;
  }
};

/** What two sides of a comparison are called. */
interface Sides {
  readonly left: string;
  readonly right: string;
}

/** A comparison in lines: the count, the first documents that differ and where, and how many there are besides. */
export const reportLines = (title: string, report: Report<string>, sides: Sides): readonly string[] => {
  const { compared, different, kinds, moving, first } = report;
  const counts = Object.entries(kinds).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
  const result = different === 0 ? 'all alike' : counts.join(', ');
  const rest = different - first.length;
  return [
    `${title}: ${counted(compared, 'document')} compared, ${result}.`,
    ...first.flatMap((finding) => findingLines(finding, sides)),
    ...(rest > 0 ? [`  … and ${rest} more.`] : []),
    ...(moving > 0 ? [`  ${counted(moving, 'document')} changed faster than they could be compared.`] : []),
  ];
};

const findingLines = (
  { id, kind, fields, more, note }: Finding<string>,
  { left, right }: Sides,
): readonly string[] => [
  `  ${id}  ${kind}${note === null ? '' : `: ${note}`}`,
  ...fields.map(
    (field) =>
      `    ${field.path === '' ? '(all of it)' : field.path}  ${left}: ${field.left ?? 'nothing'}  ${right}: ${field.right ?? 'nothing'}`,
  ),
  ...(more ? ['    … and elsewhere'] : []),
];
