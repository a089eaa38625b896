import { Global, Module } from '@nestjs/common';
import { MEMBERSHIPS } from '../../application/caller.js';
import { AddMemberHandler } from '../../application/organisations/add-member.js';
import { ChangeMemberRoleHandler } from '../../application/organisations/change-member-role.js';
import { CreateOrganisationHandler } from '../../application/organisations/create-organisation.js';
import { ChangeLogoHandler, Logos } from '../../application/organisations/logos.js';
import { Rosters, StreamMemberships } from '../../application/organisations/memberships.js';
import { RemoveMemberHandler } from '../../application/organisations/remove-member.js';
import { UpdateOrganisationHandler } from '../../application/organisations/update-organisation.js';
import { FirstOrganisationController } from './first-organisation.js';
import { LogoController, LogosController } from './logo.js';
import { MembersController } from './members.js';
import { OrganisationController } from './organisation.js';

/** Organisations and their members. Global, since the guard of every route needs memberships. */
@Global()
@Module({
  controllers: [
    OrganisationController,
    LogoController,
    LogosController,
    FirstOrganisationController,
    MembersController,
  ],
  providers: [
    CreateOrganisationHandler,
    UpdateOrganisationHandler,
    ChangeLogoHandler,
    AddMemberHandler,
    ChangeMemberRoleHandler,
    RemoveMemberHandler,
    Logos,
    Rosters,
    StreamMemberships,
    { provide: MEMBERSHIPS, useExisting: StreamMemberships },
  ],
  exports: [MEMBERSHIPS, Logos, Rosters, StreamMemberships],
})
export class OrganisationsModule {}
