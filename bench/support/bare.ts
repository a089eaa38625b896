import type { FastifyRequest } from 'fastify';
import { importSPKI, jwtVerify } from 'jose';
import type { Tokens } from './tokens.js';

/** What the bare services have in common: the check of tokens (`TOKENS`), the schemas of bodies, the empty counts. */

const tokens = JSON.parse(process.env.TOKENS ?? 'null') as Tokens | null;
const key = tokens ? await importSPKI(tokens.publicKey, tokens.algorithm) : null;
const verified = new Map<string, string>();

/** Each token is verified once. @throws the token was signed by another issuer */
export const subjectOf = async ({ headers }: FastifyRequest): Promise<string> => {
  const token = headers.authorization?.slice('Bearer '.length) ?? '';
  const known = verified.get(token);
  if (known !== undefined) return known;
  if (!tokens || !key) throw new Error('There is no key to verify tokens with.');
  const { payload } = await jwtVerify(token, key, { issuer: tokens.issuer, audience: tokens.audience });
  const subject = payload.sub ?? '';
  verified.set(token, subject);
  return subject;
};

/** A role's content. */
export interface Definition {
  readonly name: string;
}

const percent = { type: 'integer', minimum: 0, maximum: 100 };

export const definition = {
  type: 'object',
  required: ['name', 'overallThreshold', 'dimensions'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '\\S' },
    overallThreshold: percent,
    dimensions: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'weight', 'category'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', pattern: '\\S' },
          weight: percent,
          category: { enum: ['process', 'correctness'] },
          threshold: percent,
        },
      },
    },
    ticketIds: { type: 'array', items: { type: 'string' } },
  },
};

/** A role's row of the signal, before any trial. */
export const counts = {
  trialCompletedCount: 0,
  outcomeRecordedCount: 0,
  awaitingOutcomeCount: 0,
  humanRound: { passed: 0, failed: 0 },
  disposition: { hired: 0, declined: 0 },
};

/** What a candidate did. */
export interface Batch {
  readonly events: readonly { readonly clientEventId: string }[];
}

export const batch = {
  type: 'object',
  required: ['events'],
  additionalProperties: false,
  properties: {
    events: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['clientEventId', 'eventType', 'occurredAt', 'payload'],
        additionalProperties: false,
        properties: {
          clientEventId: { type: 'string', minLength: 1, maxLength: 64 },
          eventType: { type: 'string', pattern: '^[a-z][a-z0-9_.]{0,63}$' },
          occurredAt: { type: 'string', format: 'date-time' },
          payload: { type: 'object' },
        },
      },
    },
  },
};
