import { AssayError, type ErrorDetail } from '../../../packages/client/src/index.js';

/** A sentence, or one with a parameter for each figure that it takes from the service's own sentence. */
type Figured = string | ((...figures: string[]) => string);

/** The sentences for the code `conflict` of a command: for a limit that is reached, and for any other reason. */
export interface ConflictTexts {
  readonly limit: (most: string) => string;
  /** Default: that of the code, by `FailureTexts`. */
  readonly other?: string;
}

/** The sentences for failures in one language. */
export interface FailureTexts {
  readonly byCode: Readonly<Partial<Record<string, string>>>;
  /** By the rule that a field breaks. */
  readonly byRule: Readonly<Partial<Record<string, Figured>>>;
  readonly unknown: string;
  readonly reference: (requestId: string) => string;
}

/**
 * What a failure means for its reader: by its code, or by the rules that fields break, in their language; else the
 * service's own sentence.
 * @param conflict of the command that failed. Default: it has the sentence of all commands
 */
export const sentenceOf = (error: unknown, t: FailureTexts, conflict?: ConflictTexts): string => {
  if (!(error instanceof AssayError)) return t.unknown;
  const { code, message, status, requestId, details } = error;
  const ofCommand = code === 'conflict' && conflict ? conflictIn(message, conflict) : undefined;
  const meant = ofCommand ?? t.byCode[codeOf(error)];
  const sentence = meant ?? (details.map((one) => faultOf(one, t)).join(' ') || message);
  return status >= 500 && requestId !== null ? `${sentence} ${t.reference(requestId)}` : sentence;
};

/** The code of a refusal. A server in between, such as a proxy, answers without one: its status means what a code would. */
const codeOf = ({ code, status }: AssayError): string => {
  if (code !== 'unknown') return code;
  if (status === 413) return 'too_large';
  return status >= 500 ? 'unavailable' : code;
};

/** The problem of a field in the reader's language; if its rule has no text here, the service's own sentence. */
export const faultOf = (
  { path, rule, message }: ErrorDetail,
  { byRule }: Pick<FailureTexts, 'byRule'>,
): string => {
  const known = byRule[rule];
  if (typeof known !== 'function') return known ?? message;
  // The field's path may contain figures too.
  const figures = figuresIn(message.replace(path, ''));
  // A function's length is the number of its parameters: the sentence needs as many figures.
  return figures.length < known.length ? message : known(...figures);
};

const conflictIn = (message: string, { limit, other }: ConflictTexts): string | undefined => {
  const [most] = figuresIn(message);
  return most === undefined ? other : limit(most);
};

const figuresIn = (message: string): readonly string[] => message.match(/\d+/g) ?? [];
