/** A message of a chat with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What makes a model answer by that JSON Schema. @param name for the API, which wants one */
export const answeringBy = (name: string, schema: object): object => ({
  type: 'json_schema',
  json_schema: { name, strict: true, schema },
});

/** What a chat completion answered. */
export interface Completion {
  /** Empty where it holds no text, as when the model refuses. */
  readonly content: string;
  /** As the API counts them; an estimate where it does not. */
  readonly tokens: number;
}

/** About so many characters make a token. */
const CHARACTERS_PER_TOKEN = 3;

/** Roughly what a text costs, for APIs that do not count. */
export const estimatedTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/** Reads a chat completion, of which only its first choice's text and its usage count. @param sent characters sent */
export const completionOf = (answer: unknown, sent: number): Completion => {
  const message = member(first(member(answer, 'choices')), 'message');
  const content = member(message, 'content');
  const text = typeof content === 'string' ? content : '';
  const total = member(member(answer, 'usage'), 'total_tokens');
  return {
    content: text,
    tokens:
      typeof total === 'number' && Number.isSafeInteger(total) && total > 0
        ? total
        : estimatedTokens(sent + text.length),
  };
};

const first = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Members by their names: an own member may have any name, `__proto__` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value where it is a JSON object with exactly these members, else `null`. */
export const exactObject = (value: unknown, fields: readonly string[]): JsonObject | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  const exact = names.length === fields.length && fields.every((field) => names.includes(field));
  return exact ? (value as JsonObject) : null;
};

/** As `exactObject`, of a text that a model answered; `null` for anything but that one JSON object. */
export const parsedObject = (content: string, fields: readonly string[]): JsonObject | null => {
  try {
    return exactObject(JSON.parse(content), fields);
  } catch {
    return null;
  }
};
