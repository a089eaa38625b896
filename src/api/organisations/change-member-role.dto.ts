import { OneOf, Strict } from '../validation/index.js';
import { MEMBER_ROLES } from './add-member.dto.js';

@Strict()
export class ChangeMemberRoleDto {
  @OneOf(...MEMBER_ROLES) role!: (typeof MEMBER_ROLES)[number];
}
