import { Inject, Injectable } from '@nestjs/common';
import { shareLinks } from '../../../projections/share-links.js';
import type { ListQuery } from '../../application/reads.js';
import { type Freshness, Reads } from '../../application/reads.js';
import type { SharedEvaluation } from '../../application/share-links/create-share-link.js';
import { SHARE_TOKEN, ShareTokens } from '../../application/share-links/tokens.js';
import { PUBLIC_URL, VAULT } from '../../application/tokens.js';
import { Count, Instant, Named, Nullable, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { ShareLink } from '../../domain/share-link/decider.js';
import { type Answer, page } from '../../http/answer.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/staff-applications.js';
import { type FoundEvaluation, StaffEvaluations } from '../evaluations/staff-evaluations.js';

/** A share link as staff see it. */
export const ShareLinkRecord = Named('ShareLink', {
  id: Uuid,
  createdAt: Instant,
  createdBy: Type.String({ description: 'The subject of the member who created it.' }),
  label: Nullable(
    Type.String({ description: 'What staff call it: it is shown on the report. An erasure removes it.' }),
  ),
  expiresAt: Instant,
  revokedAt: Nullable(Instant),
  views: Count,
});

/** A link as the answer to its creation, which alone shows the token. */
export const NewShareLinkRecord = Named('NewShareLink', {
  ...ShareLinkRecord.properties,
  token: Type.String({ pattern: SHARE_TOKEN.source }),
  url: Type.String({ format: 'uri', description: 'Where the report is read.' }),
});
export type NewShareLinkRecord = Static<typeof NewShareLinkRecord>;

/** Links to the reports of one organisation, as its staff find them and see them. */
@Injectable()
export class StaffShareLinks {
  constructor(
    private readonly reads: Reads,
    private readonly evaluations: StaffEvaluations,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    private readonly tokens: ShareTokens,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /**
   * The evaluation that links lead to, for a command: it is "not found" only once the view has reached the log's end.
   * @throws {ApiError} `not_found`; `erased`
   */
  async reference(organisationId: string, id: string, freshness: Freshness): Promise<SharedEvaluation> {
    return this.notErased(await this.evaluations.reference(organisationId, id, freshness));
  }

  /**
   * The evaluation that links lead to, as the views have it.
   * @throws {ApiError} `not_found`; `erased`
   */
  async evaluation(organisationId: string, id: string, freshness: Freshness): Promise<SharedEvaluation> {
    return this.notErased(await this.evaluations.outline(organisationId, id, freshness));
  }

  /** The evaluation as a link names it. @throws {ApiError} its candidate is erased */
  private async notErased({ id, document }: FoundEvaluation): Promise<SharedEvaluation> {
    const { organisationId, candidateId, applicationId, trialSessionId, roleId } = document;
    await assertNotErased(this.vault, candidateId);
    return { organisationId, candidateId, applicationId, trialSessionId, roleId, evaluationId: id };
  }

  /** A page of an evaluation's links, oldest first, with those that show nothing any more. */
  async page(evaluationId: string, list: ListQuery, freshness: Freshness): Promise<Answer> {
    const found = await this.reads.list(shareLinks, 'byEvaluation', [evaluationId], list, freshness);
    return page(found, ({ document, id }) =>
      pick(ShareLinkRecord, { ...document, id, label: document.personal?.label ?? null }),
    );
  }

  /** Whether the evaluation has such a link: `false` only once the view has reached the log's end as of the call. */
  async has(evaluationId: string, linkId: string, freshness: Freshness): Promise<boolean> {
    const found = await this.reads.findCaughtUp([shareLinks], async () => {
      const link = await this.reads.get(shareLinks, linkId, freshness);
      return link?.document.evaluationId === evaluationId ? link : null;
    });
    return found !== null;
  }

  /** The record with the token, as its creation answers it. */
  async created(link: ShareLink): Promise<NewShareLinkRecord> {
    const id = link.ids.linkId;
    const token = await this.tokens.tokenOf(id);
    return pick(NewShareLinkRecord, {
      ...link,
      id,
      token,
      url: `${this.publicUrl}/shared/reports/${token}`,
    });
  }
}
