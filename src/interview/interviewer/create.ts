import type { EngineLog } from '../../engine/log.js';
import type { Interviewer } from './interviewer.js';
import { OpenAiInterviewer } from './openai/interviewer.js';
import { ScriptedInterviewer } from './scripted.js';

/** Who asks, as it is configured. */
export type InterviewerChoice =
  | { readonly kind: 'scripted' }
  | {
      readonly kind: 'openai';
      readonly baseUrl: string;
      readonly apiKey: string | null;
      readonly model: string;
    };

/**
 * The interviewer of that choice. A model's failure is logged once while it lasts.
 * @throws {Error} the base URL or the key cannot be used
 */
export const createInterviewer = (choice: InterviewerChoice, log: EngineLog): Interviewer => {
  if (choice.kind === 'scripted') return new ScriptedInterviewer();
  const { baseUrl, apiKey, model } = choice;
  return new OpenAiInterviewer({ baseUrl, apiKey, model, log });
};
