import type {
  Application,
  Disposition,
  HumanRound,
  Outcome,
  RecordOutcome,
} from '../../../packages/client/src/index.js';

/** An outcome as it is chosen; '': not known yet. */
export interface ChosenOutcome {
  readonly humanRound: HumanRound | '';
  readonly disposition: Disposition | '';
  readonly reason: string;
}

/** The form's values for a saved outcome. */
export const chosenOf = (outcome: Outcome | null): ChosenOutcome => ({
  humanRound: outcome?.humanRound ?? '',
  disposition: outcome?.disposition ?? '',
  reason: outcome?.reason ?? '',
});

/** Whether two outcomes are the same once they are saved. */
export const isSame = (one: ChosenOutcome, other: ChosenOutcome): boolean =>
  one.humanRound === other.humanRound &&
  one.disposition === other.disposition &&
  one.reason.trim() === other.reason.trim();

/** What is sent; `null`: nothing is chosen. */
export const outcomeBody = ({ humanRound, disposition, reason }: ChosenOutcome): RecordOutcome | null => {
  const words = reason.trim() === '' ? {} : { reason: reason.trim() };
  if (humanRound !== '') return { humanRound, ...(disposition !== '' && { disposition }), ...words };
  return disposition === '' ? null : { disposition, ...words };
};

/**
 * What to do if the application has another version than the form began with. Most often something else of it has changed,
 * such as a mail: then the outcome is the same, and can be saved over the new version. `saved`: it has the chosen outcome,
 * as after an answer that was lost.
 */
export const afterConflict = (
  began: ChosenOutcome,
  chosen: ChosenOutcome,
  now: Application,
): 'saved' | 'save again' | 'ask' => {
  const current = chosenOf(now.outcome);
  return isSame(chosen, current) ? 'saved' : isSame(began, current) ? 'save again' : 'ask';
};
