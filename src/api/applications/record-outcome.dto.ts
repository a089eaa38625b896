import { OneOf, Optional, Strict, Text } from '../validation/index.js';
import type { Disposition, HumanRound } from '../../domain/application/events.js';

/** Replaces the outcome as a whole; at least one of the first two. */
@Strict()
export class RecordOutcomeDto {
  @Optional() @OneOf('passed', 'failed') humanRound?: HumanRound;
  @Optional() @OneOf('hired', 'declined') disposition?: Disposition;
  @Optional() @Text({ maxLength: 10_000 }) reason?: string;
}
