import type { EventOf } from '../../core/event.js';
import type { ApplicationRef } from '../candidate/events.js';
import type { RoleDefinition } from '../role/events.js';

/**
 * Stored names and latest shapes of a trial session's stream (`trial-<id>`): the storage contract. Every event here
 * is evidence and part of the session's hash chain; nothing else lies in the stream. No time of an interview is compared
 * with another process's clock: durations are measured on one process's monotonic clock and added up.
 */

export interface TrialIds extends ApplicationRef {
  /** Gapless from 1: the event's revision + 1. */
  readonly sequenceNumber: number;
}

/** How the token at the start named the candidate. */
export type IdentityCheck = 'verified' | 'mismatch' | 'unverified';

/** The session's facts from its invitation. The stream's first event carries them, whichever it is. */
export interface Opening {
  readonly roleVersion: number;
  readonly role: RoleDefinition;
  readonly invitedAt: string;
  readonly expiresAt: string;
}

/** Present on the stream's first event, `null` on later ones. */
interface MayOpen {
  readonly opening: Opening | null;
}

export type TrialStarted = EventOf<
  'trial.started',
  TrialIds & MayOpen & { readonly consent: true; readonly identity: IdentityCheck }
>;
export type TrialExtended = EventOf<
  'trial.extended',
  TrialIds & MayOpen & { readonly expiresAt: string; readonly formerExpiresAt: string }
>;
export type ActivityRecorded = EventOf<
  'trial.activity_recorded',
  TrialIds & { readonly occurredAt: string },
  /** Whatever the candidate chose, a type that nobody knows included: any name could be a word about a person. */
  {
    readonly clientEventId: string;
    readonly eventType: string;
    readonly payload: Readonly<Record<string, unknown>>;
  }
>;
/** An evaluation begins here: it exists by this event and is `generating`. */
export type TrialCompleted = EventOf<
  'trial.completed',
  TrialIds & { readonly evaluationId: string; readonly roleName: string; readonly overallThreshold: number }
>;
export type TrialWithdrawn = EventOf<
  'trial.withdrawn',
  TrialIds & MayOpen & { readonly by: 'candidate' | 'staff' }
>;
export type TrialExpired = EventOf<'trial.expired', TrialIds & MayOpen>;

/**
 * The last event of an erased candidate's session. One that was still open is withdrawn by it, any other stays as it
 * had ended.
 */
export type TrialErased = EventOf<'trial.erased', TrialIds & MayOpen & { readonly withdrawn: boolean }>;

/** A later token names the candidate otherwise than the one before it did. */
export type IdentityChecked = EventOf<
  'trial.identity_checked',
  TrialIds & { readonly identity: IdentityCheck }
>;

export type QuestionKind = 'planned' | 'follow_up' | 'clarification' | 'closing';
export type AnswerSource = 'typed' | 'speech' | 'transcribed';
export type EndReason = 'finished' | 'ended' | 'time_limit';

/** Who asked a question. */
export interface AskedBy {
  readonly interviewer: 'scripted' | 'openai';
  readonly version: number;
  /** The model's name, `null` for the scripted interviewer. */
  readonly model: string | null;
  /** Why the scripted interviewer asked in a model's place, as a sentence; `null` where nobody was replaced. */
  readonly instead: string | null;
}

/** A client has the interview's line: the newest connection wins. */
export type InterviewConnected = EventOf<
  'interview.connected',
  TrialIds & {
    readonly connectionId: string;
    /** From 1. */
    readonly ordinal: number;
    /** The process that holds the connection, under the name of its lease. */
    readonly host: string;
    readonly identity: IdentityCheck;
    /** The client was told that its audio is kept, by its organisation's setting. */
    readonly recorded: boolean;
    /** The connection that was still open, which is closed for this one. */
    readonly superseded: string | null;
    /** Whether the client names the same device as on the former connection; `null` where one names none. */
    readonly sameDevice: boolean | null;
  },
  { readonly deviceId: string | null }
