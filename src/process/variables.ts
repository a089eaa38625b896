import { editDistance } from '../core/text.js';

/** Every environment variable that the service reads. */
export const VARIABLES = [
  'NODE_ENV',
  'HOST',
  'PORT',
  'HEALTH_PORT',
  'PUBLIC_URL',
  'ALLOWED_ORIGINS',
  'DATA_DIR',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'SEGMENTS',
  'HISTORY_EVENTS',
  'REBUILD',
  'ROLLBACK_MINUTES',
  'PROJECTOR',
  'TRUSTED_PROXIES',
  'RATE_LIMITS',
  'LOG_LEVEL',
  'WEBHOOK_ALLOW_PRIVATE',
  'DATA_KEY',
  'DATA_KEY_PREVIOUS',
  'SIGNING_KEY',
  'FORMER_SIGNING_KEYS',
  'OIDC_ISSUER',
  'OIDC_AUDIENCE',
  'DEVELOPMENT_ISSUER',
  'INTERVIEWER',
  'SCORER',
  'TRANSCRIBER',
  'SYNTHESISER',
  'DETECTOR',
  'TRANSCRIBER_COMMAND',
  'SYNTHESISER_COMMAND',
  'DETECTOR_COMMAND',
  'OPENAI_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_MODEL',
  'OPENAI_VOICE',
  'OPENAI_TRANSCRIPTION_MODEL',
  'OPENAI_SPEECH_MODEL',
] as const;

export type VariableName = (typeof VARIABLES)[number];

/** Names that differ in a larger part of their length may be another program's. */
const LIKENESS = 4;
const MOST_APART = 3;

/**
 * A sentence for each variable that is set and almost one of the service's: it is probably misspelt. Values are not read.
 */
export const misspeltVariables = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.keys(environment)
    .filter((name) => !VARIABLES.some((known) => known === name))
    .flatMap((name) => {
      const meant = nearest(name);
      return meant === null
        ? []
        : [`${JSON.stringify(name)} is not a variable of this service: did you mean ${meant}?`];
    });

const nearest = (name: string): VariableName | null => {
  const plain = plainOf(name);
  const [best] = VARIABLES.map((known) => ({ known, apart: editDistance(plain, plainOf(known)) })).sort(
    (one, other) => one.apart - other.apart,
  );
  const most = Math.min(MOST_APART, Math.floor(name.length / LIKENESS));
  return best !== undefined && best.apart <= most ? best.known : null;
};

/** `logLevel` and `LOG-LEVEL` are near too. */
const plainOf = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
