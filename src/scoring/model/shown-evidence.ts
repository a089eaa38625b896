import { inert, shortened, withoutAddresses } from '../../clients/openai/text.js';
import { countIn, type EvidenceEvent, isAnswer, isQuestion, textIn } from '../evidence/evidence.js';

/** What a model is shown of an event: nothing that says who the candidate is. */
export interface ShownEvent {
  readonly eventId: string;
  /** By the service's clock. */
  readonly at: string;
  readonly eventType: string;
  readonly payload: Readonly<Record<string, string | number>>;
}

export interface ShownEvidence {
  /** In the order of the session. */
  readonly events: readonly ShownEvent[];
  /** How many events of each kind were left out, all older than the shown ones of their kind. */
  readonly omitted: Readonly<Record<string, number>>;
}

/** Longest text shown of one string, in UTF-16 code units. */
export const SHOWN_TEXT = 3_000;

interface Kind {
  readonly name: string;
  /** Characters of JSON that it may take, besides what kinds before it have left. */
  readonly characters: number;
  readonly includes: (event: EvidenceEvent) => boolean;
  readonly keys: readonly string[];
}

const activity =
  (...types: readonly string[]) =>
  (event: EvidenceEvent): boolean =>
    event.isActivity && types.includes(event.eventType);

/**
 * The most telling first. Each kind has room of its own, so that much of one never hides all of another. What is not
 * listed is not shown: signals of integrity are no part of a score.
 */
const KINDS: readonly Kind[] = [
  {
    name: 'interview',
    characters: 30_000,
    includes: (event) => isQuestion(event) || isAnswer(event),
    keys: ['turn', 'kind', 'source', 'text'],
  },
  { name: 'messages', characters: 15_000, includes: activity('message.sent'), keys: ['to', 'text'] },
  {
    name: 'work',
    characters: 8_000,
    includes: activity('test.run', 'ticket.started', 'ticket.finished'),
    keys: ['passed', 'failed', 'durationMs', 'ticketId'],
  },
  {
    name: 'changes',
    characters: 7_000,
    includes: activity('file.changed'),
    keys: ['path', 'linesAdded', 'linesRemoved'],
  },
];

/** Characters of evidence that a model is shown at most. */
export const SHOWN_CHARACTERS = KINDS.reduce((sum, { characters }) => sum + characters, 0);

/**
 * The part of a session's evidence that a model is shown, the same whenever it is asked: of each kind the newest events,
 * up to the first that has no room. E-mail addresses within texts are left out.
 */
export const shownEvidence = (evidence: readonly EvidenceEvent[]): ShownEvidence => {
  const shown = new Map<EvidenceEvent, ShownEvent>();
  const omitted: [string, number][] = [];
  let room = 0;
  for (const { name, characters, includes, keys } of KINDS) {
    room += characters;
    const events = evidence.filter(includes);
    let older = events.length;
    for (; older > 0; older -= 1) {
      const event = events[older - 1];
      if (event === undefined) break;
      const entry = shownEvent(event, keys);
      const size = inert(entry).length;
      if (size > room) break;
      room -= size;
      shown.set(event, entry);
    }
    if (older > 0) omitted.push([name, older]);
  }
  return {
    events: evidence.flatMap((event) => shown.get(event) ?? []),
    omitted: Object.fromEntries(omitted),
  };
};

const shownEvent = (event: EvidenceEvent, keys: readonly string[]): ShownEvent => ({
  eventId: event.id,
  at: event.recordedAt,
  eventType: event.eventType,
  payload: Object.fromEntries(
    keys.flatMap((key): [string, string | number][] => {
      const text = textIn(event, key);
      if (text !== null) return [[key, shortened(withoutAddresses(text), SHOWN_TEXT)]];
      const count = countIn(event, key);
      return count === null ? [] : [[key, count]];
    }),
  ),
});
