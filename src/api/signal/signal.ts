import { Controller, Get, Injectable, Module, Param, Query } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { evaluations } from '../../../projections/evaluations.js';
import { organisations } from '../../../projections/organisations.js';
import { roles } from '../../../projections/roles.js';
import {
  addCounts,
  type RoleSignal,
  type SignalCounts,
  ZERO,
  signal,
  type SignalDocument,
} from '../../../projections/signal.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { Slices } from '../../core/concurrency.js';
import { START, type Position, streamName } from '../../core/event-store.js';
import { Count, Named, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { Found } from '../../engine/reads/reads.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, json } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { Query as QueryString } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { History, HistoryModule } from '../history/history.js';
import { atParameter } from '../history/moment.js';
import type { Reading } from '../history/past.js';

const counts = {
  trialCompletedCount: Count,
  outcomeRecordedCount: Count,
  awaitingOutcomeCount: Count,
  humanRound: Named('HumanRoundCounts', { passed: Count, failed: Count }),
  disposition: Named('DispositionCounts', { hired: Count, declined: Count }),
};

/** The signal summary as the interface has it. */
export type SignalSummary = Static<typeof SignalSummary>;
export const SignalSummary = Named(
  'SignalSummary',
  {
    roles: Type.Array(Named('RoleSignal', { roleId: Uuid, roleName: Type.String(), ...counts })),
    totals: Named('SignalTotals', counts),
  },
  { description: '`roles` are ordered by name, then by id; `totals` are their sum.' },
);

/** @param rows of one organisation, in any order */
export const summaryOf = (rows: readonly RoleSignal[]): SignalSummary => ({
  roles: [...rows].sort(byNameThenId),
  totals: rows.reduce<SignalCounts>(addCounts, ZERO),
});

/** Orders by code units, so that every machine has the same order in any locale. */
const byNameThenId = (a: RoleSignal, b: RoleSignal): number =>
  compare(a.roleName, b.roleName) || compare(a.roleId, b.roleId);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A summary as JSON, and its entity tag. */
interface Written {
  readonly body: Buffer;
  readonly tag: string;
}

const written = new WeakMap<SignalSummary, Written>();

/** The summary as JSON. One that is read again unchanged is the same object, and is written only once. */
export const writeSummary = (summary: SignalSummary): Written => {
  let once = written.get(summary);
  if (once === undefined) {
    const body = Buffer.from(JSON.stringify(summary));
    once = { body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    written.set(summary, once);
  }
  return once;
};

/** Rows read at once. */
const PAGE = 500;

/** An organisation's summary as the views have it. */
export interface FoundSummary {
  readonly summary: SignalSummary;
  /** The position of the newest event that it counts; `START` if it has no rows. */
  readonly position: Position;
}

interface Known extends FoundSummary {
  /** The pages that it was made of. */
  readonly pages: readonly Rows[];
}

type Rows = readonly Found<SignalDocument>[];

/** Summaries by their first page, which the views keep as one object while it is unchanged. */
const known = new WeakMap<Rows, Known>();

/**
 * Reads every row of an organisation. An event changes one row alone, so that a summary has all of an event or nothing;
 * totals are the sums of these rows.
 * @throws {ViewParked} a row could not take an event
 */
export const readSummary = async (
  reads: Pick<Reads, 'list'>,
  organisationId: string,
  freshness: Freshness,
): Promise<FoundSummary> => {
  const rowsFrom = (cursor: string | null) =>
    reads.list(signal, 'byOrganisation', [organisationId], { limit: PAGE, cursor }, freshness);
  const first = await rowsFrom(null);
  const pages = [first.items];
  const slices = new Slices();
  for (let cursor = first.nextCursor; cursor !== null;) {
    await slices.next();
    const page = await rowsFrom(cursor);
    pages.push(page.items);
    cursor = page.nextCursor;
  }
  const former = known.get(first.items);
  if (former?.pages.length === pages.length && former.pages.every((page, at) => page === pages[at]))
    return former;
  const summary = { ...found(pages.flat()), pages };
  known.set(first.items, summary);
  return summary;
};

const found = (rows: Rows): FoundSummary => ({
  summary: summaryOf(rows.flatMap(({ document }) => document.row ?? [])),
  position: rows.reduce((newest, { position }) => (position > newest ? position : newest), START),
});

/** Streams' documents read at once. */
const STREAMS_PAGE = 200;

/** The signal summary as it was at a past time. */
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
      // Without a row, only the log shows whether the organisation existed.
      if (live.summary.roles.length > 0 && live.position <= position) return live.summary;
    }
    await this.reads.waitFor([roles, evaluations], position);
    return this.history.goBack(moment, this.readings(organisationId, freshness), async (then) => {
      const organisation = await then.get(organisations, organisationId, freshness);
      return organisation && (await readSummary(then, organisationId, freshness)).summary;
    });
  }

  /** Reads the streams that a summary is made of. The live views list them: no stream is ever removed. */
  private async *readings(organisationId: string, freshness: Freshness): AsyncGenerator<Reading> {
    yield (past) => past.stream(streamName('organisation', organisationId));
    const place = ['byOrganisation', [organisationId], STREAMS_PAGE, freshness] as const;
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

const signalOperations = {
  read: {
    id: 'signal.read',
    tag: 'Signal',
    summary: 'Read the signal summary',
    description: 'Counts per role and in total.',
    success: answersRecord('The signal summary.', SignalSummary),
    separateStatuses: [401, 403],
  },
} satisfies Operations;

@Controller('organisations/:orgId/signal')
class SignalController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('signal.read')
  @Operation(signalOperations.read)
  async read(@Param('orgId') organisationId: string, @Meta() meta: RequestMeta): Promise<Answer> {
    const { summary } = await readSummary(this.reads, organisationId, meta);
    const { body, tag } = writeSummary(summary);
    return json(body, { tag });
  }
}

const signalHistoryOperations = {
  read: {
    id: 'signal.readPast',
    tag: 'Signal',
    summary: 'Read the signal summary of a time',
    description:
      'The same summary as it was at a time, roles under the names that they had then, folded from the log. Before there was the organisation it is not found.',
    query: [atParameter],
    success: { status: 200, description: 'The signal summary of then.', schema: SignalSummary },
    errors: ['not_found', 'too_far'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/signal/history')
class SignalHistoryController {
  constructor(private readonly history: SignalHistory) {}

  @Get()
  @StaffMay('signal.read')
  @Operation(signalHistoryOperations.read)
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

@Module({
  imports: [HistoryModule],
  controllers: [SignalController, SignalHistoryController],
  providers: [SignalHistory],
})
export class SignalModule {}
