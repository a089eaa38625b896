import type { EngineLog } from '../engine/log.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';
import { CommandDetector, type Detector, noDetector } from './detector/detector.js';
import { ModelScorer } from './model/scorer.js';
import { RubricScorer } from './rubric/scorer.js';
import { currentRuleSet } from './rule-sets.js';
import type { Scorer } from './scores/scorer.js';

/**
 * The scorer of that choice. A model's failure is logged once while it lasts.
 * @throws {Error} the base URL or the key cannot be used
 */
export const createScorer = (choice: Configuration['scorer'], log: EngineLog): Scorer => {
  if (choice.kind === 'rubric') return new RubricScorer(currentRuleSet.rubric);
  const { baseUrl, apiKey, model } = choice;
  return new ModelScorer({ baseUrl, apiKey, model, log });
};

/** The configured detector of generated text. */
export const createDetector = (
  { detector }: Pick<Configuration, 'detector'>,
  log: Pick<Logger, 'warn'>,
): Detector => (detector.kind === 'command' ? new CommandDetector(detector.command, log) : noDetector);
