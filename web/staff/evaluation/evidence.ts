import type { EvidenceEvent } from '../../../packages/client/src/index.js';

/** The position of a line's speech in the recording of its turn. */
export interface Spoken {
  readonly turn: number;
  readonly startMs: number;
  readonly durationMs: number;
}

/** The event of a line, and when it was recorded. */
interface At {
  readonly id: string;
  readonly at: string;
}

/** One line of the transcript, or a run of recorded events between two of them. */
export type Line =
  | (At & {
      readonly kind: 'question';
      readonly turn: number;
      readonly question: number | null;
      readonly asked: string;
      readonly preface: string | null;
      readonly text: string | null;
      readonly dimensionIds: readonly string[];
    })
  | (At & {
      readonly kind: 'answer';
      readonly turn: number;
      readonly question: number | null;
      /** `null`: it can no longer be read. */
      readonly text: string | null;
      readonly source: string;
      readonly isLate: boolean;
      readonly asksAgain: boolean;
      readonly gapMs: number | null;
      readonly spoken: Spoken | null;
    })
  | (At & {
      readonly kind: 'skipped';
      readonly turn: number;
      readonly question: number | null;
      readonly spoken: Spoken | null;
    })
  | (At & { readonly kind: 'message'; readonly text: string | null; readonly to: string })
  | (At & { readonly kind: 'events'; readonly events: readonly EvidenceEvent[] });

const text = (event: EvidenceEvent, name: string): string | null => {
  const value = event.payload?.[name];
  return typeof value === 'string' ? value : null;
};
const number = (event: EvidenceEvent, name: string): number | null => {
  const value = event.payload?.[name];
  return typeof value === 'number' ? value : null;
};

/** The recorded speech of an answer, if it is kept. */
const keptMs = (event: EvidenceEvent): number | null => {
  const voice = event.payload?.['voice'];
  if (typeof voice !== 'object' || voice === null) return null;
  const { kept, durationMs } = voice as { readonly kept?: unknown; readonly durationMs?: unknown };
  return kept === true && typeof durationMs === 'number' ? durationMs : null;
};

const ENDS_TURN = ['interview.answer_recorded', 'interview.turn_skipped'];

/**
 * The position of each spoken line in the recording of its turn, by event id. A recording has the answer to the turn, then
 * speech that came after the turn was closed.
 */
export const spokenLines = (events: readonly EvidenceEvent[]): ReadonlyMap<string, Spoken> => {
  const ends = new Map<number, number>();
  const found = new Map<string, Spoken>();
  const closing = events.filter(({ eventType }) => ENDS_TURN.includes(eventType));
  const inOrder = [
    ...closing.filter((event) => event.payload?.['late'] !== true),
    ...closing.filter((event) => event.payload?.['late'] === true),
  ];
  for (const event of inOrder) {
    const turn = number(event, 'turn');
    const durationMs = keptMs(event);
    if (turn === null || durationMs === null) continue;
    const startMs = ends.get(turn) ?? 0;
    found.set(event.id, { turn, startMs, durationMs });
    ends.set(turn, startMs + durationMs);
  }
  return found;
};

/** The evidence as a transcript: what was said, line by line, and the other events in between. */
export const transcriptOf = (events: readonly EvidenceEvent[]): readonly Line[] => {
  const spoken = spokenLines(events);
  const questions = questionsOf(events);
  const lines: Line[] = [];
  for (const event of events) {
    const said = saidIn(event, spoken, questions);
    const last = lines.at(-1);
    if (said) lines.push(said);
    else if (last?.kind === 'events') lines.splice(-1, 1, { ...last, events: [...last.events, event] });
    else lines.push({ kind: 'events', id: event.id, at: event.recordedAt, events: [event] });
  }
  return lines;
};

/**
 * By turn, which of the planned questions it asks or belongs to, as the candidate reads it. Follow-ups and explanations are
 * turns too. A turn before the first of them, and the closing one, has none.
 */
const questionsOf = (events: readonly EvidenceEvent[]): ReadonlyMap<number, number> => {
  const questions = new Map<number, number>();
  let asked = 0;
  for (const event of events) {
    const turn = number(event, 'turn');
    if (event.eventType !== 'interview.question_asked' || turn === null) continue;
    const kind = text(event, 'kind');
    if (kind === 'planned') asked += 1;
    if (kind !== 'closing' && asked > 0) questions.set(turn, asked);
  }
  return questions;
};

