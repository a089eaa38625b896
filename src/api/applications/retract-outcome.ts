import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Delete, Param } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation, onTrial } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, retractOutcome } from '../../domain/application/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, noContent } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { StaffApplications } from './staff-applications.js';

export class RetractOutcome extends Command<Handled<OutcomeState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(RetractOutcome)
export class RetractOutcomeHandler implements ICommandHandler<RetractOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: RetractOutcome): Promise<Handled<OutcomeState>> {
    return this.streams.handle(
      outcome,
      streamName('application', application.applicationId),
      context,
      (state) =>
        withInvitation(this.streams, application, async () =>
          retractOutcome(state, await onTrial(this.streams, application, context)),
        ),
    );
  }
}

@Controller('organisations/:orgId/trial-sessions/:id/outcome')
export class RetractOutcomeController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

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
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const ref = await this.staff.referenceBySession(organisationId, id, meta);
    const { consistencyToken } = await this.commands.execute(new RetractOutcome(context, ref));
    return noContent({ consistencyToken });
  }
}
