import { Instant, Named, Type, type TSchema } from '../../core/json-schema.js';
import { pascalCase } from '../../core/text.js';
import {
  ACTIVITY_TYPES,
  type ActivityType,
  EVENT_TYPE,
  MAX_CLIENT_ID,
  MAX_EVENT_BYTES,
} from '../../domain/session/activity-types.js';

/** Makes the schema of activities of one type. @param exampleType the `eventType` of the example */
const activityOf = (
  name: string,
  eventType: TSchema,
  { meaning, fields, example }: ActivityType,
  exampleType: string,
) =>
  Named(
    `${name}Activity`,
    {
      clientEventId: Type.String({
        minLength: 1,
        maxLength: MAX_CLIENT_ID,
        description: 'Chosen by the client. An event whose id the session knows is a duplicate.',
      }),
      eventType,
      occurredAt: Instant,
      payload: Named(`${name}Payload`, fields, { additionalProperties: true }),
    },
    {
      description: meaning,
      examples: [
        {
          clientEventId: '0197f0a4-7d20-7a11-8c55-2b3c4d5e6f70',
          eventType: exampleType,
          occurredAt: '2026-01-05T09:12:00.000Z',
          payload: example,
        },
      ],
    },
  );

const other = activityOf(
  'Other',
  Type.String({ pattern: EVENT_TYPE.source, not: { enum: Object.keys(ACTIVITY_TYPES) } }),
  {
    meaning: 'An event of any other type. It is kept as it comes; no rule reads it.',
    fields: {},
    example: { file: 'README.md' },
  },
  'editor.opened',
);

/**
 * The published schema of an activity, for the API and the interview's messages. It has one branch for each type that
 * integrity rules read, and one for all others. It accepts what `checkActivities` accepts.
 */
export const ActivityRecord = Type.Union(
  [
    ...Object.entries(ACTIVITY_TYPES).map(([name, type]) =>
      activityOf(pascalCase(name), Type.Literal(name), type, name),
    ),
    other,
  ],
  {
    $id: 'Activity',
    description: `Something that the candidate did, in at most ${MAX_EVENT_BYTES} bytes of JSON. \`eventType\` decides what the payload holds.`,
  },
);
