import { MayBeAbsent, Optional, Strict, Whole } from '../validation/index.js';
import { MOST_DAYS } from '../../domain/share-link/decider.js';

@Strict()
@MayBeAbsent()
export class CreateShareLinkDto {
  @Optional() @Whole({ min: 1, max: MOST_DAYS }) expiresInDays?: number;
}
