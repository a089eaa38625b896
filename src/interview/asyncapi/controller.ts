import { Controller, Get, Inject } from '@nestjs/common';
import { Public } from '../../api/access/access.decorator.js';
import { asyncApiDocument } from './document.js';
import { type Answer, json } from '../../api/http/answer.js';
import { Operation } from '../../api/openapi/operation.js';
import { PUBLIC_URL } from '../../api/documents/public-url.js';

@Controller('asyncapi.json')
export class AsyncApiController {
  private readonly text: string;

  constructor(@Inject(PUBLIC_URL) publicUrl: string) {
    this.text = JSON.stringify(asyncApiDocument(publicUrl));
  }

  @Get()
  @Public()
  @Operation({
    id: 'asyncApi.read',
    tag: 'Operations',
    summary: 'The interview’s socket, described',
    description: 'Every message of it, with examples, and its codes.',
    success: { status: 200, description: 'AsyncAPI 3.0.', schema: { type: 'object' } },
  })
  read(): Answer {
    return json(this.text);
  }
}
