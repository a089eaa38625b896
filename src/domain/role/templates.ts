import type { RoleTemplateId } from '../../languages/en/shapes.js';
import { type Language, ROLE_TEMPLATE_TEXTS } from '../../languages/languages.js';
import { type Dimension, PERCENT, type RoleDefinition } from './events.js';
import { type StarterFile, STARTERS } from './starters.js';

/** What differs between the templates beside their words. */
const FIGURES: Readonly<
  Record<
    RoleTemplateId,
    { readonly correctness: number; readonly timeFrameMinutes: number; readonly ticketMinutes: number }
  >
> = {
  backend: { correctness: 60, timeFrameMinutes: 90, ticketMinutes: 75 },
  frontend: { correctness: 60, timeFrameMinutes: 90, ticketMinutes: 75 },
  data: { correctness: 50, timeFrameMinutes: 75, ticketMinutes: 60 },
  support: { correctness: 40, timeFrameMinutes: 60, ticketMinutes: 40 },
};

const OVERALL_THRESHOLD = 60;
/** An excellent way of working does not make up for work that fails. */
const CORRECTNESS_THRESHOLD = 50;

/** A template with its words in a language. */
export interface TemplateOf {
  readonly template: RoleTemplateId;
  readonly language: Language;
}

/** The fields that a template has beside its dimensions. A role made from it has the defaults in the others. */
export const TEMPLATE_FIELDS = [
  'name',
  'overallThreshold',
  'questions',
  'instructions',
  'timeFrameMinutes',
] as const satisfies readonly (keyof RoleDefinition)[];

/** What a role made from a template begins with, beside its ticket: it is ready. */
type TemplateDefinition = Pick<RoleDefinition, (typeof TEMPLATE_FIELDS)[number]> & {
  readonly dimensions: readonly Omit<Dimension, 'id'>[];
};

/** The definition of a template, with its words in that language. */
export const templateDefinition = ({ template, language }: TemplateOf): TemplateDefinition => {
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

/** What candidates work on in a role made from a template. */
interface TemplateTicket {
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly estimatedMinutes: number;
  /** What is handed in. */
  readonly kind: 'files' | 'text';
  /** The files that candidates begin with; `null`: none, since they hand in a text. */
  readonly starter: readonly StarterFile[] | null;
}

/** The ticket of a template, with its words in that language. */
export const templateTicket = ({ template, language }: TemplateOf): TemplateTicket => {
  const starter = STARTERS[template];
  return {
    ...ROLE_TEMPLATE_TEXTS[language][template].ticket,
    estimatedMinutes: FIGURES[template].ticketMinutes,
    kind: starter === null ? 'text' : 'files',
    starter,
  };
};
