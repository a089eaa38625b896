import { Checked, Strict } from '../validation/index.js';
import { MAX_BATCH } from '../../domain/session/activity.js';

/** The events are checked by the domain's own rules, which the interview socket shares. */
@Strict()
export class RecordActivityDto {
  @Checked(
    {
      type: 'array',
      maxItems: MAX_BATCH,
      items: {
        type: 'object',
        properties: {
          clientEventId: { type: 'string', minLength: 1, maxLength: 64 },
          eventType: { type: 'string', pattern: '^[a-z][a-z0-9_.]{0,63}$' },
          occurredAt: { type: 'string', format: 'date-time' },
          payload: { type: 'object' },
        },
        required: ['clientEventId', 'eventType', 'occurredAt', 'payload'],
      },
    },
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
  )
  events!: unknown[];
}
