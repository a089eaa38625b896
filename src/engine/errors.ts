/** The read model has not reached the position that the caller has already seen: try again shortly. */
export class ReadModelBehind extends Error {
  readonly code = 'read_model_behind';
  override readonly name = 'ReadModelBehind';
  constructor(readonly view: string) {
    super(`The read model "${view}" has not caught up yet; try again shortly.`);
  }
}

/** The document is parked before an event that could not be folded into it: an operator has to act. */
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

/** An index function of a view returned a key that no store takes, or threw. */
export class IndexFailed extends Error {
  override readonly name = 'IndexFailed';
}

/** An error's name and message as one line, for logs and health. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Shorter texts occur in any sentence. */
const MIN_TEXT = 3;
/** An error may quote a part of a text alone; the JSON parser's shows ten characters to each side. */
const QUOTED = 8;
/** UTF-16 units of a reason that is logged or stored. */
const MAX_REASON = 500;

const WITHHELD = 'its message is withheld, since it quotes personal data.';

/**
 * An error as one line that may be stored and shown unsealed: only its name if the message quotes a text of the
 * personal parts, or eight characters of one. Errors of folds are stored in pointers, logs and operators' events, which
 * an erasure does not change.
 */
export function discreetReason(error: unknown, personal: readonly unknown[]): string {
  const reason = withEllipsis(reasonOf(error));
  const texts = personal.flatMap(textsIn);
  if (!quotesAny(reason, texts)) return reason;
  const name = error instanceof Error ? withEllipsis(error.name) : 'Error';
  return `${quotesAny(name, texts) ? 'Error' : name}: ${WITHHELD}`;
}

/** An error's stack without its message: only the lines that name places. `null`: it has none. */
export function placesOf(error: unknown): string | null {
  if (!(error instanceof Error) || error.stack === undefined) return null;
  const places = error.stack.split('\n').filter((line) => /^ +at .+:\d+:\d+\)?$/u.test(line));
  return places.length === 0 ? null : places.join('\n');
}

const withEllipsis = (text: string): string =>
  text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON)}…`;

function quotesAny(said: string, texts: readonly string[]): boolean {
  const pieces: string[] = [];
  for (let from = 0; from + QUOTED <= said.length; from++) pieces.push(said.slice(from, from + QUOTED));
  return texts.some((text) =>
    text.length < QUOTED ? said.includes(text) : pieces.some((piece) => text.includes(piece)),
  );
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'number') return textsIn(String(value));
  if (typeof value === 'string') return value.length < MIN_TEXT ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
};
