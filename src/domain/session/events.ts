import { Enumeration, type Static } from '../../core/json-schema.js';
import { type EventIn, eventType, upcastRecord } from '../../core/registry.js';
import { type ApplicationRef, type InvitationTerms, TERMS_UPCASTERS } from '../candidate/events.js';
import type { RoleNotice } from '../role/events.js';
import type { TicketKind, TreeFile } from '../ticket/events.js';
import type { CheckedWork, CheckFindings } from './check-events.js';

/**
 * Stored names and latest shapes of a trial session's stream (`trial-<id>`): the storage contract. Every event of it
 * is evidence and part of the session's hash chain. An interview's durations are measured on one process's monotonic
 * clock and added up: its times are never compared with another process's clock. Each `elapsedMs` counts from the first
 * question.
 */

export interface TrialIds extends ApplicationRef {
  /** Gapless from 1. A batch of activities takes as many numbers as it has activities; this is its first. */
  readonly sequenceNumber: number;
}

/** Whether the token's address is the invited one. `unverified`: it is but is not verified, or one of both is missing. */
export type IdentityCheck = 'verified' | 'mismatch' | 'unverified';

/** An event that may be the stream's first. `opening` repeats the invitation's terms then; else it is `null`. */
export interface MayOpen {
  readonly opening: InvitationTerms | null;
}

const OPENING = upcastRecord(TERMS_UPCASTERS, (data: MayOpen, next) => ({
  ...data,
  opening: data.opening && next(data.opening),
}));

/** What is handed in for a ticket, and whether checks run over it. */
export interface TicketWork {
  readonly kind: TicketKind;
  readonly visibleChecks: boolean;
  readonly hiddenChecks: boolean;
}

/** A ticket, in the version that a session began with. */
export interface TicketVersion {
  readonly ticketId: string;
  readonly version: number;
  /** Left out if nothing is handed in for it. */
  readonly work?: TicketWork;
}

/** A candidate's work for a ticket, as it is announced: one file of bytes. */
export interface AnnouncedWork {
  readonly handInId: string;
  readonly ticketId: string;
  readonly bytes: number;
  /** The hash of the file, lower-case hex. */
  readonly sha256: string;
}

/** A candidate's work for a ticket, once it has arrived and was unpacked. */
export interface HandedInWork extends AnnouncedWork {
  /** The ticket's version that the session began with; `null`: its start names none. */
  readonly ticketVersion: number | null;
  /** Number of files that it unpacks to. */
  readonly files: number;
  /** The hash of the manifest, lower-case hex. */
  readonly treeSha256: string;
  /** The notice said that work is compared with others’; left out if it did not. */
  readonly compared?: true;
}

/** The personal part of work that was handed in. */
export interface HandedInNames {
  /** What the candidate calls the file. */
  readonly name: string;
  readonly manifest: readonly TreeFile[];
}

/** Work that has arrived and is refused for good. The same bytes may be handed in again under another name. */
export interface RefusedWork extends Pick<AnnouncedWork, 'handInId' | 'ticketId'> {
  /** The code that its candidate was answered with. */
  readonly reason: 'work_refused' | 'hand_ins_full';
}

/** The sentence that says why: it may name the candidate's files. */
export interface RefusalMessage {
  readonly message: string;
}

/** Identifies what an evaluation may wait for after its session's completion. */
export interface AwaitedWorkKey {
  /** `check`: all checks of a hand-in. */
  readonly kind: 'hand_in' | 'check';
  /** The hand-in's id. */
  readonly id: string;
}

/** A hand-in that was begun and may still arrive. */
export interface AwaitedHandIn extends AwaitedWorkKey {
  readonly kind: 'hand_in';
  /** When the wait for it ends: RFC 3339 in UTC, with milliseconds. */
  readonly until: string;
}

/** Checks that are to run over a hand-in. They always get a result: `given_up` if they did not run in time. */
export interface AwaitedCheck extends AwaitedWorkKey {
  readonly kind: 'check';
}

/** What an evaluation waits for before a generation of it is made. */
export type AwaitedWork = AwaitedHandIn | AwaitedCheck;

export type QuestionKind = 'planned' | 'follow_up' | 'clarification' | 'closing';
/** `typed`, or who turned the spoken answer into text. `speech`: the client. `transcribed`: the service. */
export type AnswerSource = 'typed' | 'speech' | 'transcribed';
/** `finished`: no question is left, or no room for one. `ended`: the candidate ended the interview. */
export type EndReason = 'finished' | 'ended' | 'time_limit';

/** The interviewer that asked a question. */
export interface AskedBy {
  readonly interviewer: 'scripted' | 'openai';
  readonly version: number;
  /** The model's name, `null` for the scripted interviewer. */
  readonly model: string | null;
  /** Why the scripted interviewer replaced a model, as a sentence; `null` if it did not. */
  readonly instead: string | null;
}

