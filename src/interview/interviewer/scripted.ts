import type { Interviewer, InterviewSoFar, Proposal } from './interviewer.js';
import { movesOf } from './moves.js';

/** Of the plan, the wordings and the rules about answers; an event says under which one a question was asked. */
export const SCRIPT_VERSION = 1;

/** What the script asks next. @param instead why it asks in a model's place, `null` where it does not */
export const scriptedProposal = (soFar: InterviewSoFar, instead: string | null): Proposal | 'finished' => {
  const moves = movesOf(soFar);
  if (moves === 'finished') return moves;
  const { kind, text, dimensionIds, planned } = moves[0];
  return {
    kind,
    text,
    dimensionIds,
    planned,
    askedBy: { interviewer: 'scripted', version: SCRIPT_VERSION, model: null, instead },
  };
};

/** Asks by the script alone: it needs nobody, and the same interview is asked the same. */
export class ScriptedInterviewer implements Interviewer {
  next(soFar: InterviewSoFar): Promise<Proposal | 'finished'> {
    return Promise.resolve(scriptedProposal(soFar, null));
  }
}
