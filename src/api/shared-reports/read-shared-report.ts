import { Controller, Get, Headers, Inject, Module, Param } from '@nestjs/common';
import { HeldLinks } from '../../application/share-links/held-links.js';
import { ViewSharedReportHandler } from '../../application/share-links/view-shared-report.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import { Type } from '../../core/json-schema.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok, padResponseTime } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import type { Page } from '../../http/page.js';
import { prefersHtml, prefersPdf, VARY_BY_ACCEPT } from '../../http/prefers-html.js';
import { Limited } from '../../http/rate-limits.js';
import { inThread } from '../../work/in-worker.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { CLOSED_LINK_PAGE, noPdfPage, reportPage } from './page.js';
import type { MadePdf, PdfOrder } from './pdf.js';
import { SharedReport } from './report.js';
import { SharedReports, type Show } from './shared-reports.js';

const PDF_TYPE = 'application/pdf';

const operations = {
  read: {
    id: 'sharedReports.read',
    tag: 'Shared reports',
    summary: 'Read a shared report',
    description:
      'Public. The latest ready generation of the scores, as JSON or, where `Accept` prefers one, as a page or as a PDF. A link that never was, has expired, was taken back or whose candidate was erased is answered alike. Each report that is shown counts as a view; a HEAD shows none.',
    success: { status: 200, description: 'The report.', schema: SharedReport, page: true, pdf: true },
    errors: ['view_parked', 'pdf_script_unsupported'],
  },
  readPdf: {
    id: 'sharedReports.readPdf',
    tag: 'Shared reports',
    summary: 'Read a shared report as a PDF',
    description:
      'Public. What `sharedReports.read` answers as a PDF, at an address of its own. A report with characters that no font of the PDF has is refused with `pdf_script_unsupported`, and not counted.',
    success: {
      status: 200,
      description: 'The report.',
      schema: Type.String({ format: 'binary' }),
      contentType: PDF_TYPE,
    },
    errors: ['view_parked', 'pdf_script_unsupported'],
  },
} satisfies Operations;

/** The holder of a link reads a report here, signed in or not. */
@Controller('shared/reports')
export class SharedReportsController {
  constructor(
    private readonly reports: SharedReports,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get(':token')
  @Public()
  @Limited('shareLink')
  @Operation(operations.read)
  async read(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const isPage = prefersHtml(accept);
    return this.answer(token, accept, meta, (report, logo) => {
      if (prefersPdf(accept)) return pdf(report, logo);
      if (isPage) return page(reportPage(report, `${this.publicUrl}/shared/reports/${token}/report.pdf`));
      return ok(report, { headers: VARY_BY_ACCEPT });
    });
  }

  @Get(':token/report.pdf')
  @Public()
  @Limited('shareLink')
  @Operation(operations.readPdf)
  async readPdf(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    try {
      return await this.answer(token, accept, meta, pdf);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'pdf_script_unsupported' && prefersHtml(accept)))
        throw error;
      return page(noPdfPage(error.message, `${this.publicUrl}/shared/reports/${token}`), error.status);
    }
  }

  /** The answer. A 404 or an error is delayed, so that its time does not reveal whether the link exists. */
  private async answer(
    token: string,
    accept: string | undefined,
    { method, correlationId, consistencyToken }: RequestMeta,
    show: Show<Answer>,
  ): Promise<Answer> {
    const arrived = performance.now();
    const request = { correlationId, consistencyToken, counts: method !== 'HEAD' };
    try {
      const shown = await this.reports.open(token, request, show);
      if (shown) return shown;
    } catch (error) {
      await padResponseTime(arrived);
      throw error;
    }
    await padResponseTime(arrived);
    if (prefersHtml(accept)) return page(CLOSED_LINK_PAGE, 404);
    const { code, message } = notFound();
    throw new ApiError(code, message, { headers: VARY_BY_ACCEPT });
  }
}

/**
 * A report as a PDF, made in a thread. Its file's name has nothing personal.
 * @throws {ApiError} `pdf_script_unsupported`: a text has characters that cannot be set
 * @throws {JobExceeded | VaultUnavailable} the service is too busy, or the logo cannot be read
 */
const pdf: Show<Answer> = async (report, logo) => {
  const order: PdfOrder = { report, logo: await logo() };
  const made = await inThread<MadePdf>('report-worker', order);
  if (made.kind === 'unsettable')
    throw new ApiError(
      'pdf_script_unsupported',
      'The report has characters that the PDF’s fonts do not have, for example emoji. Open the report as a page in a browser and print it.',
    );
  const { buffer, byteOffset, byteLength } = made.pdf;
  const headers = {
    ...VARY_BY_ACCEPT,
    'Content-Disposition': 'attachment; filename="assessment-report.pdf"',
  };
  return new Answer(200, Buffer.from(buffer, byteOffset, byteLength), { headers }, PDF_TYPE);
};

const page = ({ html, headers }: Page, status = 200): Answer =>
  new Answer(status, html, { headers: { ...VARY_BY_ACCEPT, ...headers } });

@Module({
  imports: [EvaluationsModule],
  controllers: [SharedReportsController],
  providers: [ViewSharedReportHandler, HeldLinks, SharedReports],
})
export class SharedReportsModule {}
