import type { Stored } from '../../core/event.js';
import type { LifecycleEvent, MayOpen } from './events.js';

/** The states of a session. `interrupted`: its connection was lost for long. The last three are final. */
export const TRIAL_STATUSES = [
  'invited',
  'started',
  'interrupted',
  'completed',
  'expired',
  'withdrawn',
] as const;

export type TrialStatus = (typeof TRIAL_STATUSES)[number];

export type LifecycleType = LifecycleEvent['type'];

export interface Transition<From extends TrialStatus = TrialStatus> {
  readonly from: readonly From[];
  /** `null`: the status stays. */
  readonly to: TrialStatus | null;
  /** Which time of the session is set to the event's time; `null`: none. */
  readonly sets: 'startedAt' | 'endedAt' | null;
}

/** Started and not ended. */
export const RUNNING = ['started', 'interrupted'] as const;
/** Not ended. */
export const OPEN = ['invited', ...RUNNING] as const;

/**
 * The states in which events of a type may come. A session that is `invited`, or expired before any event, has an empty
 * stream: only an event that may open the stream comes then.
 */
type Before<Type extends LifecycleType> = Extract<
  LifecycleEvent,
  { readonly type: Type }
>['data'] extends MayOpen
  ? TrialStatus
  : Exclude<TrialStatus, 'invited' | 'expired'>;

/**
 * Which event is allowed in which states, and the state that it leads to. Deciders, folds and lists use this table.
 */
export const TRANSITIONS = {
  'trial.started': { from: ['invited'], to: 'started', sets: 'startedAt' },
  'trial.extended': { from: OPEN, to: null, sets: null },
  'trial.interrupted': { from: ['started'], to: 'interrupted', sets: null },
  'trial.resumed': { from: ['interrupted'], to: 'started', sets: null },
  'trial.completed': { from: RUNNING, to: 'completed', sets: 'endedAt' },
  'trial.withdrawn': { from: OPEN, to: 'withdrawn', sets: 'endedAt' },
  'trial.expired': { from: OPEN, to: 'expired', sets: 'endedAt' },
  'trial.erased': { from: OPEN, to: 'withdrawn', sets: 'endedAt' },
} as const satisfies { readonly [Type in LifecycleType]: Transition<Before<Type>> };

/** The types of events by which a session’s state or times change. */
export const LIFECYCLE_TYPES = Object.keys(TRANSITIONS) as readonly LifecycleType[];

/**
 * The types of events that end a session. `trial.erased` is not among them: it ends an open session, but may also come
 * after the end.
 */
export type EndType = Exclude<
  {
    [Type in LifecycleType]: (typeof TRANSITIONS)[Type]['sets'] extends 'endedAt' ? Type : never;
  }[LifecycleType],
  'trial.erased'
>;

export const END_TYPES: readonly EndType[] = LIFECYCLE_TYPES.filter(
  (type): type is EndType => TRANSITIONS[type].sets === 'endedAt' && type !== 'trial.erased',
);

/** A session's state and times. */
export interface Life {
  readonly status: TrialStatus;
  /** `null` until it is started. */
  readonly startedAt: string | null;
  /** `null` until an event ends it: a time that is up sets nothing by itself. */
  readonly endedAt: string | null;
  readonly expiresAt: string;
  /** `null` until it is completed. */
  readonly evaluationId: string | null;
  /** 1 at the invitation, one more with each lifecycle event; activity does not count. */
  readonly version: number;
}

/** The state of a session whose stream has no event yet. */
export const atInvitation = ({ expiresAt }: { readonly expiresAt: string }): Life => ({
  status: 'invited',
  startedAt: null,
  endedAt: null,
  expiresAt,
  evaluationId: null,
  version: 1,
});

/** Whether an event of that type may follow in this state. */
export const mayFollow = ({ status }: Pick<Life, 'status'>, type: LifecycleType): boolean =>
  (TRANSITIONS[type].from as readonly TrialStatus[]).includes(status);

/** Folds one more lifecycle event. One that may not follow raises the version and changes nothing else. */
export const evolveLife = <L extends Life>(before: L, event: Stored<LifecycleEvent>): L => {
  const counted = { ...before, version: before.version + 1 };
  if (!mayFollow(before, event.type)) return counted;
  const { to, sets }: Transition = TRANSITIONS[event.type];
  return {
    ...counted,
    ...(to && { status: to }),
    ...(sets && { [sets]: event.metadata.recordedAt }),
    ...(event.type === 'trial.extended' && { expiresAt: event.data.expiresAt }),
    ...(event.type === 'trial.completed' && { evaluationId: event.data.evaluationId }),
  };
};

/** Whether the session has started and not ended, with or without a connection. */
export const isRunning = ({ status }: Pick<Life, 'status'>): boolean =>
  (RUNNING as readonly TrialStatus[]).includes(status);

/** Whether an event has ended the session. */
export const isClosed = ({ status }: Pick<Life, 'status'>): boolean =>
  !(OPEN as readonly TrialStatus[]).includes(status);
