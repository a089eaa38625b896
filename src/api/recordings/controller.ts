import { Controller, Get, Headers, Module, Param } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Type } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Answer, hasAlready } from '../../http/answer.js';
import { ApiError } from '../../http/api-error.js';
import { bufferOrStream } from '../../http/buffer-or-stream.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { type ByteRange, readRange, type Recording, Recordings } from './recordings.js';

/** The headers that name the requested part of a recording. */
type Wanted = Readonly<Record<'range' | 'if-range' | 'if-none-match', string | undefined>>;

const operations = {
  hear: {
    id: 'recordings.read',
    tag: 'Interviews',
    summary: 'Hear the recorded answer of a turn',
    description:
      'A WAV file: PCM, 16 kHz, mono, signed 16 bit. There is one for each spoken answer that was recorded while the organisation had recording turned on. Several ranges at once are answered by the whole.',
    success: {
      status: 200,
      description: 'The recording.',
      schema: Type.String({ format: 'binary' }),
      contentType: 'audio/wav',
      headers: ['ETag', 'Accept-Ranges'],
    },
    ranges: true,
    errors: ['erased', 'range_not_satisfiable'],
  },
} satisfies Operations;

/**
 * Bytes of a recording that are waited for, so that an unreachable vault is answered with an error, not with a file that
 * is cut off.
 */
const AWAITED_BYTES = 1;

@Controller('organisations/:orgId/trial-sessions/:trialSessionId/audio')
export class RecordingsController {
  constructor(private readonly recordings: Recordings) {}

  @Get(':turn')
  @StaffMay('audio.hear')
  @Operation(operations.hear)
  async hear(
    @Param('orgId') organisationId: string,
    @Param('trialSessionId') id: string,
    @Param('turn') turn: string,
    @Headers() wanted: Wanted,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const recording = await this.recordings.find(organisationId, id, turn, meta);
    const common = { ETag: recording.tag, 'Accept-Ranges': 'bytes', 'Content-Type': 'audio/wav' };
    if (hasAlready(wanted['if-none-match'], recording.tag))
      return new Answer(304, undefined, { headers: common });
    const isHead = meta.method === 'HEAD';
    const range = isHead ? null : rangeOf(wanted, recording);
    const { first, last } = range ?? { first: 0, last: recording.bytes - 1 };
    const headers = {
      ...common,
      'Content-Length': `${last + 1 - first}`,
      ...(range && { 'Content-Range': `bytes ${first}-${last}/${recording.bytes}` }),
    };
    const body = isHead
      ? Readable.from([])
      : await bufferOrStream(recording.read({ first, last }), AWAITED_BYTES);
    return new Answer(range ? 206 : 200, body, { headers });
  }
}

/** @throws {ApiError} the range is beyond the recording's end */
const rangeOf = (wanted: Wanted, { bytes, tag }: Recording): ByteRange | null => {
  const condition = wanted['if-range'];
  if (condition !== undefined && condition.trim() !== tag) return null;
  const range = readRange(wanted.range, bytes);
  if (range !== 'unsatisfiable') return range;
  throw new ApiError('range_not_satisfiable', `This recording has ${bytes} bytes and no such range.`, {
    headers: { 'Content-Range': `bytes */${bytes}`, 'Accept-Ranges': 'bytes' },
  });
};

@Module({ imports: [ApplicationsModule], controllers: [RecordingsController], providers: [Recordings] })
export class RecordingsModule {}
