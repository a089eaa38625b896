/** The engine's log for operators; pino's loggers fit. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: EngineLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Troubles that last, such as a store that is away: each is said when it comes or becomes another one, not at every try. */
export class Troubles {
  readonly #said = new Map<string, string>();

  constructor(private readonly log: EngineLog) {}

  /** @param what tells this trouble from others that may last beside it */
  warn(what: string, fields: { readonly reason: string }, message: string): void {
    if (this.#said.get(what) === fields.reason) return;
    this.#said.set(what, fields.reason);
    this.log.warn(fields, message);
  }

  /** It has passed: should it come again, it is said again. */
  over(what: string): void {
    this.#said.delete(what);
  }
}
