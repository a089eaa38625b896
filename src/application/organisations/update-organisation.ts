import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  organisation,
  type OrganisationState,
  type UpdateSettings,
  updateSettings,
} from '../../domain/organisation/decider.js';
import { UseCase } from '../use-case.js';

/** Changes an organisation's settings: what `settings` leaves out stays as it is. */
export class UpdateOrganisation extends UseCase<
  OrganisationState,
  { readonly organisationId: string; readonly settings: UpdateSettings['settings'] }
> {
  readonly name = 'UpdateOrganisation';
}

@CommandHandler(UpdateOrganisation)
export class UpdateOrganisationHandler implements ICommandHandler<UpdateOrganisation> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: UpdateOrganisation): Promise<Handled<OrganisationState>> {
    const { organisationId, settings } = input;
    const { expectedVersion } = context;
    return this.streams.handle(organisation, organisationId, context, (before) =>
      updateSettings(before, { settings, expectedVersion }),
    );
  }
}
