import { Injectable } from '@nestjs/common';
import { evaluations } from '../../../projections/evaluations.js';
import { organisations } from '../../../projections/organisations.js';
import { roles } from '../../../projections/roles.js';
import { streamName } from '../../core/stream-name.js';
import { History } from '../history/history.js';
import type { Reading } from '../history/past.js';
import type { Query as QueryString } from '../../http/list-query.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { readSummary, type SignalSummary } from './signal.js';

/** Streams' documents read at once. */
const PAGE = 200;

/** The signal summary of former times. */
@Injectable()
export class SignalHistory {
  constructor(
    private readonly reads: Reads,
    private readonly history: History,
  ) {}

  /**
   * @returns `null`: there was no such organisation then
   * @throws {ApiError} `validation_failed`, `too_far`, `unavailable`
   */
  async read(organisationId: string, query: QueryString, meta: Freshness): Promise<SignalSummary | null> {
    const moment = await this.history.moment(query);
    const { position } = moment;
    const freshness = this.history.freshness(moment, meta);
    if (moment.until === null) {
      const live = await readSummary(this.reads, organisationId, freshness);
      // Without a row nothing tells whether there was the organisation.
      if (live.summary.roles.length > 0 && live.position <= position) return live.summary;
    }
    await this.reads.waitFor([roles, evaluations], position);
    return this.history.goBack(moment, this.readings(organisationId, freshness), async (then) => {
      const organisation = await then.get(organisations, organisationId, freshness);
      return organisation && (await readSummary(then, organisationId, freshness)).summary;
    });
  }

  /** The streams that a summary is made of; only the live views know which they are, and they only ever become more. */
  private async *readings(organisationId: string, freshness: Freshness): AsyncGenerator<Reading> {
    yield (past) => past.stream(streamName('organisation', organisationId));
    const place = ['byOrganisation', [organisationId], PAGE, freshness] as const;
    for await (const page of this.reads.pages(roles, ...place))
      for (const { id } of page) yield (past) => past.stream(streamName('role', id));
    for await (const page of this.reads.pages(evaluations, ...place)) {
      for (const { document } of page) {
        const { trialSessionId, applicationId } = document;
        yield (past) => past.last(streamName('trial', trialSessionId), 'trial.completed');
        yield (past) => past.stream(streamName('application', applicationId));
      }
    }
  }
}
