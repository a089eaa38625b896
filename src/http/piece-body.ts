import { RouteConfig } from '@nestjs/platform-fastify';
import { parseJsonBody } from './json-body.js';

/** Makes a request's body of its bytes. @throws {ApiError} `malformed_json` */
export type BodyParser = (bytes: Buffer) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly parseBody?: BodyParser;
    /** Largest body, in bytes. */
    readonly maxBodyBytes?: number;
  }
}

/** Gives a route a parser of its own in place of `parseJsonBody`. */
export const ParsedBy = (parseBody: BodyParser): MethodDecorator => RouteConfig({ parseBody });

/** JSON around what is in base64. */
const AROUND_BYTES = 64;

/** Lets a route take a body that holds as much in base64. @param bytes more than fit into any other body */
export const LargeBody = (bytes: number): MethodDecorator =>
  RouteConfig({ maxBodyBytes: Math.ceil(bytes / 3) * 4 + AROUND_BYTES });

const BEGINNING =
  /^[ \t\n\r]*\{[ \t\n\r]*"offset"[ \t\n\r]*:[ \t\n\r]*(0|[1-9]\d{0,14})[ \t\n\r]*,[ \t\n\r]*"data"[ \t\n\r]*:[ \t\n\r]*"/;
const END = /"[ \t\n\r]*\}[ \t\n\r]*$/;
/** Longest beginning and end that are searched, in bytes. */
const EDGE = 64;
/** Characters of base64 decoded at once: V8 keeps a text of more than 128 KiB out of its young generation. */
const PART = 24 * 1024;
const [DASH, UNDERSCORE, EQUALS] = [0x2d, 0x5f, 0x3d];

/**
 * As `parseJsonBody`, but `{"offset":0,"data":"…"}`, as clients write a piece of a file, comes with its data decoded: as
 * a text it would be copied three times, and would let V8 mark the whole heap once a second while files come in. Anything
 * else is left to `parseJsonBody`, also for its errors.
 * @param maxBytes of the data
 */
export const pieceParser =
  (maxBytes: number): BodyParser =>
  (body) => {
    const beginning = BEGINNING.exec(body.toString('latin1', 0, EDGE));
    const end =
      beginning && END.exec(body.toString('latin1', Math.max(beginning[0].length, body.length - EDGE)));
    if (!end) return parseJsonBody(body);
    const data = decoded(body.subarray(beginning[0].length, body.length - end[0].length), maxBytes);
    return data === null ? parseJsonBody(body) : { offset: Number(beginning[1]), data };
  };

/** `null`: it is not base64, or too long. */
const decoded = (text: Buffer, maxBytes: number): Buffer | null => {
  const padding = text.at(-1) !== EQUALS ? 0 : text.at(-2) === EQUALS ? 2 : 1;
  const length = (text.length / 4) * 3 - padding;
  // The decoder also takes the alphabet for URLs.
  const isOther =
    text.length % 4 !== 0 || length > maxBytes || text.includes(DASH) || text.includes(UNDERSCORE);
  if (isOther || length < 0) return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (let at = 0; at < text.length; at += PART)
    end += bytes.write(text.toString('latin1', at, at + PART), end, 'base64');
  // It skips what is no base64, a quote too, and then makes fewer bytes.
  return end === length ? bytes : null;
};
