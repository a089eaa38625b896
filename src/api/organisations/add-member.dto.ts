import { Email, OneOf, Optional, Strict, Text } from '../validation/index.js';

export const MEMBER_ROLES = ['owner', 'admin', 'recruiter', 'reviewer'] as const;

/** Exactly one of `email` and `subject`. */
@Strict()
export class AddMemberDto {
  @Optional() @Email() email?: string;
  @Optional() @Text({ notBlank: true, maxLength: 255 }) subject?: string;
  @OneOf(...MEMBER_ROLES) role!: (typeof MEMBER_ROLES)[number];
}
