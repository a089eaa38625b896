import type { EngineLog } from '../engine/log.js';
import { ModelScorer } from './model/scorer.js';
import { RubricScorer } from './rubric/scorer.js';
import type { Scorer } from './scorer.js';

/** What scores, as it is configured. */
export type ScorerChoice =
  | { readonly kind: 'rubric' }
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly apiKey: string | null;
      readonly model: string;
    };

/**
 * The scorer of that choice. A model's failure is logged once while it lasts.
 * @throws {Error} the base URL or the key cannot be used
 */
export const createScorer = (choice: ScorerChoice, log: EngineLog): Scorer => {
  if (choice.kind === 'rubric') return new RubricScorer();
  const { baseUrl, apiKey, model } = choice;
  return new ModelScorer({ baseUrl, apiKey, model, log });
};
