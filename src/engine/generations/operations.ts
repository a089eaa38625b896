import type { StreamName } from '../../core/event-store.js';

/**
 * What operators ask of views, as the engine sees it. It is kept in the operator's stream, which the engine knows
 * nothing of: the code that starts it passes this in.
 */
export type Operation = {
  /** Of the event that asked for it. */
  readonly id: string;
  readonly view: string;
} &
  /** Builds a generation beside the live one; it serves once it has caught up, unless it is held. */
  (
    | { readonly kind: 'rebuild'; readonly segments: number | null; readonly hold: boolean }
    /** Lets the generation that was built serve. */
    | { readonly kind: 'promote'; readonly acceptDifferences: boolean }
    /** Lets the one before serve again. */
    | { readonly kind: 'rollback' }
    /** Gives up what is being built. */
    | { readonly kind: 'cancel' }
    /** Folds documents afresh in place: those named, or all that are parked. */
    | {
        readonly kind: 'refold';
        readonly documents: readonly string[] | 'parked';
        /** Documents that are not parked are left as they are. */
        readonly parkedOnly: boolean;
      }
  );

/** What operators want as of now. */
export interface OperatorIntent {
  /** Asked for and not ended, in the order they were asked. */
  readonly open: readonly Operation[];
  /** Views that are not to be fed. */
  readonly paused: ReadonlySet<string>;
  /** Ids of the events that every fold of this view leaves out. */
  readonly skipped: (view: string) => ReadonlySet<string>;
}

/** What came of an operation. */
export interface Ending {
  readonly result: 'done' | 'failed' | 'cancelled';
  /** A sentence for the operator. */
  readonly message: string;
  /** Figures and names, for machines; plain JSON, nothing personal. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** Another generation serves. */
export interface Promotion {
  readonly view: string;
  readonly from: string;
  readonly to: string;
  /** `null`: changed code was rebuilt by itself. */
  readonly operation: string | null;
}

/** All calls throw what the event store throws; repeated, they do nothing more. */
export interface Operations {
  /** Where all of it is kept: without an event of this stream the intent does not change. */
  readonly stream?: StreamName;
  look(): Promise<OperatorIntent>;
  /** Of an operation that has ended already nothing is written. */
  end(operation: string, ending: Ending): Promise<void>;
  /** The same change twice in a row is written down once. */
  promoted(promotion: Promotion): Promise<void>;
}

/** Without operators: nothing is asked, nothing is written. */
export const noOperations: Operations = {
  look: () => Promise.resolve({ open: [], paused: new Set(), skipped: () => NONE }),
  end: () => Promise.resolve(),
  promoted: () => Promise.resolve(),
};

const NONE: ReadonlySet<string> = new Set();
