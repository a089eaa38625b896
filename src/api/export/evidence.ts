import type { SignedHead } from '../../../projections/evaluations.js';
import type { Pieces } from '../http/json-pieces.js';
import { EvidencePieces } from '../evaluations/evidence-pieces.js';
import type { AnswerRecorded } from '../../domain/session/events.js';
import type { FoundApplication } from '../applications/own-applications.js';
import type { Exporting } from './exporting.js';

/** A session's evidence as it is exported, a few events at a time. */
export class ExportedEvidence {
  private readonly evidence: EvidencePieces;

  constructor(exporting: Exporting, { document, position }: FoundApplication) {
    const { reads, freshness } = exporting;
    const { trialSessionId, candidateId } = document;
    const assertNotErased = () => exporting.assertNotErased(candidateId);
    this.evidence = new EvidencePieces({ reads, freshness, position, trialSessionId, assertNotErased });
  }

  /** @param head of the latest result that rests on it */
  pieces(head: SignedHead | null): Pieces {
    return this.evidence.pieces(head);
  }

  /** Turns whose speech is recorded; known once the events are written. */
  recordedTurns(): readonly number[] {
    const turns = this.evidence.talk.flatMap(({ events }) =>
      events.flatMap(({ eventType, facts }) => {
        if (eventType !== 'interview.answer_recorded') return [];
        const { late, turn, voice } = facts as unknown as AnswerRecorded['data'];
        return !late && voice?.kept === true ? [turn] : [];
      }),
    );
    return [...new Set(turns)].sort((one, other) => one - other);
  }
}
