/** The read model has not come to the point that the caller has already seen. Trying again shortly will do. */
export class ReadModelBehind extends Error {
  readonly code = 'read_model_behind';
  override readonly name = 'ReadModelBehind';
  constructor(readonly view: string) {
    super(`The read model "${view}" has not caught up yet; try again shortly.`);
  }
}

/** The document asked for stands before an event that could not be folded into it: an operator has to act. */
export class ViewParked extends Error {
  readonly code = 'view_parked';
  override readonly name = 'ViewParked';
  constructor(
    readonly view: string,
    readonly documentId: string,
  ) {
    super(`A record of the read model "${view}" is parked until an operator has repaired it.`);
  }
}

/** An index function of a view gave a key that no store takes, or threw. */
export class IndexFailed extends Error {
  override readonly name = 'IndexFailed';
}

/** What went wrong as one line, for logs and health; never an object's guts. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
