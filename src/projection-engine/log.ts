/** Where the engine says what an operator should know; pino's loggers fit. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: EngineLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
