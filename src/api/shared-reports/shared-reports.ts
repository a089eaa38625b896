import { Inject, Injectable } from '@nestjs/common';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations } from '../../../projections/evaluations.js';
import { organisations } from '../../../projections/organisations.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import { Logos } from '../../application/organisations/logos.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { type FoundLink, HeldLinks } from '../../application/share-links/held-links.js';
import { ViewSharedReport } from '../../application/share-links/view-shared-report.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import { CommandContexts } from '../../core/command-context.js';
import { INITIAL_SETTINGS } from '../../domain/organisation/events.js';
import { unavailable } from '../../http/api-error.js';
import { Commands } from '../cqrs/commands.js';
import { logoRecord } from '../organisations/organisation.js';
import { type SharedReport, sharedReport } from './report.js';

/** The parts of a request that a report depends on. */
export interface ReportRequest extends Freshness {
  readonly correlationId: string;
  /** Whether the request counts as a view: a HEAD does not. */
  readonly counts: boolean;
}

/**
 * Makes the answer of a report.
 * @param logo reads the picture of the organisation's logo; `null`: it has none, or none any more
 */
export type Show<T> = (report: SharedReport, logo: () => Promise<Buffer | null>) => Promise<T> | T;

/** Reports as the holder of a link sees them. */
@Injectable()
export class SharedReports {
  constructor(
    private readonly reads: Reads,
    private readonly links: HeldLinks,
    private readonly contexts: CommandContexts,
    private readonly commands: Commands,
    @Inject(EvaluationReadRecorder) private readonly readRecorder: Pick<EvaluationReadRecorder, 'record'>,
    @Inject(Logos) private readonly logos: Pick<Logos, 'read'>,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /**
   * The report that a token opens, counted before it is answered; `null`: it opens none, whatever the reason.
   * @param show makes the answer; if it throws, the view is not counted
   * @throws {ApiError} `unavailable`: other processes kept counting their views first
   */
  async open<T>(token: string, request: ReportRequest, show: Show<T>): Promise<T | null> {
    const link = await this.links.find(token, request);
    if (!link) return null;
    const actor = { type: 'share_link', id: link.id } as const;
    const context = this.contexts.forSystem(actor, request.correlationId);
    if (!(await this.links.isOpen(link, context.now))) return null;
    const shown = await this.shown(link, request, show);
    if (shown === null) return null;
    if (!request.counts) return shown;
    await this.readRecorder.record(link.document, actor);
    const counted = await this.commands.handle(new ViewSharedReport(context, { linkId: link.id }));
    if (counted.kind === 'done') return shown;
    if (counted.refusal.code === 'conflict')
      throw unavailable('Too many people are reading this report. Try again shortly.');
    return null;
  }

  /** The answer from the latest ready generation, even if a later one is requested; without anything personal. */
  private async shown<T>(
    { document: link, position }: FoundLink,
    request: ReportRequest,
    show: Show<T>,
  ): Promise<T | null> {
    // A link is made once there is a report: no view may lag behind the link.
    const evaluation = await this.reads.outlineAt(evaluations, link.evaluationId, position, request);
    const generation = evaluation?.document.readyGeneration ?? null;
    if (!evaluation || generation === null) return null;
    const id = evaluationResultId(link.evaluationId, generation);
    const answered = await this.reads.outlineAt(evaluationResults, id, evaluation.position, request);
    const result = answered?.document.result;
    if (!answered || !result) return null;
    const { answeredAt } = answered.document;
    const organisation = await this.reads.get(organisations, link.organisationId, request);
    const report = sharedReport(
      { answeredAt, result },
      {
        organisationName: organisation?.document.name ?? '',
        organisationLogo: organisation && logoRecord(organisation.document, this.publicUrl),
        roleName: evaluation.document.roleName,
        label: link.personal?.label ?? null,
        expiresAt: link.expiresAt,
        timeZone: organisation?.document.timeZone ?? INITIAL_SETTINGS.timeZone,
      },
    );
    const logo = organisation?.document.logo ?? null;
    return show(report, async () => logo && this.logos.read(link.organisationId, logo.id));
  }
}
