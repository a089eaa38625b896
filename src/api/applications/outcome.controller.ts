import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, noContent, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { StaffApplications } from './staff-applications.js';
import type { Outcome } from '../../domain/application/decider.js';
import { RecordOutcome } from './record-outcome.js';
import { RecordOutcomeDto } from './record-outcome.dto.js';
import { outcomeRecord, outcomeSchema } from './outcome-record.js';
import { RetractOutcome } from './retract-outcome.js';

@Controller('organisations/:orgId/trial-sessions/:id/outcome')
export class OutcomesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
  ) {}

  @Put()
  @StaffMay('outcomes.record')
  @Operation({
    id: 'outcomes.record',
    tag: 'Outcomes',
    summary: 'Record or correct an outcome',
    description: 'Replaces what stands as a whole; an identical one changes nothing.',
    success: {
      status: 200,
      description: 'The outcome.',
      schema: outcomeSchema(),
    },
    conditional: true,
    errors: ['not_found', 'trial_not_completed', 'erased', 'conflict'],
  })
  async record(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Body() body: RecordOutcomeDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<Outcome>> {
    const { humanRound = null, disposition = null, reason = null } = body;
    const ref = await this.reference(organisationId, id, meta);
    const context = this.contexts.forStaff(meta, member);
    const done = settle(
      await this.commands.execute(new RecordOutcome(context, ref, { humanRound, disposition, reason })),
    );
    return ok(outcomeRecord(present(done.state.standing)), {
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Delete()
  @StaffMay('outcomes.record')
  @Operation({
    id: 'outcomes.retract',
    tag: 'Outcomes',
    summary: 'Retract an outcome',
    success: { status: 204, description: 'No outcome stands.' },
    conditional: true,
    errors: ['not_found', 'trial_not_completed', 'erased', 'conflict'],
  })
  async retract(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const ref = await this.reference(organisationId, id, meta);
    const context = this.contexts.forStaff(meta, member);
    const done = settle(await this.commands.execute(new RetractOutcome(context, ref)));
    return noContent({ consistencyToken: this.reads.tokenOf(done.position) });
  }

  private async reference(organisationId: string, id: string, meta: RequestMeta): Promise<ApplicationRef> {
    const found = await this.staff.settled(() => this.staff.bySession(organisationId, id, meta));
    if (!found) throw notFound('There is no such trial session.');
    return { ...found.document, applicationId: found.id };
  }
}
