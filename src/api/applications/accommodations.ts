import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import type { Static } from '../../core/json-schema.js';
import { streamName } from '../../core/stream-name.js';
import { outcome, requestAccommodation, setAccommodations } from '../../domain/application/decider.js';
import { onTrial, withInvitation } from '../../domain/application/reading.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import { trial } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn, StaffMay } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { Commands, present, StaffContext } from '../cqrs/commands.js';
import { Reads } from '../cqrs/reads.js';
import { accepted, type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { answersRecord, Operation } from '../openapi/operation.js';
import { Schema } from '../validation/fields.js';
import { Checked, Flag, Text } from '../validation/rules.js';
import { saysErased } from './erased.js';
import { OwnApplications } from './own-applications.js';
import {
  AccommodationRequestRecord,
  AccommodationsRecord,
  ApplicationRecord,
  MOST_TIME_FACTOR,
} from './record.js';
import { noSuchApplication, StaffApplications } from './staff-applications.js';

const isTimeFactor = (value: unknown): boolean =>
  typeof value === 'number' && value >= 1 && value <= MOST_TIME_FACTOR;

/** Replaces the accommodations as a whole. */
@Schema('SetAccommodations')
export class SetAccommodationsDto {
  @Checked(AccommodationsRecord.properties.timeFactor, {
    name: 'range',
    holds: isTimeFactor,
    sentence: `{path} must be a number from 1 to ${MOST_TIME_FACTOR}.`,
  })
  timeFactor!: number;
  @Flag() typedOnly!: boolean;
  @Flag() captions!: boolean;
}

@Controller('organisations/:orgId/applications/:applicationId/accommodations')
export class AccommodationsController {
  constructor(
    private readonly commands: Commands,
    private readonly streams: CommandStreams,
    private readonly staff: StaffApplications,
  ) {}

  @Put()
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.setAccommodations',
    tag: 'Applications',
    summary: 'Grant accommodations',
    example: { timeFactor: 1.5, typedOnly: false, captions: true },
    description:
      'Before or during the session; replaces what was granted as a whole, and an identical one changes nothing. The audit trail alone tells of it: scores, findings and reports do not.',
    success: answersRecord('The application.', ApplicationRecord),
    conditional: true,
    errors: ['application_closed', 'erased'],
  })
  async set(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Body() { timeFactor, typedOnly, captions }: SetAccommodationsDto,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    const accommodations = { timeFactor, typedOnly, captions };
    const { consistencyToken } = await this.commands.decide(outcome, id, context, (state, streams) =>
      withInvitation(streams, application, async () =>
        setAccommodations(state, { ...(await onTrial(streams, application, context)), accommodations }),
      ),
    );
    const session = await this.streams.read(trial, streamName('trial', application.trialSessionId));
    const record = await this.staff.recordAfter(application, session.state);
    return ok(record, { version: record.version, consistencyToken });
  }
}

@Schema('RequestAccommodation')
export class RequestAccommodationDto {
  @Text({ notBlank: true, maxLength: 4_000 }) text!: string;
}

@Controller('applications/:applicationId/accommodation-requests')
export class AccommodationRequestsController {
  constructor(
    private readonly commands: Commands,
    private readonly contexts: CommandContexts,
    private readonly own: OwnApplications,
    private readonly reads: Reads,
  ) {}

  @Post()
  @SignedIn()
  @Operation({
    id: 'ownApplications.requestAccommodation',
    tag: 'Candidates',
    summary: 'Ask for an accommodation',
    example: { text: 'I read slowly: I would need half as much time again.' },
    description:
      'In your own words, which the organisation’s staff read and which are erased with you. A further request replaces the former one.',
    success: { status: 202, description: 'The request.', schema: AccommodationRequestRecord },
    errors: ['application_closed'],
  })
  async request(
    @Param('applicationId') id: string,
    @Body() { text }: RequestAccommodationDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Static<typeof AccommodationRequestRecord>>> {
    const own = await this.reads.settled([applications], () => this.own.byId(caller, id, meta));
    if (!own) throw noSuchApplication();
    const application = applicationRefOf({ ...own.application.document, applicationId: own.application.id });
    const actor = { type: 'candidate', id: application.candidateId } as const;
    const context = this.contexts.forRequest(meta, caller.subject, actor);
    try {
      const { state, consistencyToken } = await this.commands.decide(
        outcome,
        id,
        context,
        (before, streams) =>
          withInvitation(streams, application, async () =>
            requestAccommodation(before, { ...(await onTrial(streams, application, context)), text }),
          ),
      );
      const { requestedAt } = present(state.accommodationRequest);
      return accepted({ text, requestedAt }, { consistencyToken });
    } catch (error) {
      throw saysErased(error) ? noSuchApplication() : error;
    }
  }
}
