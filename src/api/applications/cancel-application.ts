import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, cancelApplication } from '../../domain/application/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { type ApplicationRecord, applicationSchema } from './record.js';
import { StaffApplications } from './staff-applications.js';

export class CancelApplication extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(CancelApplication)
export class CancelApplicationHandler implements ICommandHandler<CancelApplication> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: CancelApplication): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, async (invitation) => {
        const stream = streamName('application', application.applicationId);
        const outcomeVersion = (await this.streams.read(outcome, stream)).state.version;
        const now = context.now.toISOString();
        return cancelApplication(state, { invitation, now, expectedVersion, outcomeVersion });
      }),
    );
  }
}

@Controller('organisations/:orgId/applications/:id/cancel')
export class CancelApplicationController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

  @Post()
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.cancel',
    tag: 'Applications',
    summary: 'Cancel an open application',
    success: {
      status: 200,
      description: 'The application, withdrawn.',
      schema: applicationSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'application_closed', 'erased', 'conflict'],
  })
  async cancel(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const ref = await this.staff.reference(organisationId, id, meta);
    const { state, consistencyToken } = await this.commands.execute(new CancelApplication(context, ref));
    const record = await this.staff.recordAfter(ref, state);
    return ok(record, { version: record.version, consistencyToken });
  }
}
