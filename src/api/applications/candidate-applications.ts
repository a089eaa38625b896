import { Controller, Get, Param } from '@nestjs/common';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import type { Caller } from '../../application/caller.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { OwnApplicationRecord, ownApplicationRecord, partsOf } from './record.js';

const operations = {
  read: {
    id: 'ownApplications.read',
    tag: 'Candidates',
    summary: 'Get my application',
    links: { trialSessionId: '/trialSessions/0/id' },
    success: answersRecord('The application.', OwnApplicationRecord),
  },
} satisfies Operations;

@Controller('applications')
export class CandidateApplicationsController {
  constructor(private readonly own: CandidateApplications) {}

  @Get(':applicationId')
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnApplicationRecord>> {
    const own = await this.own.byId(caller, id, meta);
    if (!own) throw notFound('There is no such application.');
    const email = own.candidate.document.personal?.email ?? null;
    const record = ownApplicationRecord(partsOf(own.application, email));
    return ok(record, { version: record.version });
  }
}
