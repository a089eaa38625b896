/** The engine's log for operators; pino's loggers fit. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Logs nothing: the default of every part of the engine that takes a log. */
export const silentLog: EngineLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Logs a lasting failure, such as an unreachable store, once and not at every try; again if its reason changes. */
export class RepeatedWarnings {
  /** The reason that was logged last, by kind of failure. */
  readonly #logged = new Map<string, string>();

  constructor(private readonly log: EngineLog) {}

  /** @param kind the kind of failure: several may last at the same time */
  warn(kind: string, fields: { readonly reason: string }, message: string): void {
    if (this.#logged.get(kind) === fields.reason) return;
    this.#logged.set(kind, fields.reason);
    this.log.warn(fields, message);
  }

  /** The failure has ended: the next one is logged again. */
  resolved(kind: string): void {
    this.#logged.delete(kind);
  }
}
