import { Instant, Strict } from '../../app/http/validation/index.js';

@Strict()
export class ExtendApplicationDto {
  @Instant() expiresAt!: string;
}
