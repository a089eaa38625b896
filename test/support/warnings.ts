import type { EngineLog } from '../../src/engine/log.js';

/** A log that records its warnings: for each its message, then its fields as JSON. */
export const warnings = (): { readonly log: EngineLog; readonly logged: string[] } => {
  const logged: string[] = [];
  const log = {
    info: () => undefined,
    warn: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    error: () => undefined,
  };
  return { log, logged };
};
