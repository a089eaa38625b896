import { Email, Instant, Optional, Strict } from '../validation/index.js';

@Strict()
export class InviteCandidateDto {
  @Email() candidateEmail!: string;
  @Optional() @Instant() expiresAt?: string;
}
