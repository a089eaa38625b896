import { RouteConfig } from '@nestjs/platform-fastify';
import { parseJsonBody } from './json-body.js';

/** Parses a request's body. @throws {ApiError} `malformed_json` */
export type BodyParser = (bytes: Buffer) => unknown;

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly parseBody?: BodyParser;
    /** Largest body, in bytes. */
    readonly maxBodyBytes?: number;
  }
}

/** Sets a route's parser. Default: `parseJsonBody`. */
export const ParsedBy = (parseBody: BodyParser): MethodDecorator => RouteConfig({ parseBody });

/** Bytes allowed for the JSON around the base64. */
const AROUND_BYTES = 64;

/** Lets a route take a body with that many bytes in base64. @param bytes more than `MAX_BODY_BYTES` can contain */
export const LargeBody = (bytes: number): MethodDecorator =>
  RouteConfig({ maxBodyBytes: Math.ceil(bytes / 3) * 4 + AROUND_BYTES });

const BEGINNING =
  /^[ \t\n\r]*\{[ \t\n\r]*"offset"[ \t\n\r]*:[ \t\n\r]*(0|[1-9]\d{0,14})[ \t\n\r]*,[ \t\n\r]*"data"[ \t\n\r]*:[ \t\n\r]*"/;
const END = /"[ \t\n\r]*\}[ \t\n\r]*$/;
/** How many bytes at the beginning and at the end are searched for the JSON around the data. */
const EDGE = 64;
/** Characters of base64 decoded at once: V8 does not allocate a text over 128 KiB in its young generation. */
const PART = 24 * 1024;
const [DASH, UNDERSCORE, EQUALS] = [0x2d, 0x5f, 0x3d];

/**
 * Parses a piece of a file, `{"offset":0,"data":"…"}` as clients write it, with the data decoded to bytes. As a text
 * the data would be copied three times, and V8 would mark the whole heap once a second during uploads. Leaves any other
 * body to `parseJsonBody`, also for the errors.
 * @param maxBytes largest length of the data
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

/** Decodes base64; `null`: it is not valid, or too long. */
const decoded = (text: Buffer, maxBytes: number): Buffer | null => {
  const padding = text.at(-1) !== EQUALS ? 0 : text.at(-2) === EQUALS ? 2 : 1;
  const length = (text.length / 4) * 3 - padding;
  // The decoder would also accept the URL-safe alphabet.
  const isOther =
    text.length % 4 !== 0 || length > maxBytes || text.includes(DASH) || text.includes(UNDERSCORE);
  if (isOther || length < 0) return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (let at = 0; at < text.length; at += PART)
    end += bytes.write(text.toString('latin1', at, at + PART), end, 'base64');
  // The decoder skips any other character, also a quote, and then returns fewer bytes.
  return end === length ? bytes : null;
};
