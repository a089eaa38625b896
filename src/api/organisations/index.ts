import type { Parts } from '../commands.js';
import { AddMemberController, AddMemberHandler } from './add-member.js';
import { ChangeMemberRoleController, ChangeMemberRoleHandler } from './change-member-role.js';
import { MembersController, OrganisationController } from './organisation.js';
import { RemoveMemberController, RemoveMemberHandler } from './remove-member.js';
import { UpdateOrganisationController, UpdateOrganisationHandler } from './update-organisation.js';

export const organisationParts: Parts = {
  controllers: [
    OrganisationController,
    UpdateOrganisationController,
    MembersController,
    AddMemberController,
    ChangeMemberRoleController,
    RemoveMemberController,
  ],
  providers: [UpdateOrganisationHandler, AddMemberHandler, ChangeMemberRoleHandler, RemoveMemberHandler],
};
