import { Checked, Strict, Text } from '../validation/index.js';
import { MOST_URL } from '../../domain/webhook/target.js';
import { NOTICE_TYPES } from '../../domain/webhook/events.js';

const strings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

@Strict()
export class CreateWebhookDto {
  @Text({ notBlank: true, maxLength: MOST_URL }) url!: string;
  @Checked(
    {
      type: 'array',
      items: { enum: NOTICE_TYPES },
      minItems: 1,
      maxItems: NOTICE_TYPES.length,
      uniqueItems: true,
    },
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
    { name: 'strings', holds: strings, sentence: '{path} must hold strings only.' },
  )
  events!: string[];
}