const saidIn = (
  event: EvidenceEvent,
  spoken: ReadonlyMap<string, Spoken>,
  questions: ReadonlyMap<number, number>,
): Line | null => {
  const at = { id: event.id, at: event.recordedAt };
  const turn = number(event, 'turn') ?? 0;
  const question = questions.get(turn) ?? null;
  switch (event.eventType) {
    case 'interview.question_asked': {
      const dimensionIds = event.payload?.['dimensionIds'];
      return {
        ...at,
        kind: 'question',
        turn,
        question,
        asked: text(event, 'kind') ?? '',
        preface: text(event, 'preface'),
        text: text(event, 'text'),
        dimensionIds: Array.isArray(dimensionIds)
          ? dimensionIds.filter((one): one is string => typeof one === 'string')
          : [],
      };
    }
    case 'interview.answer_recorded':
      return {
        ...at,
        kind: 'answer',
        turn,
        question,
        text: text(event, 'text'),
        source: text(event, 'source') ?? '',
        isLate: event.payload?.['late'] === true,
        asksAgain: event.payload?.['asksAgain'] === true,
        gapMs: number(event, 'gapMs'),
        spoken: spoken.get(event.id) ?? null,
      };
    case 'interview.turn_skipped':
      return { ...at, kind: 'skipped', turn, question, spoken: spoken.get(event.id) ?? null };
    case 'message.sent':
      return { ...at, kind: 'message', text: text(event, 'text'), to: text(event, 'to') ?? '' };
    default:
      return null;
  }
};

/** The line that has an event, to be opened when the address names the event; `null`: there is none. */
export const lineOf = (lines: readonly Line[], eventId: string): Line | null =>
  lines.find((line) =>
    line.kind === 'events' ? line.events.some(({ id }) => id === eventId) : line.id === eventId,
  ) ?? null;

/** The place of an event on the page of its transcript. */
export const placeId = (eventId: string): string => `e-${eventId}`;

/** The event that an address leads to; `null`: none. @param hash with its mark, as the browser has it */
export const eventOfPlace = (hash: string): string | null => /^#e-([0-9a-f-]{36})$/.exec(hash)?.[1] ?? null;

/** A moment of a recording as minutes and seconds. */
export const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Events whose quote is what somebody said. */
const SAID = ['message.sent', 'interview.answer_recorded', 'interview.question_asked'];

/** The kind of a quote: words, a line of the work, or what happened. */
export const quotedAs = (
  quote: string | null,
  event: EvidenceEvent | undefined,
): 'words' | 'line' | 'event' => {
  if (event === undefined || SAID.includes(event.eventType)) return quote === null ? 'event' : 'words';
  // As in `src/sum.js:3+ return a + b`.
  return quote !== null && event.eventType === 'work.handed_in' && /:\d+[+ -]/.test(quote) ? 'line' : 'event';
};

/** Whether a quote leaves out the end of what was said. */
export const isCut = (quote: string, event: EvidenceEvent | undefined): boolean => {
  const whole = event ? (text(event, 'text') ?? '').trimEnd() : '';
  const at = whole.indexOf(quote.trimEnd());
  return at >= 0 && at + quote.trimEnd().length < whole.length;
};

interface EventWords {
  readonly lines: (added: number, removed: number) => string;
  readonly tests: (passed: number, failed: number) => string;
  readonly visible: (passed: number, failed: number) => string;
  readonly hidden: (passed: number, failed: number) => string;
  readonly characters: (count: number) => string;
  readonly files: (count: number) => string;
}

/**
 * The parts of an event's content that help its reader, in a few words; of an unknown type all short ones.
 * @param titles of tasks, by their ids
 */
export const factsOf = (
  event: EvidenceEvent,
  t: EventWords,
  titles: ReadonlyMap<string, string>,
): readonly string[] => {
  if (event.payload === null) return [];
  const figure = (name: string): number => number(event, name) ?? 0;
  const named = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => text(event, name) ?? []);
  switch (event.eventType) {
    case 'ticket.started':
    case 'ticket.finished':
      return named('ticketId').map((id) => titles.get(id) ?? id);
    case 'file.changed':
      return [...named('path'), t.lines(figure('linesAdded'), figure('linesRemoved'))];
    case 'test.run':
      return [t.tests(figure('passed'), figure('failed'))];
    case 'clipboard.pasted':
      return [t.characters(figure('characters'))];
    case 'work.hand_in_begun':
    case 'work.refused':
      return named('name', 'message');
    case 'work.handed_in':
      return [...named('name'), t.files(figure('files'))];
    case 'work.checked':
      return [...tally(event, 'visible', t.visible), ...tally(event, 'hidden', t.hidden)];
    default:
      return isKnown(event.eventType) ? [] : shortFacts(event);
  }
};

const tally = (
  event: EvidenceEvent,
  name: string,
  inWords: (passed: number, failed: number) => string,
): readonly string[] => {
  const value = event.payload?.[name];
  if (typeof value !== 'object' || value === null) return [];
  const { passed, failed, errors = 0 } = value as Readonly<Record<string, unknown>>;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof errors !== 'number') return [];
  return passed + failed + errors === 0 ? [] : [inWords(passed, failed + errors)];
};

const isKnown = (eventType: string): boolean =>
  /^(?:trial|interview|work|page|network|fullscreen)\./.test(eventType);

/** Longest value that is shown, in UTF-16 units. */
const MAX_FACT = 120;

const shortFacts = ({ payload }: EvidenceEvent): readonly string[] =>
  Object.entries(payload ?? {}).flatMap(([name, value]) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return shown.length <= MAX_FACT ? [`${name}: ${shown}`] : [];
  });
