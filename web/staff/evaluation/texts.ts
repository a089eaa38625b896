import { evaluationTexts as german } from '../../../src/languages/de/console-evaluation.js';
import { measureTexts as germanMeasures } from '../../../src/languages/de/console-measures.js';
import {
  evaluationTexts as english,
  type EvaluationTexts,
} from '../../../src/languages/en/console-evaluation.js';
import {
  measureTexts as englishMeasures,
  type MeasureTexts,
} from '../../../src/languages/en/console-measures.js';
import type { Language } from '../../../src/languages/languages.js';
import { usePlace } from '../console.js';

// Not in the record of all texts of the console: that is loaded with its first page.
const TEXTS: Readonly<Record<Language, EvaluationTexts & MeasureTexts>> = {
  en: { ...english, ...englishMeasures },
  de: { ...german, ...germanMeasures },
};

/** The texts of the pages of evaluations, which are loaded with them. */
export const useTexts = (): EvaluationTexts & MeasureTexts => TEXTS[usePlace().language];

/**
 * The label of one of the API's values, such as a kind of finding. A value of a later version of the
 * service has no label: it is shown as it is, with spaces.
 * @param labels by value
 */
export const labelOf = (names: Readonly<Partial<Record<string, string>>>, name: string): string =>
  (Object.hasOwn(names, name) ? names[name] : undefined) ?? name.replaceAll('_', ' ');

/** The language of the service's own sentences, for screen readers. */
export const ENGLISH = 'en';

/** Writes a figure in the reader's language: whole if it is, else with at most two decimal places. */
export const useFigures = (): ((value: number) => string) => {
  const { language } = usePlace();
  return (value) => value.toLocaleString(language, { maximumFractionDigits: 2 });
};
