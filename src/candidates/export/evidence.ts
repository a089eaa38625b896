import { evidence, type EvidenceDocument, evidenceEvents } from '../../../projections/evidence.js';
import type { SignedHead } from '../../../projections/evaluations.js';
import type { ListQuery } from '../../app/http/list-query.js';
import { questionsOf } from '../../evaluations/questions.js';
import type { AnswerRecorded } from '../../interview/events.js';
import type { FoundApplication } from '../own-applications.js';
import type { Exporting } from './exporting.js';
import { array, later, object, type Pieces, value } from './json-pieces.js';

/** Documents of up to 50 events in memory at once; an event has at most 16 KiB. */
const AT_ONCE = 2;

/** A session's evidence as it is exported, a few events at a time. */
export class ExportedEvidence {
  /** The interview's part of what has been written so far: what questions are made of. */
  private readonly talk: EvidenceDocument[] = [];

  constructor(
    private readonly exporting: Exporting,
    private readonly application: FoundApplication,
  ) {}

  /** @param head of the latest result that rests on it */
  pieces(head: SignedHead | null): Pieces {
    return object({
      events: array(this.documents(), (document) => [
        evidenceEvents(document)
          .map((event) => JSON.stringify(event))
          .join(','),
      ]),
      questions: later(() => value(questionsOf(this.talk))),
      head: value(head),
    });
  }

  /** Turns whose speech is recorded; known once the events are written. */
  recordedTurns(): readonly number[] {
    const turns = this.talk.flatMap(({ events }) =>
      events.flatMap(({ eventType, facts }) => {
        if (eventType !== 'interview.answer_recorded') return [];
        const { late, turn, voice } = facts as unknown as AnswerRecorded['data'];
        return !late && voice?.kept === true ? [turn] : [];
      }),
    );
    return [...new Set(turns)].sort((one, other) => one - other);
  }

  private async *documents(): AsyncGenerator<EvidenceDocument, void, undefined> {
    const { reads, freshness } = this.exporting;
    const { document, position } = this.application;
    const prefix = [document.trialSessionId];
    let cursor: string | null = null;
    do {
      const list: ListQuery = { limit: AT_ONCE, cursor };
      const page = await reads.listAt(evidence, 'bySession', prefix, list, position, freshness);
      await this.exporting.assertNotErased(document.candidateId);
      for (const { document: chunk } of page.items) {
        if (chunk.events.length === 0) continue;
        this.talk.push(talkOf(chunk));
        yield chunk;
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
}

/** The document with the interview's events alone: an activity may go by any name, but none has facts. */
const talkOf = (document: EvidenceDocument): EvidenceDocument => {
  const events = document.events.filter(({ facts }) => facts !== null);
  const payloads = document.personal?.payloads ?? {};
  const own = events.flatMap(({ sequenceNumber }) => {
    const payload = payloads[sequenceNumber];
    return payload ? [[sequenceNumber, payload] as const] : [];
  });
  return { ...document, events, personal: { payloads: Object.fromEntries(own) } };
};
