import { Body, Controller, Param, Post } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import { RequestAccommodation } from '../../application/applications/request-accommodation.js';
import { RequestErasure } from '../../application/applications/request-erasure.js';
import type { Caller } from '../../application/caller.js';
import { Reads } from '../../application/reads.js';
import { present } from '../../application/use-case.js';
import { Instant, Named, type Static } from '../../core/json-schema.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { accepted, type Answer } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Text } from '../../http/validation/rules.js';
import { Commands } from '../cqrs/commands.js';
import { AccommodationRequestRecord } from './record.js';
import { noSuchApplication } from './staff-applications.js';

@Schema('RequestAccommodation')
export class RequestAccommodationDto {
  @Text({ notBlank: true, maxLength: 4_000 }) text!: string;
}

type ErasureRequestRecord = Static<typeof ErasureRequestRecord>;
const ErasureRequestRecord = Named('ErasureRequest', { requestedAt: Instant });

const operations = {
  requestAccommodation: {
    id: 'ownApplications.requestAccommodation',
    tag: 'Candidates',
    summary: 'Ask for an accommodation',
    example: { text: 'I read slowly: I would need half as much time again.' },
    description:
      'In your own words, which the organisation’s staff read and which are erased with you. A further request replaces the former one.',
    success: { status: 202, description: 'The request.', schema: AccommodationRequestRecord },
    errors: ['application_closed', 'too_many_requests'],
  },
  requestErasure: {
    id: 'ownApplications.requestErasure',
    tag: 'Candidates',
    summary: 'Ask to be erased',
    description:
      'The organisation’s staff see it, and erase you from all your applications there. Until then nothing changes. Asking again changes nothing.',
    success: { status: 202, description: 'The request.', schema: ErasureRequestRecord },
  },
} satisfies Operations;

/** Requests of candidates to staff. */
@Controller('applications/:applicationId')
export class CandidateRequestsController {
  constructor(
    private readonly commands: Commands,
    private readonly own: CandidateApplications,
    private readonly reads: Reads,
  ) {}

  @Post('accommodation-requests')
  @SignedIn()
  @Operation(operations.requestAccommodation)
  async requestAccommodation(
    @Param('applicationId') id: string,
    @Body() { text }: RequestAccommodationDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Static<typeof AccommodationRequestRecord>>> {
    const application = await this.application(caller, id, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const command = new RequestAccommodation(context, { application, text });
    const { state, consistencyToken } = await this.commands.execute(command);
    const { requestedAt } = present(state.accommodationRequest);
    return accepted({ text, requestedAt }, { consistencyToken });
  }

  @Post('erasure-requests')
  @SignedIn()
  @Operation(operations.requestErasure)
  async requestErasure(
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ErasureRequestRecord>> {
    const application = await this.application(caller, id, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const { state, consistencyToken } = await this.commands.execute(
      new RequestErasure(context, { application }),
    );
    return accepted({ requestedAt: present(state.erasureRequestedAt) }, { consistencyToken });
  }

  /** The caller’s own application. @throws {ApiError} there is none by that id */
  private async application(caller: Caller, id: string, meta: RequestMeta): Promise<ApplicationRef> {
    const own = await this.reads.findCaughtUp([applications], () => this.own.byId(caller, id, meta));
    if (!own) throw noSuchApplication();
    return applicationRefOf({ ...own.application.document, applicationId: own.application.id });
  }
}
