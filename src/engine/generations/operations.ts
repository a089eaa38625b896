import type { StreamName } from '../../core/event-store.js';

/**
 * An operator's request about a view. Requests are events of the operator's stream; the engine has none of their types:
 * the code that starts the engine reads them and passes them in as `Operations`.
 */
export type Operation = {
  /** The id of the event that requested it. */
  readonly id: string;
  readonly view: string;
} &
  /**
   * Builds a generation beside the live one. It becomes live once it has caught up, unless it is held. `segments` is
   * `null` for the configured number.
   */
  (
    | { readonly kind: 'rebuild'; readonly segments: number | null; readonly hold: boolean }
    /** Makes the built generation live. */
    | { readonly kind: 'promote'; readonly acceptDifferences: boolean }
    /** Makes the former generation live again. */
    | { readonly kind: 'rollback' }
    /** Drops the generation that is being built. */
    | { readonly kind: 'cancel' }
    /** Replays documents in place: those named, or all that are parked. */
    | {
        readonly kind: 'refold';
        readonly documents: readonly string[] | 'parked';
        /** Leaves documents that are not parked as they are. */
        readonly parkedOnly: boolean;
      }
  );

/** The current requests of operators. */
export interface OperatorIntent {
  /** Open operations, the oldest first. */
  readonly open: readonly Operation[];
  /** Views that are not to be fed. */
  readonly paused: ReadonlySet<string>;
  /** Ids of the events that every fold of this view leaves out. */
  readonly skipped: (view: string) => ReadonlySet<string>;
}

/** The outcome of an operation. */
export interface Ending {
  readonly result: 'done' | 'failed' | 'cancelled';
  /** A sentence for the operator. */
  readonly message: string;
  /** Figures and names, for machines; plain JSON, nothing personal. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** Another generation has become live. */
export interface Promotion {
  readonly view: string;
  readonly from: string;
  readonly to: string;
  /** `null`: a view of changed code was rebuilt without an operation. */
  readonly operation: string | null;
}

/** All calls throw what the event store throws. A repeated call changes nothing. */
export interface Operations {
  /** The operator's stream: the intent changes only by its events. Left out: the intent is read again at each poll. */
  readonly stream?: StreamName;
  /** The intent as stored now. */
  readIntent(): Promise<OperatorIntent>;
  /** Writes nothing if the operation has ended already. */
  end(operation: string, ending: Ending): Promise<void>;
  /** Records a promotion, unless the last recorded one is the same. */
  promoted(promotion: Promotion): Promise<void>;
}

/** For a process without operators: there are no requests, and nothing is recorded. */
export const noOperations: Operations = {
  readIntent: () => Promise.resolve({ open: [], paused: new Set(), skipped: () => NONE }),
  end: () => Promise.resolve(),
  promoted: () => Promise.resolve(),
};

const NONE: ReadonlySet<string> = new Set();
