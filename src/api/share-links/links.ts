import { createHash, createHmac, randomBytes } from 'node:crypto';
import { shareLinks } from '../../../projections/share-links.js';
import { Count, Instant, Named, Nullable, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { ShareLink } from '../../domain/share-link/decider.js';
import type { ShareLinkIds } from '../../domain/share-link/events.js';
import type { Vault } from '../../vault/port.js';
import { assertNotErased } from '../applications/erased.js';
import type { FoundEvaluation, StaffEvaluations } from '../evaluations/staff-evaluations.js';
import { type Answer, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { ListQuery } from '../../application/reads.js';
import type { Freshness, Reads } from '../../application/reads.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A share link as staff see it. */
export const ShareLinkRecord = Named('ShareLink', {
  id: Uuid,
  createdAt: Instant,
  createdBy: Type.String({ description: 'The subject of the member who created it.' }),
  expiresAt: Instant,
  revokedAt: Nullable(Instant),
  views: Count,
});

/** As its creation answers it: the only place where the token is shown. */
export const NewShareLinkRecord = Named('NewShareLink', {
  ...ShareLinkRecord.properties,
  token: Type.String({ pattern: TOKEN.source }),
  url: Type.String({ format: 'uri', description: 'Where the report is read.' }),
});
export type NewShareLinkRecord = Static<typeof NewShareLinkRecord>;

const SECRET_NAME = 'share-link';
const SECRET_BYTES = 32;

/**
 * Tokens of share links: 256 bits, made from the server's own secret and the link's id, so that an answer can be given
 * again without a token being kept anywhere. What is stored is the token's hash. The byte layout cannot change while
 * links stand.
 */
export class ShareTokens {
  constructor(private readonly vault: Pick<Vault, 'secret'>) {}

  /** The token of a link: 43 characters, base64url. */
  async tokenOf(linkId: string): Promise<string> {
    const secret = await this.vault.secret(SECRET_NAME, () => randomBytes(SECRET_BYTES));
    return createHmac('sha256', secret).update(linkId, 'utf8').digest('base64url');
  }
}

/** Whether a text has the form of a token: nothing else is ever looked up. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** What is stored of a token: SHA-256, lower-case hex. */
export const tokenHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex');

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
  async page(evaluationId: string, list: ListQuery, freshness: Freshness): Promise<Answer> {
    const found = await this.reads.list(shareLinks, 'byEvaluation', [evaluationId], list, freshness);
    return page(found, ({ document, id }) => pick(ShareLinkRecord, { ...document, id }));
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
  async created(link: ShareLink): Promise<NewShareLinkRecord> {
    const id = link.ids.linkId;
    const token = await this.tokens.tokenOf(id);
    return pick(NewShareLinkRecord, {
      ...link,
      id,
      token,
      url: `${this.publicUrl()}/shared/reports/${token}`,
    });
  }
}
