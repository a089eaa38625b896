import { Body, Controller, Delete, Param, Put } from '@nestjs/common';
import { RecordOutcome } from '../../application/applications/record-outcome.js';
import { RetractOutcome } from '../../application/applications/retract-outcome.js';
import { present } from '../../application/use-case.js';
import type { RequestContext } from '../../core/command-context.js';
import { pick } from '../../core/json-schema.js';
import type { Disposition, HumanRound } from '../../domain/application/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, noContent, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Nullable, OneOf, Optional, Text } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { DISPOSITION, HUMAN_ROUND, OutcomeRecord } from './record.js';
import { StaffApplications } from './staff-applications.js';

/** Replaces the outcome as a whole. */
@Schema('RecordOutcome', {
  atLeastOne: { RecordHumanRound: 'humanRound', RecordDisposition: 'disposition' },
})
export class RecordOutcomeDto {
  @Optional() @Nullable() @OneOf(HUMAN_ROUND) humanRound?: HumanRound | null;
  @Optional() @Nullable() @OneOf(DISPOSITION) disposition?: Disposition | null;
  @Optional() @Nullable() @Text({ maxLength: 10_000 }) reason?: string | null;
}

const operations = {
  record: {
    id: 'outcomes.record',
    tag: 'Outcomes',
    summary: 'Record or correct an outcome',
    example: { humanRound: 'passed', disposition: 'hired', reason: 'Tests before code, and clear answers.' },
    description: 'Replaces the current outcome as a whole; an identical one changes nothing.',
    success: { status: 200, description: 'The outcome.', schema: OutcomeRecord },
    conditional: true,
    errors: ['trial_not_completed', 'erased'],
  },
  retract: {
    id: 'outcomes.retract',
    tag: 'Outcomes',
    summary: 'Retract an outcome',
    success: { status: 204, description: 'There is no outcome.' },
    conditional: true,
    errors: ['trial_not_completed', 'erased'],
  },
} satisfies Operations;

/** Staff's decision on an application, which is found by its trial session. */
@Controller('organisations/:orgId/trial-sessions/:trialSessionId/outcome')
export class OutcomesController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

  @Put()
  @StaffMay('outcomes.record')
  @Operation(operations.record)
  async record(
    @Param('orgId') organisationId: string,
    @Param('trialSessionId') id: string,
    @Body() body: RecordOutcomeDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<OutcomeRecord>> {
    const { humanRound = null, disposition = null, reason = null } = body;
    const application = await this.staff.referenceBySession(organisationId, id, meta);
    const recorded = { humanRound, disposition, reason };
    const command = new RecordOutcome(context, { application, recorded });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(pick(OutcomeRecord, present(state.current)), { consistencyToken });
  }

  @Delete()
  @StaffMay('outcomes.record')
  @Operation(operations.retract)
  async retract(
    @Param('orgId') organisationId: string,
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const application = await this.staff.referenceBySession(organisationId, id, meta);
    const { consistencyToken } = await this.commands.execute(new RetractOutcome(context, { application }));
    return noContent({ consistencyToken });
  }
}
