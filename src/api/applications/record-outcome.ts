import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Put } from '@nestjs/common';
import type { Disposition, HumanRound, OutcomeValues } from '../../domain/application/events.js';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation, onTrial } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, type OutcomeState, recordOutcome, type Outcome } from '../../domain/application/decider.js';
import { Commands, present, StaffContext } from '../commands.js';
import { OneOf, Optional, Strict, Text } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { StaffApplications } from './staff-applications.js';
import { outcomeRecord, outcomeSchema } from './record.js';

/** Replaces the outcome as a whole; at least one of the first two. */
@Strict()
export class RecordOutcomeDto {
  @Optional() @OneOf('passed', 'failed') humanRound?: HumanRound;
  @Optional() @OneOf('hired', 'declined') disposition?: Disposition;
  @Optional() @Text({ maxLength: 10_000 }) reason?: string;
}

export class RecordOutcome extends Command<Handled<OutcomeState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly values: OutcomeValues & { readonly reason: string | null },
  ) {
    super();
  }
}

@CommandHandler(RecordOutcome)
export class RecordOutcomeHandler implements ICommandHandler<RecordOutcome> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, values }: RecordOutcome): Promise<Handled<OutcomeState>> {
    return this.streams.handle(
      outcome,
      streamName('application', application.applicationId),
      context,
      (state) =>
        withInvitation(this.streams, application, async () =>
          recordOutcome(state, { ...(await onTrial(this.streams, application, context)), ...values }),
        ),
    );
  }
}

@Controller('organisations/:orgId/trial-sessions/:id/outcome')
export class RecordOutcomeController {
  constructor(
    private readonly commands: Commands,
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
    @StaffContext() context: RequestContext,
  ): Promise<Answer<Outcome>> {
    const { humanRound = null, disposition = null, reason = null } = body;
    const ref = await this.staff.referenceBySession(organisationId, id, meta);
    const command = new RecordOutcome(context, ref, { humanRound, disposition, reason });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(outcomeRecord(present(state.current)), { consistencyToken });
  }
}
