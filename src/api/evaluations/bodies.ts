import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { evaluations } from '../../../projections/evaluations.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import type { PersonId } from '../../core/vault/port.js';
import { bufferOrStream } from '../../http/buffer-or-stream.js';
import { longAnswers } from '../../http/fair-turns.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased, erasedError } from '../applications/staff-applications.js';
import { BodyCache, MAX_CACHED_BYTES, type Source } from './body-cache.js';
import { type FoundEvaluation, StaffEvaluations } from './staff-evaluations.js';

/** An evaluation's JSON, as a stream if it is large. */
export interface EvaluationBody {
  readonly version: number;
  readonly body: Buffer | Readable;
}

/**
 * Evaluations as JSON. A body is sent from the cache until a document that it was made of changes: with 1 MB of evidence,
 * opening and writing the documents takes some fifty times as long as sending the body.
 */
@Injectable()
export class EvaluationBodies {
  private readonly cache = new BodyCache();

  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffEvaluations,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /**
   * @param outline of the evaluation, as it was found
   * @param generation a former one, `null` for the latest; the answer is `null` if there is none of that number
   * @param subject the caller's
   * @throws {ApiError} `erased`
   */
  async bodyOf(
    outline: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
    subject: string,
  ): Promise<EvaluationBody | null> {
    await assertNotErased(this.vault, outline.document.candidateId);
    const name = `${outline.id} ${generation ?? outline.document.generation}`;
    const cached = await this.cached(name, outline, freshness);
    return cached ?? this.render(name, outline, generation, freshness, subject);
  }

  /** The cached body, if its source documents are unchanged; else `null`. */
  private async cached(
    name: string,
    { document, position, stamp }: FoundEvaluation,
    freshness: Freshness,
  ): Promise<EvaluationBody | null> {
    const cached = this.cache.get(name);
    if (!cached) return null;
    const isCurrent = async ({ view, stamps }: Source): Promise<boolean> => {
      // The evaluation itself was read for this request: its stamp is at hand.
      if (view === evaluations) return [...stamps.values()].every((known) => known === stamp);
      const now = await this.reads.stampsAt(view, [...stamps.keys()], position, freshness);
      return [...stamps].every(([id, known]) => (now.get(id) ?? null) === known);
    };
    if (!(await Promise.all(cached.sources.map(isCurrent))).every((current) => current)) return null;
    // Last, so that a person who was erased during the reads above is not shown.
    const key = await this.vault.keys.get(document.candidateId as PersonId);
    if (key?.kind === 'erased') throw erasedError();
    const body = key && this.cache.open(name, cached, key);
    return body && { version: document.version, body };
  }

  /** Makes the body from the documents, and caches it. */
  private async render(
    name: string,
    { id, document, position }: FoundEvaluation,
    generation: number | null,
    freshness: Freshness,
    subject: string,
  ): Promise<EvaluationBody | null> {
    const candidateId = document.candidateId as PersonId;
    const found = await this.reads.getAt(evaluations, id, position, freshness);
    const notErased = () => assertNotErased(this.vault, candidateId);
    const written = found && (await this.staff.inPieces(found, generation, freshness, notErased));
    if (!written) return null;
    const { version, pieces, sources } = written;
    const body = await bufferOrStream(longAnswers.pieces(subject, pieces), MAX_CACHED_BYTES);
    const key = Buffer.isBuffer(body) ? await this.vault.keys.get(candidateId) : null;
    if (Buffer.isBuffer(body) && key?.kind === 'key') this.cache.set(name, key, body, sources);
    return { version, body };
  }
}
