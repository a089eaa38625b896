import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { settle } from '../settle.js';
import { accepted, type Answer } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { objectOf, oneOf, uuid } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import { StaffApplications } from './staff-applications.js';
import { EraseCandidate } from './erase-candidate.js';

/** What is answered to whoever erases: how the application stands from here on. */
export interface ErasureReceipt {
  readonly applicationId: string;
  readonly status: 'erased';
}

@Controller('organisations/:orgId/applications/:id/erasure')
export class ErasureController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
  ) {}

  @Post()
  @StaffMay('candidates.erase')
  @Operation({
    id: 'erasure.erase',
    tag: 'Applications',
    summary: 'Erase a candidate for good',
    description:
      'Destroys what the organisation holds about the candidate, in every application of theirs. It is certain and cannot be taken back once this is answered; sessions, applications and evaluations show it shortly after. What was counted stays counted.',
    success: {
      status: 202,
      description: 'The candidate is erased.',
      schema: objectOf({ applicationId: uuid, status: oneOf('erased') }),
    },
    errors: ['not_found', 'conflict'],
  })
  async erase(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<ErasureReceipt>> {
    const found = await this.staff.settled(() => this.staff.byId(organisationId, id, meta));
    if (!found) throw notFound('There is no such application.');
    const context = this.contexts.forStaff(meta, member);
    const command = new EraseCandidate(context, found.document.candidateId, 'staff');
    const done = settle(await this.commands.execute(command));
    return accepted(
      { applicationId: found.id, status: 'erased' },
      { consistencyToken: this.reads.tokenOf(done.position) },
    );
  }
}
