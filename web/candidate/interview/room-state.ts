import { signal } from '@preact/signals';
import type { EndedBy, Receipt } from '../../../packages/interview-client/src/index.js';

// What the interview's screen shows. Each message of the service and each action of the candidate is an event; `nextRoom`
// is the only function that derives the next state.

/** A question with its answers, as the service has recorded them. */
export interface Exchange {
  readonly turn: number;
  readonly kind: 'planned' | 'follow_up' | 'clarification' | 'closing';
  /** What is said before the question; `null`: nothing. */
  readonly preface: string | null;
  readonly question: string;
  /** Which of the planned questions it is or belongs to; `null`: none. */
  readonly place: { readonly number: number; readonly of: number } | null;
  /** `null`: open. */
  readonly answer: string | null;
  /** How the answer was given; `null`: there is none, or the question was skipped. */
  readonly source: 'typed' | 'speech' | 'transcribed' | null;
  readonly skipped: boolean;
  /** What was added after the answer. */
  readonly later: readonly string[];
}

/** What the candidate does that the service answers by a receipt. */
export type Action = 'answer' | 'correction' | 'skip' | 'commit' | 'interrupt' | 'end';

/** A message without the service's receipt. */
export interface Sent {
  readonly action: Action;
  readonly turn: number;
}

/** An action of the candidate that was refused. */
export interface Refusal extends Sent {
  readonly code: string;
}

/** All that the interview's page shows. */
export interface RoomState {
  readonly connection: 'connecting' | 'ready' | 'reconnecting' | 'ended';
  /** Why the client has ended; `null`: it has not. */
  readonly ended: EndedBy | null;
  readonly exchanges: readonly Exchange[];
  /** What has been recognised of the answer so far. */
  readonly caption: string;
  /** The turn whose speech is being turned into text; `null`: none. */
  readonly transcribing: number | null;
  readonly interviewerSpeaks: boolean;
  /** The service has detected speech in the candidate's audio, and no silence after it. */
  readonly heard: boolean;
  /** Messages without the service's receipt. */
  readonly sending: readonly Sent[];
  /** The last refusal of each action and turn, until the action is repeated or no longer possible. */
  readonly refusals: readonly Refusal[];
  /** By when the interview ends, by the service's clock in milliseconds since the epoch; `null` before a connection. */
  readonly deadline: number | null;
  /** The language in which the interviewer asks; `null`: unknown. */
  readonly language: string | null;
  /** Which side turns speech into text, and which speaks the questions: of the newest connection. */
  readonly transcription: 'server' | 'client';
  readonly speech: 'server' | 'client';
  /** Whether the candidate's speech is kept as a recording. */
  readonly recorded: boolean;
  /** The code of what failed last; `null`: nothing has since the last question came. */
  readonly problem: string | null;
}

export type RoomEvent =
  | { readonly type: 'connection'; readonly name: 'connecting' | 'ready' | 'reconnecting' }
  | { readonly type: 'ended'; readonly by: EndedBy }
  | {
      readonly type: 'session';
      readonly audio: Pick<RoomState, 'transcription' | 'speech' | 'recorded'>;
      readonly expiresAt: string;
      readonly language?: string | undefined;
    }
  | {
      readonly type: 'question';
      readonly turn: number;
      readonly kind: Exchange['kind'];
      readonly preface?: string | undefined;
      readonly text: string;
      readonly number?: number | undefined;
      readonly of?: number | undefined;
      /** When it came, by the service's clock, and how long an interview takes at most, both in milliseconds. */
      readonly now: number;
      readonly maxDurationMs: number;
    }
  | {
      readonly type: 'answer';
      readonly turn: number;
      readonly text: string;
      readonly source: Exchange['source'];
    }
  | { readonly type: 'skipped'; readonly turn: number }
  | { readonly type: 'caption'; readonly text: string }
  | { readonly type: 'transcribing'; readonly turn: number | null }
  | { readonly type: 'interviewer'; readonly speaks: boolean }
  | { readonly type: 'heard'; readonly speech: boolean }
  | ({ readonly type: 'sent' } & Sent)
  | ({ readonly type: 'receipt'; readonly receipt: Receipt } & Sent)
  | { readonly type: 'problem'; readonly code: string };

/** Before the connection. */
export const EMPTY_ROOM: RoomState = {
  connection: 'connecting',
  ended: null,
  exchanges: [],
  caption: '',
  transcribing: null,
  interviewerSpeaks: false,
  heard: false,
  sending: [],
  refusals: [],
  deadline: null,
  language: null,
  transcription: 'client',
  speech: 'client',
  recorded: false,
  problem: null,
};

/** The exchange that waits for an answer; `null`: none does. */
export const openExchange = ({ exchanges }: RoomState): Exchange | null => {
  const last = exchanges.at(-1);
  return last?.answer === null ? last : null;
};

/** Whether the service has not answered yet. */
export const isSending = ({ sending }: RoomState, action: Action, turn: number): boolean =>
  sending.some((one) => isSame(one, { action, turn }));

/** Why an action was refused; `null`: it was not. */
export const refusalOf = ({ refusals }: RoomState, action: Action, turn: number): Refusal | null =>
  refusals.find((one) => isSame(one, { action, turn })) ?? null;

/**
 * `saved` only if the service has confirmed everything, and `unsaved` if it refused something.
 * @param waiting how much else is not sent
 */
export const savedState = (
  { connection, sending, refusals }: RoomState,
  waiting = 0,
): 'saved' | 'saving' | 'reconnecting' | 'unsaved' => {
  if (connection !== 'ready' && connection !== 'ended') return 'reconnecting';
  if (refusals.some(({ action }) => action !== 'interrupt')) return 'unsaved';
  return sending.length > 0 || waiting > 0 ? 'saving' : 'saved';
};

