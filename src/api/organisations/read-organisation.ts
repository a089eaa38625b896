import { Controller, Get, Param } from '@nestjs/common';
import { organisations } from '../../../projections/organisations.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import { organisationRecord, type OrganisationRecord, organisationSchema } from './record.js';

@Controller('organisations/:orgId')
export class OrganisationController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('organisation.read')
  @Operation({
    id: 'organisations.read',
    tag: 'Organisation',
    summary: 'Read the organisation',
    success: {
      status: 200,
      description: 'The organisation and its settings.',
      schema: organisationSchema(),
      headers: ['ETag'],
    },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<OrganisationRecord>> {
    const found = await this.reads.get(organisations, organisationId, meta);
    if (!found) throw notFound('There is no such organisation.');
    return ok(organisationRecord(found.document, organisationId), { version: found.document.version });
  }
}
