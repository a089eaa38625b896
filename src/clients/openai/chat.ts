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
