import { Controller, Get, Param } from '@nestjs/common';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { OwnApplications } from './own-applications.js';
import { ownApplicationRecord, type OwnApplicationRecord, ownApplicationSchema, partsOf } from './record.js';

@Controller('applications')
export class OwnApplicationsController {
  constructor(private readonly own: OwnApplications) {}

  @Get(':id')
  @SignedIn()
  @Operation({
    id: 'ownApplications.read',
    tag: 'Candidates',
    summary: 'Read one’s own application',
    success: {
      status: 200,
      description: 'The application.',
      schema: ownApplicationSchema(),
      headers: ['ETag'],
    },
    errors: ['not_found'],
  })
  async read(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnApplicationRecord>> {
    const own = await this.own.byId(caller, id, meta);
    if (!own) throw notFound('There is no such application.');
    const email = own.candidate.document.personal?.email ?? null;
    const record = ownApplicationRecord(partsOf(own.application, email));
    return ok(record, { version: record.version });
  }
}