/** The state after an event. Pure. */
export const nextRoom = (state: RoomState, event: RoomEvent): RoomState => {
  switch (event.type) {
    case 'connection':
      return {
        ...state,
        connection: event.name,
        // The service does not send these messages again after a reconnection.
        ...(event.name !== 'ready' && { interviewerSpeaks: false, heard: false, transcribing: null }),
      };
    case 'ended':
      return {
        ...state,
        connection: 'ended',
        ended: event.by,
        interviewerSpeaks: false,
        heard: false,
        transcribing: null,
      };
    case 'session':
      // Set at each connection, since time may have been granted or withdrawn.
      return {
        ...state,
        ...event.audio,
        deadline: Date.parse(event.expiresAt),
        language: event.language ?? null,
      };
    case 'question':
      return {
        ...state,
        exchanges: [...state.exchanges, asked(event)],
        caption: '',
        transcribing: null,
        heard: false,
        problem: null,
        deadline: earlier(state.deadline, event.now + event.maxDurationMs),
      };
    case 'answer':
    case 'skipped':
      return {
        ...state,
        caption: '',
        transcribing: null,
        heard: false,
        exchanges: state.exchanges.map((one) => (one.turn === event.turn ? closed(one, event) : one)),
        refusals: state.refusals.filter(
          ({ action, turn }) => turn !== event.turn || action === 'correction' || action === 'end',
        ),
      };
    case 'caption':
      return { ...state, caption: event.text };
    case 'transcribing':
      return { ...state, transcribing: event.turn };
    case 'interviewer':
      return { ...state, interviewerSpeaks: event.speaks };
    case 'heard':
      return { ...state, heard: event.speech, ...(event.speech && { transcribing: null }) };
    case 'sent':
      return {
        ...state,
        sending: [...state.sending, { action: event.action, turn: event.turn }],
        refusals: state.refusals.filter((one) => !isSame(one, event)),
      };
    case 'receipt':
      return received(state, event);
    case 'problem':
      return { ...state, problem: event.code, transcribing: null };
  }
};

const received = (
  state: RoomState,
  { action, turn, receipt }: Sent & { readonly receipt: Receipt },
): RoomState => {
  const place = state.sending.findIndex((one) => isSame(one, { action, turn }));
  const answered = { ...state, sending: state.sending.filter((_, at) => at !== place) };
  if (receipt.acknowledged || isNeedless(state, { action, turn })) return answered;
  const others = state.refusals.filter((one) => !isSame(one, { action, turn }));
  return {
    ...answered,
    refusals: [...others, { action, turn, code: receipt.code }],
    transcribing: action === 'commit' ? null : state.transcribing,
  };
};

/** Whether a refused action has no purpose any more, since its result came another way. */
const isNeedless = ({ exchanges, ended }: RoomState, { action, turn }: Sent): boolean => {
  if (action === 'end') return ended === 'completed' || ended === 'session_over';
  if (action === 'interrupt') return ended !== null;
  if (action === 'correction' || action === 'answer') return false;
  return exchanges.some((one) => one.turn === turn && one.answer !== null);
};

const isSame = (one: Sent, other: Sent): boolean => one.action === other.action && one.turn === other.turn;

const asked = ({
  turn,
  kind,
  preface = '',
  text,
  number,
  of,
}: RoomEvent & { readonly type: 'question' }): Exchange => ({
  turn,
  kind,
  preface: preface === '' ? null : preface,
  question: text,
  place: number === undefined || of === undefined ? null : { number, of },
  answer: null,
  source: null,
  skipped: false,
  later: [],
});

const closed = (one: Exchange, event: RoomEvent & { readonly type: 'answer' | 'skipped' }): Exchange => {
  if (event.type === 'skipped') return one.answer === null ? { ...one, answer: '', skipped: true } : one;
  const { text, source } = event;
  return one.answer === null ? { ...one, answer: text, source } : { ...one, later: [...one.later, text] };
};

/** A text that was recorded for a question. */
export interface Recorded {
  readonly question: string;
  readonly text: string;
}

/** What was recorded between two states. */
export const recordedSince = (before: RoomState, now: RoomState): readonly Recorded[] =>
  now.exchanges.flatMap((one) => {
    const known = before.exchanges.find(({ turn }) => turn === one.turn);
    return textsOf(one)
      .slice(known ? textsOf(known).length : 0)
      .map((text) => ({ question: one.question, text }));
  });

const textsOf = ({ answer, later }: Exchange): readonly string[] =>
  [answer ?? '', ...later].filter((text) => text !== '');

const earlier = (one: number | null, other: number): number => (one === null ? other : Math.min(one, other));

/** How many minutes before the end warnings are shown. */
const WARNING_MINUTES = [10, 5, 1];

/** The last warning that is due, in minutes; `null`: none yet. A tab that slept skips the warnings before. */
export const dueWarning = (leftMs: number): number | null =>
  WARNING_MINUTES.filter((minutes) => leftMs <= minutes * 60_000).at(-1) ?? null;

/** The room's state as the page shows it, and what the candidate does as a part of it. */
export class RoomStore {
  readonly state = signal<RoomState>(EMPTY_ROOM);

  get now(): RoomState {
    return this.state.value;
  }

  /** Applies an event. */
  take(event: RoomEvent): void {
    this.state.value = nextRoom(this.state.value, event);
  }

  /** Sends something that the service answers by a receipt. Until then it counts as being sent. */
  async counted(sent: Sent, send: () => Promise<Receipt>): Promise<Receipt> {
    this.take({ type: 'sent', ...sent });
    const receipt = await send();
    this.take({ type: 'receipt', receipt, ...sent });
    return receipt;
  }
}
