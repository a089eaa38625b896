import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { EvaluationReads } from '../../application/evaluations/reads.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { type FoundLink, HeldLinks } from '../../application/share-links/held-links.js';
import { ViewSharedReport } from '../../application/share-links/view-shared-report.js';
import { CommandContexts } from '../../core/command-context.js';
import { unavailable } from '../../http/api-error.js';
import { type SharedReport, sharedReport } from './report.js';

/** Who looks: what of the request matters. */
export interface Look extends Freshness {
  readonly correlationId: string;
  /** The report itself is asked for, and not only whether it is there. */
  readonly counts: boolean;
}

/** Reports as the holder of a link sees them. */
@Injectable()
export class SharedReports {
  constructor(
    private readonly reads: Reads,
    private readonly links: HeldLinks,
    private readonly contexts: CommandContexts,
    private readonly bus: CommandBus,
    @Inject(EvaluationReads) private readonly evaluationReads: Pick<EvaluationReads, 'record'>,
  ) {}

  /**
   * The report that a token opens, counted before it is answered; `null`: it opens none, whatever the reason.
   * @throws {ApiError} `unavailable`: other processes kept counting their views first
   */
  async open(token: string, look: Look): Promise<SharedReport | null> {
    const link = await this.links.find(token, look);
    if (!link) return null;
    const actor = { type: 'share_link', id: link.id } as const;
    const context = this.contexts.forSystem(actor, look.correlationId);
    if (!(await this.links.isOpen(link, context.now))) return null;
    const report = await this.report(link, look);
    if (!report || !look.counts) return report;
    await this.evaluationReads.record(link.document, actor);
    const counted = await this.bus.execute(new ViewSharedReport(context, { linkId: link.id }));
    if (counted.kind === 'done') return report;
    if (counted.refusal.code === 'conflict')
      throw unavailable('Too many look at this report at the same time. Try again shortly.');
    return null;
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