>;

/** A stretch of a question's wait for its answer, up to the start of the answer where that had come. */
export interface Waited {
  readonly turn: number;
  readonly ms: number;
  /** The question ended on this connection: what it had stood on others does not count. */
  readonly anew: boolean;
}

/** A connection has ended. One that was superseded may say so after the newer one has begun. */
export type InterviewDisconnected = EventOf<
  'interview.disconnected',
  TrialIds & {
    readonly connectionId: string;
    /** The closing code; `null` where the process that held it was lost. */
    readonly code: number | null;
    /** How long the open turn's question had stood on this connection; `null` where no turn was open. */
    readonly waited: Waited | null;
    /** Milliseconds since the first question as this process knows them; `null` before it. */
    readonly elapsedMs: number | null;
  }
>;

/** The socket has been away for so long that the session counts as interrupted. */
export type TrialInterrupted = EventOf<'trial.interrupted', TrialIds & { readonly connectionId: string }>;
/** A connection is ready again after that. */
export type TrialResumed = EventOf<'trial.resumed', TrialIds>;

export type QuestionAsked = EventOf<
  'interview.question_asked',
  TrialIds & {
    /** From 1. */
    readonly turn: number;
    readonly questionId: string;
    readonly kind: QuestionKind;
    readonly dimensionIds: readonly string[];
    /** Its place in the plan, from 0; of a follow-up or clarification that of the question behind it; `null`: none. */
    readonly planned: number | null;
    readonly askedBy: AskedBy;
    /** When the interview's time is over, by the clock of the process that asked first; the same in every question. */
    readonly endsAt: string;
    readonly elapsedMs: number;
  },
  { readonly text: string }
>;

export type AnswerRecorded = EventOf<
  'interview.answer_recorded',
  TrialIds & {
    readonly turn: number;
    readonly questionId: string;
    readonly source: AnswerSource;
    /** To a turn that was closed already: kept with it, and answers no other. */
    readonly late: boolean;
    /**
     * From the end of the question to the start of the answer, whole milliseconds of connected time; `null` for a
     * late answer, and where no start was seen.
     */
    readonly gapMs: number | null;
    /** The candidate's audio goes so far, over all turns up to this one. */
    readonly lastAudioSeq: number;
    /** Recorded speech of the turn, `null` where there is none. */
    readonly voice: { readonly durationMs: number; readonly kept: boolean } | null;
    /** What transcribed it, `null` where the client did or the answer was typed. */
    readonly transcriber: string | null;
    readonly elapsedMs: number;
  },
  { readonly text: string; readonly messageId: string | null }
>;

/** The candidate cut the interviewer's speech off. */
export type SpeechInterrupted = EventOf<
  'interview.interrupted',
  TrialIds & {
    readonly turn: number;
    readonly questionId: string;
    /** So much of the speech was heard, never more than was sent. */
    readonly playedMs: number;
    /** So much of it had been sent. */
    readonly sentMs: number;
  },
  { readonly messageId: string }
>;

/** Stands right before `trial.completed`, in the same append. */
export type InterviewEnded = EventOf<'interview.ended', TrialIds & { readonly reason: EndReason }>;

export type InterviewEvent =
  | InterviewConnected
  | InterviewDisconnected
  | TrialInterrupted
  | TrialResumed
  | QuestionAsked
  | AnswerRecorded
  | SpeechInterrupted
  | InterviewEnded;

/** What a session's life consists of, whatever the candidate does in it: `lifecycle.ts` says where each leads. */
export type LifecycleEvent =
  | TrialStarted
  | TrialExtended
  | TrialInterrupted
  | TrialResumed
  | TrialCompleted
  | TrialWithdrawn
  | TrialExpired
  | TrialErased;

export type TrialEvent = LifecycleEvent | IdentityChecked | ActivityRecorded | InterviewEvent;
