import type { EventOf } from '../../core/event.js';
import type { ApplicationRef } from '../candidate/events.js';

/** Stored names and latest shapes of an application's stream (`application-<id>`): the storage contract. */

export type HumanRound = 'passed' | 'failed';
export type Disposition = 'hired' | 'declined';

/** What the signal counts. A standing outcome has at least one of the two. */
export interface OutcomeValues {
  readonly humanRound: HumanRound | null;
  readonly disposition: Disposition | null;
}

/** Carries the values it replaces (`null`: none stood), so that counts move without a side table. */
export type OutcomeRecorded = EventOf<
  'outcome.recorded',
  ApplicationRef & OutcomeValues & { readonly former: OutcomeValues | null; readonly recordedBy: string },
  { readonly reason: string | null }
>;
export type OutcomeRetracted = EventOf<
  'outcome.retracted',
  ApplicationRef & { readonly former: OutcomeValues; readonly retractedBy: string }
>;

/** The last event of an erased candidate's application: its reason is gone, its standing outcome stays counted. */
export type ApplicationErased = EventOf<'application.erased', ApplicationRef>;

export type OutcomeEvent = OutcomeRecorded | OutcomeRetracted;

export type ApplicationEvent = OutcomeEvent | ApplicationErased;
