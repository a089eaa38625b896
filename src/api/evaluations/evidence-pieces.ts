import type { SignedHead } from '../../../projections/evaluations.js';
import {
  evidence,
  evidenceChunk,
  evidenceChunkId,
  type EvidenceDocument,
} from '../../../projections/evidence.js';
import type { ListQuery } from '../../application/reads.js';
import type { Freshness, Reads } from '../../application/reads.js';
import type { Position } from '../../core/event-store.js';
import { array, later, object, type Pieces, value } from '../../http/json-pieces.js';
import { questionsOf } from '../../scoring/evidence/questions.js';
import { evidenceEvents } from './record.js';

/** Documents in memory at the same time. One has up to 149 events of at most 16 KiB each. */
const AT_ONCE = 2;

/** Where a session's evidence is read, and how fresh it must be. */
export interface EvidenceSource {
  readonly reads: Reads;
  readonly freshness: Freshness;
  /** The evidence is read at least as fresh as this. */
  readonly position: Position;
  readonly trialSessionId: string;
  /** Called after each page is read and before it is handed on; throws once the candidate is erased. */
  readonly assertNotErased: () => Promise<void>;
}

/** A session's evidence as JSON, a few events at a time. */
export class EvidencePieces {
  /** The interview's events in what was written so far: the questions are made of them. */
  readonly talk: EvidenceDocument[] = [];
  /**
   * Stamps by id of the documents that were written so far. Once all were written, also `null` for the document that
   * the session's next event would begin, if it would: a cached body is out of date as soon as that one exists.
   */
  readonly stamps = new Map<string, string | null>();

  constructor(private readonly source: EvidenceSource) {}

  /** @param head of the result that rests on it */
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

  /** The session’s chunks, page by page, each as fresh as the evaluation. */
  private async *documents(): AsyncGenerator<EvidenceDocument, void, undefined> {
    const { reads, freshness, position, trialSessionId, assertNotErased } = this.source;
    let cursor: string | null = null;
    let recorded = 0;
    do {
      const list: ListQuery = { limit: AT_ONCE, cursor };
      const page = await reads.listAt(evidence, 'bySession', [trialSessionId], list, position, freshness);
      await assertNotErased();
      for (const { id, stamp = '', document: chunk } of page.items) {
        this.stamps.set(id, stamp);
        recorded = lastSequenceNumber(chunk) ?? recorded;
        if (chunk.events.length === 0) continue;
        this.talk.push(talkOf(chunk));
        yield chunk;
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    const next = evidenceChunkId(trialSessionId, evidenceChunk(recorded + 1));
    // If the next event goes into a document that was written, it changes that document's stamp.
    if (!this.stamps.has(next)) this.stamps.set(next, null);
  }
}

const lastSequenceNumber = ({ events }: EvidenceDocument): number | undefined => {
  const last = events.at(-1);
  return last && last.sequenceNumber + Math.max(1, last.items?.occurredAt.length ?? 1) - 1;
};

/** The document with the interview's events alone. Activities are left out: they may have the name of any event. */
const talkOf = (document: EvidenceDocument): EvidenceDocument => {
  const events = document.events.filter(({ facts }) => facts !== null);
  const payloads = document.personal?.payloads ?? {};
  const own = events.flatMap(({ sequenceNumber }) => {
    const payload = payloads[sequenceNumber];
    return payload ? [[sequenceNumber, payload] as const] : [];
  });
  return { ...document, events, personal: { payloads: Object.fromEntries(own), activities: {} } };
};