/** How long a question waited for its answer on one connection, up to the answer's start. */
export interface Waited {
  readonly turn: number;
  readonly ms: number;
  /** A part of the question was heard on this connection, so its wait on earlier ones does not count. */
  readonly anew: boolean;
}

/** The types of event that make up a session's life; `lifecycle.ts` has the state that each leads to. */
export const lifecycleEvents = {
  'trial.started': eventType<
    TrialIds &
      MayOpen & {
        readonly consent: true;
        readonly identity: IdentityCheck;
        /** What was consented to; left out if the candidate named no version of it. */
        readonly notice?: RoleNotice;
        /** That notice says that work handed in is compared with others’; left out if it does not. */
        readonly comparesWork?: true;
        /** That notice says that a model which scores is shown the work handed in; left out if it does not. */
        readonly modelReadsWork?: true;
        /** What the candidate works on: the version of each of the role's tickets; left out if it names none. */
        readonly tickets?: readonly TicketVersion[];
      }
  >(OPENING),
  'trial.extended': eventType<
    TrialIds & MayOpen & { readonly expiresAt: string; readonly formerExpiresAt: string }
  >(OPENING),
  /** The connection has been lost for so long that the session counts as interrupted. */
  'trial.interrupted': eventType<TrialIds & { readonly connectionId: string }>(),
  /** A connection is ready again after that. */
  'trial.resumed': eventType<TrialIds>(),
  /** An evaluation begins here: it exists by this event and is `generating`. */
  'trial.completed': eventType<
    TrialIds & {
      readonly evaluationId: string;
      readonly roleName: string;
      readonly overallThreshold: number;
      /** What the evaluation waits for; left out if there is nothing. */
      readonly awaits?: readonly AwaitedWork[];
    }
  >(),
  'trial.withdrawn': eventType<TrialIds & MayOpen & { readonly by: 'candidate' | 'staff' }>(OPENING),
  'trial.expired': eventType<TrialIds & MayOpen>(OPENING),
  /** The last event of an erased candidate's session. It withdraws an open session; one that has ended stays as it is. */
  'trial.erased': eventType<TrialIds & MayOpen & { readonly withdrawn: boolean }>(OPENING),
};

export const interviewEvents = {
  /** A client has connected: the newest connection has the interview. */
  'interview.connected': eventType<
    TrialIds & {
      readonly connectionId: string;
      /** Counts the interview's connections, from 1. */
      readonly ordinal: number;
      /** The process that holds the connection, under the name of its lease. */
      readonly host: string;
      readonly identity: IdentityCheck;
      /** By the organisation's setting the audio is kept, and the client was informed of it. */
      readonly recorded: boolean;
      /** The connection that was still open, which is closed for this one; `null`: none was. */
      readonly superseded: string | null;
      /** Whether the device is the same as on the former connection; `null` if either names none. */
      readonly sameDevice: boolean | null;
    },
    { readonly deviceId: string | null }
  >(),
  /** A connection has ended. For a superseded one this may come after the newer one has begun. */
  'interview.disconnected': eventType<
    TrialIds & {
      readonly connectionId: string;
      /** The closing code; `null` if the process that held it was lost. */
      readonly code: number | null;
      /** The open turn's wait on this connection; `null` without an open turn. */
      readonly waited: Waited | null;
      /** Milliseconds since the first question; `null` before it, or if the process that held the connection was lost. */
      readonly elapsedMs: number | null;
    }
  >(),
  'interview.question_asked': eventType<
    TrialIds & {
      /** Counts the questions, from 1. */
      readonly turn: number;
      readonly questionId: string;
      readonly kind: QuestionKind;
      readonly dimensionIds: readonly string[];
      /** Its index in the plan; of a follow-up or clarification that of the question before it; `null`: none. */
      readonly planned: number | null;
      /** How many questions are planned; earlier events lack it. */
      readonly planSize?: number;
      readonly askedBy: AskedBy;
      /** The interview's deadline, by the clock of the process that asked first; the same in every question. */
      readonly endsAt: string;
      readonly elapsedMs: number;
    },
    {
      readonly text: string;
      /** What is said before it, such as a greeting; left out if nothing is. */
      readonly preface?: string;
    }
  >(),
  'interview.answer_recorded': eventType<
    TrialIds & {
      readonly turn: number;
      readonly questionId: string;
      readonly source: AnswerSource;
      /** The turn was closed already: the answer is kept with it, and answers no other. */
      readonly late: boolean;
      /** It asks to repeat or explain the question, and counts as no answer; earlier events lack it. */
      readonly asksAgain?: true;
      /**
       * From the end of the question to the start of the answer, whole milliseconds of connected time; `null` for a
       * late answer, and if no start was seen.
       */
      readonly gapMs: number | null;
      /** The candidate's last audio frame of all turns up to this one. */
      readonly lastAudioSeq: number;
      /** Recorded speech of the turn, `null` if there is none. */
      readonly voice: { readonly durationMs: number; readonly kept: boolean } | null;
      /** The service that transcribed it, `null` if the client did or the answer was typed. */
      readonly transcriber: string | null;
      readonly elapsedMs: number;
    },
    { readonly text: string; readonly messageId: string | null }
  >(),
  /** The candidate chose not to answer: the turn is closed without an answer, whatever was said in it. */
  'interview.turn_skipped': eventType<
    TrialIds & {
      readonly turn: number;
      readonly questionId: string;
      /** The candidate's last audio frame of all turns up to this one. */
      readonly lastAudioSeq: number;
      /** Recorded speech of the turn, `null` if there is none. */
      readonly voice: { readonly durationMs: number; readonly kept: boolean } | null;
      readonly elapsedMs: number;
    },
    { readonly messageId: string }
  >(),
  /** The candidate interrupted the interviewer's speech. */
  'interview.interrupted': eventType<
    TrialIds & {
      readonly turn: number;
      readonly questionId: string;
      /** Milliseconds of the speech that were heard, never more than `sentMs`. */
      readonly playedMs: number;
      /** Milliseconds of it that had been sent. */
      readonly sentMs: number;
    },
    { readonly messageId: string }
  >(),
  /** Directly before `trial.completed`, in the same append. */
  'interview.ended': eventType<TrialIds & { readonly reason: EndReason }>(),
};

