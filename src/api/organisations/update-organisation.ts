import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  organisation,
  type OrganisationState,
  updateSettings,
  type UpdateSettings,
} from '../../domain/organisation/decider.js';

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
