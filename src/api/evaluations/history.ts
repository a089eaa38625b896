import { Inject, Injectable } from '@nestjs/common';
import type { Freshness } from '../../application/reads.js';
import { VAULT } from '../../application/tokens.js';
import { streamName } from '../../core/event-store.js';
import type { Query as QueryString } from '../../http/list-query.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/staff-applications.js';
import { History } from '../history/history.js';
import type { Past } from '../history/past.js';
import type { EvaluationRecord } from './record.js';
import { StaffEvaluations } from './staff-evaluations.js';

/** Evaluations as they were at a past time, as an organisation's staff see them. */
@Injectable()
export class EvaluationHistory {
  constructor(
    private readonly staff: StaffEvaluations,
    private readonly history: History,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /**
   * @param generation a former one of then, `null` for the latest of then
   * @returns `null`: there was no such evaluation or generation then
   * @throws {ApiError} `validation_failed`, `erased`, `too_far`, `unavailable`
   */
  async read(
    organisationId: string,
    id: string,
    generation: number | null,
    query: QueryString,
    meta: Freshness,
  ): Promise<EvaluationRecord | null> {
    const moment = await this.history.moment(query);
    const fresh = this.history.freshness(moment, meta);
    // What is erased or unknown now, or another organisation's, is not found for any time.
    const present = await this.staff.byId(organisationId, id, fresh);
    if (!present) return null;
    const { trialSessionId, candidateId } = present.document;
    await assertNotErased(this.vault, candidateId);
    const streams = [
      streamName('trial', trialSessionId),
      streamName('evaluation', id),
      streamName('candidate', candidateId),
    ];
    if (await this.history.isPresent(moment, streams)) {
      const record = await this.staff.record(present, generation, fresh);
      // Unless something came between.
      if (await this.history.isPresent(moment, streams)) return record;
    }
    const readings = streams.map((stream) => (past: Past) => past.stream(stream));
    return this.history.goBack(moment, readings, async (reads) => {
      const then = new StaffEvaluations(reads);
      const found = await then.byId(organisationId, id, fresh);
      return found && then.record(found, generation, fresh);
    });
  }
}
