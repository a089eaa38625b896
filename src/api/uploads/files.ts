import { Count, Type } from '../../core/json-schema.js';
import { queryParameter } from '../../http/list-query.js';
import { ParsedBy, pieceParser } from '../../http/piece-body.js';
import { Schema } from '../../http/validation/fields.js';
import { Base64, Text, Whole } from '../../http/validation/rules.js';
import { HAND_IN_LIMITS, MAX_PATH_BYTES, MAX_PIECE_BYTES, type TreeLimits } from '../../work/limits.js';

/** UTF-16 units. */
const MAX_NAME = 200;

/** What every file that comes in pieces is announced with, beside its size. */
export class AnnouncedDto {
  @Text({ notBlank: true, maxLength: MAX_NAME }) name!: string;
  @Text({
    maxLength: 64,
    pattern: /^[0-9a-f]{64}$/,
    sentence: '{path} must be a SHA-256 in 64 lower-case hex digits.',
  })
  sha256!: string;
}

/** A piece of a file; the largest file is a hand-in. */
@Schema('AddPiece')
export class AddPieceDto {
  @Whole({ min: 0, max: HAND_IN_LIMITS.bytes }) offset!: number;
  /** Base64, or the decoded bytes: `TakesPiece` decodes bodies of the usual form while it parses them. */
  @Base64(MAX_PIECE_BYTES) data!: string | Buffer;
}

/** Parses the body of a route that takes an `AddPieceDto`. */
export const TakesPiece = (): MethodDecorator => ParsedBy(pieceParser(MAX_PIECE_BYTES));

/** The bytes of a piece. */
export const bytesOf = ({ data }: AddPieceDto): Buffer =>
  typeof data === 'string' ? Buffer.from(data, 'base64') : data;

/** An announced file for examples; `EXAMPLE_PIECE` is all of its content. */
export const exampleFile = (name: string) => ({
  name,
  bytes: 5,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
});

export const EXAMPLE_PIECE = { offset: 0, data: 'aGVsbG8=' };

/** A sentence's part for descriptions: which files can be announced. */
export const describeFormats = ({ bytes, files }: TreeLimits): string =>
  `a zip, a tar, a tar.gz, a git bundle or any single file, of at most ${bytes} bytes and, unpacked, ${files} files. The ending of \`name\` says how it is read.`;

export const PIECE_DESCRIPTION = `At most ${MAX_PIECE_BYTES} bytes, in base64. A piece that was sent before, or begins elsewhere than where the last one ended, changes nothing: go on at \`received\`.`;

/** How far an upload has come. */
export const RECEIVED = {
  ...Count,
  description: 'How many bytes have arrived: the next piece begins there.',
};

/** The query parameter that names a file of a tree. */
export const pathParameter = (description: string) =>
  queryParameter('path', Type.String({ maxLength: MAX_PATH_BYTES, pattern: '\\S' }), description);
