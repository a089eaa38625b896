import { Body, Controller, Param, Put } from '@nestjs/common';
import { SetAccommodations } from '../../application/applications/set-accommodations.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { trial } from '../../domain/session/state.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Checked, Flag } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { AccommodationsRecord, ApplicationRecord, MAX_TIME_FACTOR, versionOf } from './record.js';
import { StaffApplications } from './staff-applications.js';

const isTimeFactor = (value: unknown): boolean =>
  typeof value === 'number' && value >= 1 && value <= MAX_TIME_FACTOR;

/** Replaces the accommodations as a whole. */
@Schema('SetAccommodations')
export class SetAccommodationsDto {
  @Checked(AccommodationsRecord.properties.timeFactor, {
    name: 'range',
    holds: isTimeFactor,
    sentence: `{path} must be a number from 1 to ${MAX_TIME_FACTOR}.`,
  })
  timeFactor!: number;
  @Flag() typedOnly!: boolean;
  @Flag() captions!: boolean;
}

const operations = {
  set: {
    id: 'applications.setAccommodations',
    tag: 'Applications',
    summary: 'Grant accommodations',
    example: { timeFactor: 1.5, typedOnly: false, captions: true },
    description:
      'Before or during the session; replaces what was granted as a whole, and an identical one changes nothing. Only the audit trail shows it: scores, findings and reports do not.',
    success: answersRecord('The application.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  },
} satisfies Operations;

/** What staff grant. Candidates ask for accommodations at `applications/:applicationId`. */
@Controller('organisations/:orgId/applications/:applicationId/accommodations')
export class AccommodationsController {
  constructor(
    private readonly commands: Commands,
    private readonly streams: CommandStreams,
    private readonly staff: StaffApplications,
  ) {}

  @Put()
  @StaffMay('candidates.invite')
  @Operation(operations.set)
  async set(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Body() { timeFactor, typedOnly, captions }: SetAccommodationsDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    const accommodations = { timeFactor, typedOnly, captions };
    const command = new SetAccommodations(context, { application, accommodations });
    const { consistencyToken } = await this.commands.execute(command);
    const session = await this.streams.read(trial, application.trialSessionId);
    const record = await this.staff.recordAfter(application, session.state);
    return ok(record, { ...versionOf(record), consistencyToken });
  }
}
