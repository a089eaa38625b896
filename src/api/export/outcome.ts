import { streamName } from '../../core/stream-name.js';
import type { Outcome } from '../../domain/application/decider.js';
import type { ApplicationEvent, OutcomeValues } from '../../domain/application/events.js';
import { outcomeRecord } from '../applications/record.js';
import type { Exporting } from './exporting.js';

/** An outcome as its candidate reads it: not who recorded it. */
export type ExportedOutcome = Omit<Outcome, 'recordedBy'> & { readonly recordedBy: null };

/** What was once recorded of an outcome, or that it was retracted: all of it `null` then. */
export interface FormerOutcome extends OutcomeValues {
  readonly at: string;
  readonly reason: string | null;
}

export const exportedOutcome = (outcome: Outcome | null): ExportedOutcome | null =>
  outcome && { ...outcomeRecord(outcome), recordedBy: null };

/** Everything that was recorded of an application's outcome, oldest first: what was corrected is stored still. */
export const outcomeHistory = async (
  { streams }: Exporting,
  applicationId: string,
): Promise<readonly FormerOutcome[]> => {
  const events = await streams.events<ApplicationEvent>(streamName('application', applicationId));
  return events.flatMap((event) => {
    const at = event.metadata.recordedAt;
    switch (event.type) {
      case 'outcome.recorded': {
        const { humanRound, disposition } = event.data;
        return [{ at, humanRound, disposition, reason: event.personal?.reason ?? null }];
      }
      case 'outcome.retracted':
        return [{ at, humanRound: null, disposition: null, reason: null }];
      case 'application.erased':
        return [];
    }
  });
};
