import { CannotFold, GenerationGone } from '../../projection-engine/documents/errors.js';
import type { Report } from '../../projection-engine/documents/findings.js';
import { answer, screenFor, type Screen } from '../output/screen.js';
import { Interrupted, OperatorError } from '../program.js';
import { harmless } from '../streams/event-text.js';
import { stoppable } from '../streams/stoppable.js';
import { documents, reportText, type Sides } from './report-text.js';

/** One comparison of a view's documents. */
export interface Compared {
  readonly view: string;
  readonly report: Report<string>;
  /** What was compared, for people: it begins the text. */
  readonly of: string;
  readonly sides: Sides;
  /** What was compared, for machines. */
  readonly what: Readonly<Record<string, unknown>>;
}

/**
 * Compares, one after the other, and says what was found: of several as a list.
 * @throws {OperatorError} something differs, or could not be compared
 * @throws {Interrupted} nothing was found out
 */
export const compareAll = async <T>(
  each: readonly T[],
  { json, several }: { readonly json: boolean; readonly several: boolean },
  compare: (one: T, screen: Screen, signal: AbortSignal) => Promise<Compared>,
): Promise<void> => {
  const screen = screenFor(json);
  const all: Compared[] = [];
  for (const one of each) {
    const compared = await stoppable((signal) => guarded(signal, () => compare(one, screen, signal)));
    all.push(compared);
    if (!json) answer(false, null, () => textOf(compared));
  }
  const values = all.map(({ view, what, report }) => ({ view, ...what, ...report }));
  if (json) answer(true, several ? values : values[0], () => '');
  const different = all.reduce((sum, { report }) => sum + report.different, 0);
  const compared = all.reduce((sum, { report }) => sum + report.compared, 0);
  if (different > 0) throw new OperatorError(`${different} of ${documents(compared)} differ.`);
};

const textOf = ({ of, report, sides }: Compared): string =>
  reportText(of, report, sides).split('\n').map(harmless).join('\n');

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
