import { Instant, Strict } from '../http/validation/index.js';

@Strict()
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}
