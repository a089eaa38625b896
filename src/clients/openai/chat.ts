import { CHAT_LIMITS, member, type OpenAiAccess, OpenAiHttp, type OpenAiLimits } from './http.js';

/** A message of a chat with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A completion of a chat. */
export interface Completion {
  /** Empty if the answer has no text, for example if the model refuses. */
  readonly content: string;
  /** As counted by the API; an estimate if it does not count. */
  readonly tokens: number;
}

export interface ChatModelOptions extends OpenAiAccess {
  readonly model: string;
  /** Those that differ from `CHAT_LIMITS`. By default none. */
  readonly limits?: Partial<OpenAiLimits>;
}

/** One model of an OpenAI-compatible API, which answers by a JSON Schema. */
export class ChatModel {
  readonly name: string;
  readonly #http: OpenAiHttp;

  /** @throws {Error} the base URL or the key cannot be used */
  constructor({ model, limits, ...access }: ChatModelOptions) {
    this.name = model;
    this.#http = new OpenAiHttp(access, { ...CHAT_LIMITS, ...limits });
  }

  /**
   * Completes a chat. Reads only the first choice's text and the usage from the answer.
   * @param format the schema, and a name for it, which the API requires
   * @throws {OpenAiFailed}
   */
  async complete(
    messages: readonly ChatMessage[],
    format: { readonly name: string; readonly schema: object },
    signal: AbortSignal,
    parameters: object = {},
  ): Promise<Completion> {
    const response_format = { type: 'json_schema', json_schema: { ...format, strict: true } };
    const body = { model: this.name, messages, response_format, ...parameters };
    const answer = await this.#http.json('/chat/completions', body, signal);
    const content = member(member(first(member(answer, 'choices')), 'message'), 'content');
    const text = typeof content === 'string' ? content : '';
    const total = member(member(answer, 'usage'), 'total_tokens');
    const isCounted = typeof total === 'number' && Number.isSafeInteger(total) && total > 0;
    return { content: text, tokens: isCounted ? total : estimatedTokens(messages, text.length) };
  }
}

/** Characters per token, approximately. */
const CHARACTERS_PER_TOKEN = 3;

/** Estimated tokens of a call, for APIs that do not count. @param answered characters of the answer */
export const estimatedTokens = (messages: readonly ChatMessage[], answered = 0): number =>
  Math.ceil(messages.reduce((sum, { content }) => sum + content.length, answered) / CHARACTERS_PER_TOKEN);

const first = (list: unknown): unknown => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

/** Members by their names: an own member may have any name, `__proto__` included. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value, if it is a JSON object with exactly these members; else `null`. */
export const exactObject = (value: unknown, fields: readonly string[]): JsonObject | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const names = Object.keys(value);
  const exact = names.length === fields.length && fields.every((field) => names.includes(field));
  return exact ? (value as JsonObject) : null;
};

/** As `exactObject`, for a model's answer; `null`: the text is anything else than that JSON object. */
export const parsedObject = (content: string, fields: readonly string[]): JsonObject | null => {
  try {
    return exactObject(JSON.parse(content), fields);
  } catch {
    return null;
  }
};
