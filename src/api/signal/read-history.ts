import { Controller, Get, Param, Query } from '@nestjs/common';
import { evaluations } from '../../../projections/evaluations.js';
import { organisations } from '../../../projections/organisations.js';
import { roles } from '../../../projections/roles.js';
import { streamName } from '../../core/stream-name.js';
import type { History } from '../history/history.js';
import type { Reading } from '../history/past.js';
import type { Query as QueryString } from '../../http/list-query.js';
import type { Freshness, Reads } from '../../application/reads.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { atParameter } from '../history/moment.js';
import { type Answer, json } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../http/openapi/operation.js';
import { readSummary, SignalSummary, writeSummary } from './signal.js';

/** Streams' documents read at once. */
const PAGE = 200;

/** The signal summary of former times. */
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

@Controller('organisations/:orgId/signal/history')
export class SignalHistoryController {
  constructor(private readonly history: SignalHistory) {}

  @Get()
  @StaffMay('signal.read')
  @Operation({
    id: 'signal.readPast',
    tag: 'Signal',
    summary: 'Read the signal summary as it stood',
    description:
      'The same summary as it stood at a time, roles under the names that they had then, folded from the log. Before there was the organisation it is not found.',
    query: [atParameter],
    success: { status: 200, description: 'The signal summary of then.', schema: SignalSummary },
    errors: ['not_found', 'too_far'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const then = await this.history.read(organisationId, query, meta);
    if (!then) throw notFound('This organisation did not exist then.');
    return json(writeSummary(then).body);
  }
}
