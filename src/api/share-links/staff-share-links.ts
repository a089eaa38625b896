import { Controller, Get, Param } from '@nestjs/common';
import { shareLinks } from '../../../projections/share-links.js';
import type { Vault } from '../../vault/port.js';
import type { ShareLinkIds } from '../../domain/share-link/events.js';
import { pageOf } from '../../core/json-schema.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import type { Freshness, Reads } from '../reads.js';
import { assertNotErased } from '../applications/erased.js';
import type { FoundEvaluation, StaffEvaluations } from '../evaluations/staff-evaluations.js';
import { StaffMay } from '../access/access.decorator.js';
import { Answer, ok } from '../http/answer.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { type NewShareLinkRecord, type ShareLinkRecord, shareLinkRecord, shareLinkSchema } from './record.js';
import type { ShareTokens } from './tokens.js';

/** Ids of an evaluation that links lead to. */
export type SharedEvaluation = Omit<ShareLinkIds, 'linkId'>;

/** Links to the reports of one organisation, as its staff find them and see them. */
export class StaffShareLinks {
  constructor(
    private readonly reads: Reads,
    private readonly evaluations: StaffEvaluations,
    private readonly vault: Pick<Vault, 'keys'>,
    private readonly tokens: ShareTokens,
    private readonly publicUrl: () => string,
  ) {}

  /**
   * The evaluation that links lead to, for a command: "not found" is said only once the view has come to the log's end.
   * @throws {ApiError} `not_found`; `erased`
   */
  async settled(organisationId: string, id: string, freshness: Freshness): Promise<SharedEvaluation> {
    const look = () => this.evaluations.byId(organisationId, id, freshness);
    return this.readable(await this.evaluations.settled(look));
  }

  /**
   * The evaluation that links lead to, as the views have it.
   * @throws {ApiError} `not_found`; `erased`
   */
  async evaluation(organisationId: string, id: string, freshness: Freshness): Promise<SharedEvaluation> {
    return this.readable(await this.evaluations.byId(organisationId, id, freshness));
  }

  private async readable(found: FoundEvaluation | null): Promise<SharedEvaluation> {
    if (!found) throw notFound('There is no such evaluation.');
    const { organisationId, candidateId, applicationId, trialSessionId, roleId } = found.document;
    await assertNotErased(this.vault, candidateId);
    return { organisationId, candidateId, applicationId, trialSessionId, roleId, evaluationId: found.id };
  }

  /** A page of an evaluation's links, oldest first, with those that show nothing any more. */
  async page(
    evaluationId: string,
    list: ListQuery,
    freshness: Freshness,
  ): Promise<{ readonly items: readonly ShareLinkRecord[]; readonly nextCursor: string | null }> {
    const page = await this.reads.list(shareLinks, 'byEvaluation', [evaluationId], list, freshness);
    const items = page.items.map(({ document, id }) => shareLinkRecord(document, id));
    return { items, nextCursor: page.nextCursor };
  }

  /** Whether the evaluation has such a link: "no" is said only once the view has come to the log's present end. */
  async has(evaluationId: string, linkId: string, freshness: Freshness): Promise<boolean> {
    const found = await this.reads.settled([shareLinks], async () => {
      const link = await this.reads.get(shareLinks, linkId, freshness);
      return link?.document.evaluationId === evaluationId ? link : null;
    });
    return found !== null;
  }

  /** The record with the token, as its creation answers it. */
  async created(link: Omit<ShareLinkRecord, 'id'>, id: string): Promise<NewShareLinkRecord> {
    const token = await this.tokens.tokenOf(id);
    return { ...shareLinkRecord(link, id), token, url: `${this.publicUrl()}/shared/reports/${token}` };
  }
}

@Controller('organisations/:orgId/evaluations/:id/share-links')
export class ShareLinksController {
  constructor(private readonly links: StaffShareLinks) {}

  @Get()
  @StaffMay('reports.share')
  @Operation({
    id: 'shareLinks.list',
    tag: 'Shared reports',
    summary: 'List the links to a report',
    list: true,
    success: {
      status: 200,
      description: 'Links, oldest first, with those that have expired or were taken back.',
      schema: pageOf(shareLinkSchema()),
    },
    errors: ['not_found', 'erased'],
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const { evaluationId } = await this.links.evaluation(organisationId, id, meta);
    return ok(await this.links.page(evaluationId, list, meta));
  }
}
