import type { RoleTemplateId } from '../../languages/en/shapes.js';
import { type Language, ROLE_TEMPLATE_TEXTS } from '../../languages/languages.js';
import { type Dimension, PERCENT, type RoleDefinition } from './events.js';

/** What differs between the templates beside their words. */
const FIGURES: Readonly<
  Record<RoleTemplateId, { readonly correctness: number; readonly timeFrameMinutes: number }>
> = {
  backend: { correctness: 60, timeFrameMinutes: 90 },
  frontend: { correctness: 60, timeFrameMinutes: 90 },
  data: { correctness: 50, timeFrameMinutes: 75 },
  support: { correctness: 40, timeFrameMinutes: 60 },
};

const OVERALL_THRESHOLD = 60;
/** A way of working that is excellent does not make up for work that fails. */
const CORRECTNESS_THRESHOLD = 50;

/** What a role made from a template begins with: it is ready, and has no tickets. */
type TemplateDefinition = Omit<
  RoleDefinition,
  'dimensions' | 'ticketIds' | 'notice' | 'reminderDays' | 'answerPauseMs' | 'aiPolicy'
> & { readonly dimensions: readonly Omit<Dimension, 'id'>[] };

/** The definition of a template, with its words in that language. */
export const templateDefinition = (template: RoleTemplateId, language: Language): TemplateDefinition => {
  const { name, instructions, questions, ...words } = ROLE_TEMPLATE_TEXTS[language][template];
  const { correctness: weight, timeFrameMinutes } = FIGURES[template];
  return {
    name,
    overallThreshold: OVERALL_THRESHOLD,
    dimensions: [
      { ...words.correctness, weight, category: 'correctness', threshold: CORRECTNESS_THRESHOLD },
      { ...words.process, weight: PERCENT.max - weight, category: 'process', threshold: null },
    ],
    questions: questions.map(({ text, about }) => ({ text, dimensionName: words[about].name })),
    instructions,
    timeFrameMinutes,
  };
};
