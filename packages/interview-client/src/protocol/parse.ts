import { problemWith } from './fields.js';
import {
  type ClientMessage,
  clientMessages,
  type Declarations,
  type ServerMessage,
  serverMessages,
} from './messages.js';

export type Parsed<Message> =
  | { readonly kind: 'message'; readonly message: Message }
  /** `id` of the message, if it could be read. */
  | { readonly kind: 'bad'; readonly problem: string; readonly id: string | null };

/** Deepest nesting of JSON that is accepted. */
const MAX_DEPTH = 32;

/** A text frame from a client, with all fields checked. Unknown fields are ignored. */
export const parseClientMessage = (frame: string): Parsed<ClientMessage> => parse(frame, clientMessages);

/** A text frame from the server, for clients. */
export const parseServerMessage = (frame: string): Parsed<ServerMessage> => parse(frame, serverMessages);

const parse = <Message>(frame: string, known: Declarations): Parsed<Message> => {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return bad('The frame is not valid JSON.', null);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return bad('A message must be a JSON object.', null);
  const id = validIdOf(value);
  if (isDeeper(value, MAX_DEPTH)) return bad('The message is nested too deeply.', id);
  const type: unknown = Object.hasOwn(value, 'type') ? (value as { type: unknown }).type : undefined;
  if (typeof type !== 'string') return bad('type is missing: it must be the name of a message.', id);
  if (!Object.hasOwn(known, type)) return bad('type is none of this protocol’s messages.', id);
  const fields = known[type]?.fields ?? {};
  const problem = problemWith(fields, value);
  if (problem !== null) return bad(problem, id);
  const own = Object.keys(fields).filter((name) => Object.hasOwn(value, name));
  const message = Object.fromEntries(own.map((name) => [name, (value as Record<string, unknown>)[name]]));
  return { kind: 'message', message: { type, ...message } as Message };
};

const bad = (problem: string, id: string | null): Parsed<never> => ({ kind: 'bad', problem, id });

/** The `id` of a frame, to name it in the answer; `null`: it has none, or one that the protocol does not allow. */
const validIdOf = (value: object): string | null => {
  const id: unknown = Object.hasOwn(value, 'id') ? (value as { id: unknown }).id : null;
  // Ids have the same rule in every message: `turn.commit` is one of those with an id.
  return clientMessages['turn.commit'].fields.id.holds(id) ? id : null;
};

const isDeeper = (value: unknown, depth: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
};
