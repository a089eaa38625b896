import { Injectable } from '@nestjs/common';
import { handIns } from '../../../projections/hand-ins.js';
import type { Refused } from '../../core/decider.js';
import { CommandStreams } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { hasVisibleChecks } from '../../domain/session/check-decider.js';
import { sessionEnded } from '../../domain/session/decider.js';
import { NO_CONTENT, NO_SUCH_HAND_IN } from '../../domain/session/hand-in-decider.js';
import { handInById } from '../../domain/session/hand-ins.js';
import type { TrialState } from '../../domain/session/state.js';
import type { Found, FoundPage } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { FileOf } from '../../vault/port.js';
import type { Caller } from '../caller.js';
import { type Freshness, type ListQuery, Reads } from '../reads.js';
import { CandidateSessions, NO_SESSION } from '../sessions/candidate-sessions.js';
import { Uploads } from '../uploads/uploads.js';
import { arrivalOf } from './arrival.js';

export type FoundHandIn = Found<DocumentOf<typeof handIns>>;

/** A hand-in as its candidate finds it. */
export interface CandidateHandIn extends FoundHandIn {
  /** Whether its visible checks have a result, or will have one while the session is open. */
  readonly isChecked: boolean;
}

/** @param state of its session */
export const candidateHandIn = (state: TrialState, found: FoundHandIn): CandidateHandIn => ({
  ...found,
  isChecked: hasVisibleChecks(state, found.id),
});

/** A hand-in by the path that names it. */
export interface HandInPath {
  readonly trialSessionId: string;
  readonly ticketId: string;
  readonly handInId: string;
}

/** The hand-ins of a candidate's own sessions. Those of others are answered as if they did not exist. */
@Injectable()
export class CandidateHandIns {
  constructor(
    private readonly sessions: CandidateSessions,
    private readonly reads: Reads,
    private readonly uploads: Uploads,
    private readonly streams: CommandStreams,
  ) {}

  /** A hand-in of the caller’s. @returns a refusal if there is none at that path */
  async find(caller: Caller, path: HandInPath, freshness: Freshness): Promise<CandidateHandIn | Refused> {
    const session = await this.sessions.read(caller, path.trialSessionId, freshness);
    if (!session) return NO_SESSION;
    const found = await this.reads.get(handIns, path.handInId, freshness);
    return found && isAt(found.document, path) ? candidateHandIn(session.state, found) : NO_SUCH_HAND_IN;
  }

  /** A ticket's hand-ins, in the order in which they were begun. */
  async list(
    caller: Caller,
    { trialSessionId, ticketId }: Omit<HandInPath, 'handInId'>,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<
    | (Omit<FoundPage<DocumentOf<typeof handIns>>, 'items'> & { readonly items: readonly CandidateHandIn[] })
    | Refused
  > {
    const session = await this.sessions.read(caller, trialSessionId, freshness);
    if (!session) return NO_SESSION;
    const found = await this.reads.list(handIns, 'byTicket', [trialSessionId, ticketId], list, freshness);
    return { ...found, items: found.items.map((one) => candidateHandIn(session.state, one)) };
  }

  /** How many bytes of a hand-in have arrived. */
  async received({ id, document }: FoundHandIn): Promise<number> {
    const { status, bytes, person } = document;
    if (status === 'refused') return 0;
    return status === 'handed_in' || !person ? bytes : this.uploads.received({ person, fileId: id });
  }

  /** The file as it was sent; a refusal until all of it has arrived. */
  content({ id, document }: FoundHandIn): AsyncIterable<Buffer> | Refused {
    const { status, person } = document;
    return status === 'handed_in' && person ? this.uploads.content({ person, fileId: id }) : NO_CONTENT;
  }

  /**
   * Adds a piece to the stored file of a hand-in that was begun; no event records it. After the session’s completion it is
   * refused once the evaluation no longer waits for the hand-in.
   */
  async addPiece(
    caller: Caller,
    { trialSessionId, ticketId, handInId }: HandInPath,
    piece: { readonly offset: number; readonly bytes: Uint8Array },
    now: string,
    freshness: Freshness,
  ): Promise<{ readonly received: number } | Refused> {
    const session = await this.sessions.read(caller, trialSessionId, freshness);
    if (!session) return NO_SESSION;
    const begun = session.state && handInById(session.state.handIns, handInId);
    if (!session.state || begun?.ticketId !== ticketId) return NO_SUCH_HAND_IN;
    const arrival = await arrivalOf(this.streams, session.state, handInId, now);
    if (arrival === 'arrived') return { received: begun.bytes };
    if (arrival === 'over') return sessionEnded();
    if (typeof arrival === 'object') return arrival;
    const file: FileOf = { person: session.application.candidateId as PersonId, fileId: handInId };
    try {
      return await this.uploads.add(file, begun, piece.offset, piece.bytes);
    } catch (error) {
      if (error instanceof PersonErased) return NO_SESSION;
      throw error;
    }
  }
}

const isAt = (document: DocumentOf<typeof handIns>, { trialSessionId, ticketId }: HandInPath): boolean =>
  document.trialSessionId === trialSessionId && document.ticketId === ticketId;
