import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { organisations } from '../../../projections/organisations.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member as Caller } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import { organisationRecord, type OrganisationRecord, organisationSchema } from './record.js';
import { UpdateOrganisation } from './update-organisation.js';
import { UpdateOrganisationDto } from './update-organisation.dto.js';

@Controller('organisations/:orgId')
export class OrganisationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
  ) {}

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

  @Patch()
  @StaffMay('organisation.write')
  @Operation({
    id: 'organisations.update',
    tag: 'Organisation',
    summary: 'Change the organisation’s settings',
    description: 'What is left out stays as it is.',
    success: {
      status: 200,
      description: 'The organisation and its settings.',
      schema: organisationSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['conflict'],
  })
  async update(
    @Param('orgId') organisationId: string,
    @Body() body: UpdateOrganisationDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() caller: Caller,
  ): Promise<Answer<OrganisationRecord>> {
    const context = this.contexts.forStaff(meta, caller);
    const done = settle(await this.commands.execute(new UpdateOrganisation(context, organisationId, body)));
    const organisation = present(done.state);
    return ok(organisationRecord(organisation, organisationId), {
      version: organisation.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }
}
