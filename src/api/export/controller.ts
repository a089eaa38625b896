import { Readable } from 'node:stream';
import { Controller, Get } from '@nestjs/common';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { type Answer, ok } from '../http/answer.js';
import { inPieces } from '../http/in-pieces.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { OwnExport } from './own-export.js';
import { exportSchema } from './schema.js';

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Disposition': 'attachment; filename="export.json"',
};

/** Everything that is held about the caller as a candidate. */
@Controller('me/export')
export class OwnExportController {
  constructor(private readonly exports: OwnExport) {}

  @Get()
  @SignedIn()
  @Operation({
    id: 'ownExport.read',
    tag: 'Candidates',
    summary: 'Export what is held about oneself',
    description:
      'Everything that any organisation holds about the caller as a candidate: applications, sessions, every event of the evidence, all generations of the evaluations with how each figure came about, outcomes with their reasons, and recorded speech as WAV files in base64. Nothing of others, and not who works there. It may be long and is sent as it is read: a response that breaks off is no export.',
    success: { status: 200, description: 'The export, as a file.', schema: exportSchema() },
  })
  async read(@Meta() meta: RequestMeta, @CurrentCaller() caller: Caller): Promise<Answer<Buffer | Readable>> {
    if (meta.method === 'HEAD') return ok(Readable.from([]), { headers: HEADERS });
    return ok(await inPieces(await this.exports.begin(caller, meta)), { headers: HEADERS });
  }
}
