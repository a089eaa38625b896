import type { EndedBy } from '../packages/interview-client/src/index.js';

/** A question with its answers, as the service has recorded them. */
export interface Exchange {
  readonly turn: number;
  readonly kind: 'planned' | 'follow_up' | 'clarification' | 'closing';
  readonly question: string;
  /** `null`: open. */
  readonly answer: string | null;
  readonly source: 'typed' | 'speech' | 'transcribed' | null;
  /** What was added after the answer. */
  readonly later: readonly string[];
}

export interface RoomState {
  readonly connection: 'connecting' | 'ready' | 'reconnecting' | 'ended';
  readonly ended: EndedBy | null;
  readonly exchanges: readonly Exchange[];
  /** What has been recognised of the answer so far. */
  readonly caption: string;
  readonly interviewerSpeaks: boolean;
  readonly heard: boolean;
  /** Messages without the service's receipt. */
  readonly unsaved: number;
  /** By when the interview ends, in milliseconds since the epoch. */
  readonly deadline: number | null;
  readonly transcription: 'server' | 'client';
  readonly speech: 'server' | 'client';
  readonly recorded: boolean;
  /** The code of what failed last. */
  readonly problem: string | null;
}

export type RoomEvent =
  | { readonly type: 'connection'; readonly name: 'connecting' | 'ready' | 'reconnecting' }
  | { readonly type: 'ended'; readonly by: EndedBy }
  | {
      readonly type: 'session';
      readonly audio: Pick<RoomState, 'transcription' | 'speech' | 'recorded'>;
      readonly expiresAt: string;
    }
  | {
      readonly type: 'question';
      readonly turn: number;
      readonly kind: Exchange['kind'];
      readonly text: string;
      /** When it came, and how long an interview takes at most, both in milliseconds. */
      readonly now: number;
      readonly maxDurationMs: number;
    }
  | {
      readonly type: 'answer';
      readonly turn: number;
      readonly text: string;
      readonly source: Exchange['source'];
    }
  | { readonly type: 'caption'; readonly text: string }
  | { readonly type: 'interviewer'; readonly speaks: boolean }
  | { readonly type: 'heard'; readonly speech: boolean }
  | { readonly type: 'sent' }
  | { readonly type: 'receipt' }
  | { readonly type: 'problem'; readonly code: string | null };

export const EMPTY_ROOM: RoomState = {
  connection: 'connecting',
  ended: null,
  exchanges: [],
  caption: '',
  interviewerSpeaks: false,
  heard: false,
  unsaved: 0,
  deadline: null,
  transcription: 'client',
  speech: 'client',
  recorded: false,
  problem: null,
};

/** The exchange that waits for an answer. */
export const openExchange = ({ exchanges }: RoomState): Exchange | null => {
  const last = exchanges.at(-1);
  return last?.answer === null ? last : null;
};

/** `saved` only if the service has confirmed everything. */
export const savedState = ({ connection, unsaved }: RoomState): 'saved' | 'saving' | 'reconnecting' => {
  if (connection !== 'ready' && connection !== 'ended') return 'reconnecting';
  return unsaved > 0 ? 'saving' : 'saved';
};

export const nextRoom = (state: RoomState, event: RoomEvent): RoomState => {
  switch (event.type) {
    case 'connection':
      return {
        ...state,
        connection: event.name,
        ...(event.name !== 'ready' && { interviewerSpeaks: false }),
      };
    case 'ended':
      return { ...state, connection: 'ended', ended: event.by, interviewerSpeaks: false, heard: false };
    case 'session':
      // Each connection tells it as it is now: time may have been granted or taken back.
      return { ...state, ...event.audio, deadline: Date.parse(event.expiresAt) };
    case 'question': {
      const { turn, kind, text: question } = event;
      const asked: Exchange = { turn, kind, question, answer: null, source: null, later: [] };
      return {
        ...state,
        exchanges: [...state.exchanges, asked],
        caption: '',
        heard: false,
        problem: null,
        deadline: earlier(state.deadline, event.now + event.maxDurationMs),
      };
    }
    case 'answer':
      return {
        ...state,
        caption: '',
        heard: false,
        exchanges: state.exchanges.map((one) => (one.turn === event.turn ? answered(one, event) : one)),
      };
    case 'caption':
      return { ...state, caption: event.text };
    case 'interviewer':
      return { ...state, interviewerSpeaks: event.speaks };
    case 'heard':
      return { ...state, heard: event.speech };
    case 'sent':
      return { ...state, unsaved: state.unsaved + 1 };
    case 'receipt':
      return { ...state, unsaved: Math.max(0, state.unsaved - 1) };
    case 'problem':
      return { ...state, problem: event.code };
  }
};

const answered = (
  one: Exchange,
  { text, source }: Pick<Exchange, 'source'> & { readonly text: string },
): Exchange =>
  one.answer === null ? { ...one, answer: text, source } : { ...one, later: [...one.later, text] };

const earlier = (one: number | null, other: number): number => (one === null ? other : Math.min(one, other));
