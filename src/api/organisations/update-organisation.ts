import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  organisation,
  type OrganisationState,
  updateSettings,
  type UpdateSettings,
} from '../../domain/organisation/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { Flag, Nullable, Optional, Strict, Text, Whole } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { organisationRecord, type OrganisationRecord, organisationSchema } from './organisation.js';

/** What is left out stays as it is. */
@Strict()
export class UpdateOrganisationDto {
  @Optional() @Text({ notBlank: true, maxLength: 200 }) name?: string;
  @Optional() @Flag() recordAudio?: boolean;
  @Optional() @Nullable() @Whole({ min: 1, max: 36_500 }) retentionDays?: number | null;
}

export class UpdateOrganisation extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly settings: UpdateSettings['settings'],
  ) {
    super();
  }
}

@CommandHandler(UpdateOrganisation)
export class UpdateOrganisationHandler implements ICommandHandler<UpdateOrganisation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, settings }: UpdateOrganisation): Promise<Handled<OrganisationState>> {
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) =>
      updateSettings(state, { settings, expectedVersion }),
    );
  }
}

@Controller('organisations/:orgId')
export class UpdateOrganisationController {
  constructor(private readonly commands: Commands) {}

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
    @StaffContext() context: RequestContext,
  ): Promise<Answer<OrganisationRecord>> {
    const command = new UpdateOrganisation(context, organisationId, body);
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(organisationRecord(state, organisationId), { version: state.version, consistencyToken });
  }
}
