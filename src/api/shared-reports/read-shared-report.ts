import { Controller, Get, Headers, Module, Param } from '@nestjs/common';
import { HeldLinks } from '../../application/share-links/held-links.js';
import { ViewSharedReportHandler } from '../../application/share-links/view-shared-report.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok, padResponseTime } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { prefersHtml, VARY_BY_ACCEPT } from '../../http/prefers-html.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import type { Page } from '../../http/page.js';
import { Limited } from '../../http/rate-limits.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { CLOSED_LINK_PAGE, reportPage } from './page.js';
import { SharedReport } from './report.js';
import { SharedReports } from './shared-reports.js';

const operations = {
  read: {
    id: 'sharedReports.read',
    tag: 'Shared reports',
    summary: 'Read a shared report',
    description:
      'Public. The latest ready generation of the scores, as JSON or, where `Accept` prefers it, as a page. A link that never was, has expired, was taken back or whose candidate was erased is answered alike. Each report that is shown counts as a view; a HEAD shows none.',
    success: { status: 200, description: 'The report.', schema: SharedReport, page: true },
    errors: ['view_parked'],
  },
} satisfies Operations;

/** The holder of a link reads a report here, signed in or not. */
@Controller('shared/reports')
export class SharedReportsController {
  constructor(private readonly reports: SharedReports) {}

  @Get(':token')
  @Public()
  @Limited('shareLink')
  @Operation(operations.read)
  async read(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const arrived = performance.now();
    const report = await this.open(token, meta, arrived);
    if (report)
      return prefersHtml(accept) ? page(reportPage(report)) : ok(report, { headers: VARY_BY_ACCEPT });
    await padResponseTime(arrived);
    if (prefersHtml(accept)) return page(CLOSED_LINK_PAGE, 404);
    const { code, message } = notFound();
    throw new ApiError(code, message, { headers: VARY_BY_ACCEPT });
  }

  /** What fails is held back too: a fault may come sooner or later by how far the look has come. */
  private async open(
    token: string,
    { method, correlationId, consistencyToken }: RequestMeta,
    arrived: number,
  ): Promise<SharedReport | null> {
    try {
      return await this.reports.open(token, { correlationId, consistencyToken, counts: method !== 'HEAD' });
    } catch (error) {
      await padResponseTime(arrived);
      throw error;
    }
  }
}

const page = ({ html, headers }: Page, status = 200): Answer =>
  new Answer(status, html, { headers: { ...VARY_BY_ACCEPT, ...headers } });

@Module({
  imports: [EvaluationsModule],
  controllers: [SharedReportsController],
  providers: [ViewSharedReportHandler, HeldLinks, SharedReports],
})
export class SharedReportsModule {}
