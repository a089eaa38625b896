import { Controller, Get, Headers, Inject, Module, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { MAILS } from '../../application/tokens.js';
import type { Mails, OutboxMailer } from '../../clients/mail.js';
import { Public } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import {
  DEVELOPMENT_DOOR,
  type DevelopmentDoor,
  throughDevelopmentDoor,
} from '../../http/development-door.js';
import { Operation } from '../../http/openapi/operation.js';
import { pagePolicy } from '../../http/page.js';
import { prefersHtml, VARY_BY_ACCEPT } from '../../http/prefers-html.js';
import { outboxPage } from './page.js';

/** The mails that a service in development did not send. */
@Controller('outbox')
export class OutboxController {
  constructor(
    @Inject(MAILS) private readonly mails: Mails,
    @Inject(DEVELOPMENT_DOOR) private readonly door: DevelopmentDoor,
  ) {}

  @Get()
  @Public()
  @Operation(false)
  list(@Req() { raw }: FastifyRequest, @Headers('accept') accept: string | undefined): Answer {
    const { mails } = this.outboxFor(raw);
    if (!prefersHtml(accept)) return ok({ items: mails }, { headers: VARY_BY_ACCEPT });
    const { html, headers } = outboxPage(mails);
    return new Answer(200, html, { headers: { ...VARY_BY_ACCEPT, ...headers } });
  }

  /** The mail's own page, as a mail program shows it. */
  @Get(':number')
  @Public()
  @Operation(false)
  read(@Req() { raw }: FastifyRequest, @Param('number') number: string): Answer {
    const mail = this.outboxFor(raw).mails.find((one) => `${one.number}` === number);
    if (!mail) throw notFound();
    return new Answer(200, mail.html, { headers: MAIL_HEADERS });
  }

  /**
   * The outbox, which needs no sign-in: the development door admits callers by their network address.
   * @throws {ApiError} `not_found`: the service has no outbox; `forbidden`: the door refuses the caller
   */
  private outboxFor(request: IncomingMessage): OutboxMailer {
    if (this.mails.outbox === null) throw notFound();
    throughDevelopmentDoor(request, this.door);
    return this.mails.outbox;
  }
}

const MAIL_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': pagePolicy({ 'style-src': "'unsafe-inline'", 'img-src': "'self'" }),
};

@Module({ controllers: [OutboxController] })
export class OutboxModule {}
