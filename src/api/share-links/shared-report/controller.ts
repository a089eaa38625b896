import { Controller, Get, Headers, Param } from '@nestjs/common';
import { Public } from '../../access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../openapi/operation.js';
import { Limited } from '../../http/rate-limit.guard.js';
import { heldBack } from './held-back.js';
import { POLICY, reportPage } from './page.js';
import { prefersHtml } from './prefers-html.js';
import { type SharedReport, sharedReportSchema } from './report.js';
import { SharedReports } from './shared-reports.js';

/** The same on every answer, beside what all answers of the service carry: `no-store`, `noindex`, `no-referrer`. */
const HEADERS = { Vary: 'Accept, Origin' };

/** Whoever holds a link reads a report here, signed in or not. */
@Controller('shared/reports')
export class SharedReportsController {
  constructor(private readonly reports: SharedReports) {}

  @Get(':token')
  @Public()
  @Limited('shareLink')
  @Operation({
    id: 'sharedReports.read',
    tag: 'Shared reports',
    summary: 'Read a shared report',
    description:
      'Public. The latest ready generation of the scores, as JSON or, where `Accept` prefers it, as a page. A link that never was, has expired, was taken back or whose candidate was erased is answered alike. Each report that is shown counts as a view; a HEAD shows none.',
    success: { status: 200, description: 'The report.', schema: sharedReportSchema(), page: true },
    errors: ['not_found', 'unavailable'],
  })
  async read(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const arrived = performance.now();
    const report = await this.open(token, meta, arrived);
    if (report) return prefersHtml(accept) ? page(reportPage(report)) : ok(report, { headers: HEADERS });
    await heldBack(arrived);
    const { code, message } = notFound();
    throw new ApiError(code, message, { headers: HEADERS });
  }

  /** What fails is held back too: a fault may come sooner or later by how far the look has come. */
  private async open(
    token: string,
    { method, requestId, consistencyToken }: RequestMeta,
    arrived: number,
  ): Promise<SharedReport | null> {
    try {
      return await this.reports.open(token, { requestId, consistencyToken, counts: method !== 'HEAD' });
    } catch (error) {
      await heldBack(arrived);
      throw error;
    }
  }
}

const page = (html: string): Answer =>
  new Answer(200, html, {
    headers: {
      ...HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
    },
  });
