import { MayBeAbsent, Optional, Strict, Whole } from '../validation/index.js';
import { MOST_FORMER_SECRET_HOURS } from '../../domain/webhook/decider.js';

@Strict()
@MayBeAbsent()
export class RotateSecretDto {
  @Optional() @Whole({ min: 0, max: MOST_FORMER_SECRET_HOURS }) formerSecretValidHours?: number;
}
