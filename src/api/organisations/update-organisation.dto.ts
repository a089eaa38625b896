import { Flag, Nullable, Optional, Strict, Text, Whole } from '../validation/index.js';

/** What is left out stays as it is. */
@Strict()
export class UpdateOrganisationDto {
  @Optional() @Text({ notBlank: true, maxLength: 200 }) name?: string;
  @Optional() @Flag() recordAudio?: boolean;
  @Optional() @Nullable() @Whole({ min: 1, max: 36_500 }) retentionDays?: number | null;
}
