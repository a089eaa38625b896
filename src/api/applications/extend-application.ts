import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, extendApplication } from '../../domain/application/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { Commands, StaffContext } from '../commands.js';
import { Instant, Strict } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { type ApplicationRecord, applicationSchema } from './record.js';
import { StaffApplications } from './staff-applications.js';

@Strict()
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}

export class ExtendApplication extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly expiresAt: string,
  ) {
    super();
  }
}

@CommandHandler(ExtendApplication)
export class ExtendApplicationHandler implements ICommandHandler<ExtendApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, expiresAt }: ExtendApplication): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, async (invitation) => {
        const stream = streamName('application', application.applicationId);
        const outcomeVersion = (await this.streams.read(outcome, stream)).state.version;
        const now = context.now.toISOString();
        return extendApplication(state, { invitation, now, expectedVersion, outcomeVersion, expiresAt });
      }),
    );
  }
}

@Controller('organisations/:orgId/applications/:id')
export class ExtendApplicationController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

  @Patch()
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.extend',
    tag: 'Applications',
    summary: 'Extend an open application',
    success: {
      status: 200,
      description: 'The application.',
      schema: applicationSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'application_closed', 'erased', 'conflict'],
  })
  async extend(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Body() { expiresAt }: ExtendApplicationDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const ref = await this.staff.reference(organisationId, id, meta);
    const command = new ExtendApplication(context, ref, expiresAt);
    const { state, consistencyToken } = await this.commands.execute(command);
    const record = await this.staff.recordAfter(ref, state);
    return ok(record, { version: record.version, consistencyToken });
  }
}
