import type { Parts } from '../commands.js';
import { CreateRoleController, CreateRoleHandler } from './create-role.js';
import { RolesController } from './roles.js';
import { UpdateRoleController, UpdateRoleHandler } from './update-role.js';

export const roleParts: Parts = {
  controllers: [CreateRoleController, RolesController, UpdateRoleController],
  providers: [CreateRoleHandler, UpdateRoleHandler],
};
