import { Instant, Strict } from '../validation/index.js';

@Strict()
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}
