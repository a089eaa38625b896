import { Inject, Injectable } from '@nestjs/common';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { shareLinks } from '../../../projections/share-links.js';
import { CommandContexts } from '../../core/command-context.js';
import { unavailable } from '../../http/api-error.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { isErased } from '../../application/applications/erased.js';
import { EvaluationReads } from '../../application/evaluations/reads.js';
import { type CommandContext, CommandStreams } from '../../core/handle.js';
import type { StreamName } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { VAULT } from '../../application/tokens.js';
import type { Vault } from '../../vault/port.js';
import { isOpen, shareLink, viewSharedReport } from '../../domain/share-link/decider.js';
import { isToken, tokenHash } from '../../application/share-links/tokens.js';
import { type SharedReport, sharedReport } from './report.js';

/** Who looks: what of the request matters. */
export interface Look extends Freshness {
  readonly correlationId: string;
  /** The report itself is asked for, and not only whether it is there. */
  readonly counts: boolean;
}

/** Views that several processes count at once do not contradict each other: each is tried more often than a command. */
const TRIES = 5;

type FoundLink = Found<DocumentOf<typeof shareLinks>>;

/** Reports as the holder of a link sees them. */
@Injectable()
export class SharedReports {
  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly contexts: CommandContexts,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    @Inject(EvaluationReads) private readonly evaluationReads: Pick<EvaluationReads, 'record'>,
  ) {}

  /**
   * The report that a token opens, counted before it is answered. `null` where it opens none, whatever the reason:
   * "none" is said only once the views have come to the log's present end.
   */
  async open(token: string, look: Look): Promise<SharedReport | null> {
    if (!isToken(token)) return null;
    const hash = tokenHash(token);
    const link = await this.reads.settled([shareLinks], () =>
      this.reads.only(shareLinks, 'byToken', [hash], look),
    );
    if (!link) return null;
    const actor = { type: 'share_link', id: link.id } as const;
    const context = this.contexts.forSystem(actor, look.correlationId);
    const stream = streamName('share_link', link.id);
    const { state } = await this.streams.read(shareLink, stream);
    if (!isOpen(state, context.now) || (await isErased(this.vault, link.document.candidateId))) return null;
    const report = await this.report(link, look);
    if (!report || !look.counts) return report;
    await this.evaluationReads.record(link.document, actor);
    return (await this.counted(stream, context)) ? report : null;
  }

  /**
   * Counts a view; false where the link shows nothing any more.
   * @throws {ApiError} `unavailable`: other processes kept counting theirs first
   */
  private async counted(stream: StreamName, context: CommandContext): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const handled = await this.streams.handle(shareLink, stream, context, (now) =>
        viewSharedReport(now, context),
      );
      if (handled.kind === 'done') return true;
      if (handled.refusal.code !== 'conflict') return false;
      if (tries === TRIES)
        throw unavailable('Too many look at this report at the same time. Try again shortly.');
    }
  }

  /** Of the latest generation that became ready, whatever is asked for since; without anything personal. */
  private async report({ document: link, position }: FoundLink, look: Look): Promise<SharedReport | null> {
    // A link is made when there is a report: none of these views may lag behind that.
    const evaluation = await this.reads.outlineAt(evaluations, link.evaluationId, position, look);
    const generation = evaluation?.document.readyGeneration ?? null;
    if (!evaluation || generation === null) return null;
    const id = evaluationResultId(link.evaluationId, generation);
    const answered = await this.reads.outlineAt(evaluationResults, id, evaluation.position, look);
    const result = answered?.document.result;
    if (!answered || !result) return null;
    const { answeredAt } = answered.document;
    return sharedReport({ answeredAt, result }, evaluation.document.roleName, link.expiresAt);
  }
}