export const handInEvents = {
  /** The candidate announces work for a ticket; its content follows in pieces. */
  'work.hand_in_begun': eventType<TrialIds & AnnouncedWork, Pick<HandedInNames, 'name'>>(),
  /** All of it has arrived and was unpacked. */
  'work.handed_in': eventType<TrialIds & HandedInWork, HandedInNames>(),
  /** All of it has arrived, and it is refused. Nothing of it is kept, and nothing waits for it. */
  'work.refused': eventType<TrialIds & RefusedWork, RefusalMessage>(),
  /** Its visible checks have run over it, or could not. */
  'work.checked': eventType<TrialIds & CheckedWork, CheckFindings>(),
};

export const trialEvents = {
  ...lifecycleEvents,
  ...interviewEvents,
  ...handInEvents,
  /** A later token's identity differs from that of the token before it. */
  'trial.identity_checked': eventType<TrialIds & { readonly identity: IdentityCheck }>(),
  /** A batch of activities. An activity has the same place in `items` of the plain and of the personal part. */
  'trial.activity_recorded': eventType<
    TrialIds & { readonly items: readonly { readonly occurredAt: string }[] },
    /** All of it is the candidate's own choice, unknown types included: any of it may be personal. */
    { readonly items: readonly ActivityContent[] }
  >({ version: 1, batch: true }),
};

/** What a candidate sent of an activity. */
export interface ActivityContent {
  readonly clientEventId: string;
  readonly eventType: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export type TrialEvent = EventIn<typeof trialEvents>;

/**
 * Who vouches for a piece of evidence. `service`: this service did it or saw it. `checker`: the organisation's checker
 * ran its tests over what was handed in. `candidate`: the candidate's page or programs report it; any program that has
 * the candidate's token could.
 */
export type EvidenceSource = Static<typeof EvidenceSource>;
export const EvidenceSource = Enumeration('EvidenceSource', ['service', 'checker', 'candidate'], {
  description:
    '`service`: the service did it or saw it. `checker`: the organisation’s checker ran its tests over what was handed in. `candidate`: the candidate’s page or programs report it, unchecked.',
});

/** What the candidate’s page reports. Of an interrupted speech, only its player can measure how much was heard. */
const REPORTED = ['trial.activity_recorded', 'interview.interrupted'] as const satisfies TrialEvent['type'][];

/** Who vouches for an event of a session, by its stored type. */
export const sourceOf = (type: string): EvidenceSource => {
  if (type === 'work.checked') return 'checker';
  return REPORTED.some((one) => one === type) ? 'candidate' : 'service';
};

export type LifecycleEvent = EventIn<typeof lifecycleEvents>;
/** The events that an interview's state is folded from. */
export type InterviewEvent =
  EventIn<typeof interviewEvents> | EventIn<typeof lifecycleEvents, 'trial.interrupted' | 'trial.resumed'>;
export type HandInEvent = EventIn<typeof handInEvents>;
export type ActivityRecorded = EventIn<typeof trialEvents, 'trial.activity_recorded'>;
export type TrialStarted = EventIn<typeof trialEvents, 'trial.started'>;
export type TrialCompleted = EventIn<typeof trialEvents, 'trial.completed'>;
export type InterviewConnected = EventIn<typeof trialEvents, 'interview.connected'>;
export type QuestionAsked = EventIn<typeof trialEvents, 'interview.question_asked'>;
export type AnswerRecorded = EventIn<typeof trialEvents, 'interview.answer_recorded'>;
export type TurnSkipped = EventIn<typeof trialEvents, 'interview.turn_skipped'>;
export type SpeechInterrupted = EventIn<typeof trialEvents, 'interview.interrupted'>;
