import type { Random } from './random.js';

/** What a candidate does about one question. */
export interface PlannedReply {
  readonly text: string;
  /** An activity beside the interview is sent before the answer. */
  readonly activity: boolean;
  /** An afterthought to the former question, sent before this one is answered; `null`: none. */
  readonly afterthought: string | null;
  /** The connection breaks before the reply, or right after it, before it is acknowledged. */
  readonly drop: 'never' | 'before' | 'behind';
  /** It was spoken, and the candidate's program recognised it; else it is typed. */
  readonly spoken?: boolean;
  /** It is sent as this speech, of which the service makes the text: PCM s16le, 16 kHz, mono. Default: `text` is sent. */
  readonly recording?: Uint8Array | undefined;
}

export interface PlannedInterview {
  /** For the questions in their order; after the last, from the first again. */
  readonly replies: readonly PlannedReply[];
  /** A reply that fits the question's words, in place of the next of `replies`; `null` or left out: none does. */
  readonly fitting?: (question: string) => PlannedReply | null;
  /** The candidate ends it in place of the reply to this question, from 1; `null`: answers to the end. */
  readonly endsAt: number | null;
  /** The candidate stays connected, and leaves this question and those after it without a reply, from 1. Default: none. */
  readonly silentFrom?: number;
}

const REPLIES = 20;

const SHORT = ['Yes.', 'I tested it.', 'No idea, sorry', 'ok', '–'];
const AGAIN = [
  'Could you repeat the question, please?',
  'What do you mean?',
  'Sorry, could you say that again?',
];
const SENTENCES = [
  'First I wrote a failing test for the rounding, because the totals were off by one cent.',
  'Then I moved the parser behind an interface and ran both of them over the same 4,000 reports.',
  'We had to keep the old format for two more weeks, so both were written.',
  'It failed once in production: a list was empty, and nobody had asked what that should mean.',
  'Ich habe es danach mit der Kollegin noch einmal durchgesehen – «Prüfsummen» inklusive ✓.',
  'The query took 900 ms; with the index on the date it took 12.',
];
const AFTERTHOUGHTS = [
  'One more thing: the test is in the repository.',
  'I meant the second parser, of course.',
];

/** Typed answers of a seeded candidate: short ones, long ones, and some who ask back. */
export const planInterview = (random: Random): PlannedInterview => {
  // A candidate loses several connections, or none.
  const shaky = random.chance(0.4) ? 0.3 : 0;
  return {
    replies: Array.from({ length: REPLIES }, (_, place) => ({
      text: planText(random),
      activity: random.chance(0.2),
      afterthought: place > 0 && random.chance(0.08) ? random.pick(AFTERTHOUGHTS) : null,
      drop: random.chance(shaky) ? random.pick(['before', 'behind'] as const) : 'never',
    })),
    endsAt: random.chance(0.15) ? random.between(1, 4) : null,
  };
};

const planText = (random: Random): string => {
  const kind = random.weighted([
    ['long', 6],
    ['short', 2],
    ['again', 1],
  ] as const);
  if (kind === 'short') return random.pick(SHORT);
  if (kind === 'again') return random.pick(AGAIN);
  return Array.from({ length: random.between(1, 12) }, () => random.pick(SENTENCES)).join(' ');
};
