import { Controller, Get, Inject, Param } from '@nestjs/common';
import { organisations } from '../../../projections/organisations.js';
import type { Caller } from '../../application/caller.js';
import { Reads } from '../../application/reads.js';
import { ConsentNotices } from '../../application/sessions/consent-notice.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import { CommandStreams } from '../../core/handle.js';
import { Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { INITIAL_SETTINGS } from '../../domain/organisation/events.js';
import { MARKDOWN, RoleNotice } from '../../domain/role/events.js';
import { trial } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import {
  AccommodationRequestRecord,
  AccommodationsRecord,
  LANGUAGE,
  partsOf,
  readable,
} from '../applications/record.js';
import { LogoRecord, logoRecord } from '../organisations/organisation.js';
import { BriefingTicket, ShownTickets } from './shown-tickets.js';

/** What a candidate is shown before, during and after the session. */
type BriefingRecord = Static<typeof BriefingRecord>;
const BriefingRecord = Named('Briefing', {
  trialSessionId: Uuid,
  applicationId: Uuid,
  organisationName: Type.String(),
  organisationLogo: Nullable(LogoRecord),
  timeZone: Type.String({ description: 'The organisation’s, in which mails show the time limit.' }),
  roleName: Type.String(),
  candidateName: Nullable(Type.String()),
  language: LANGUAGE,
  instructions: Nullable(Type.String({ description: MARKDOWN })),
  timeFrameMinutes: Nullable(Type.Integer()),
  expiresAt: Instant,
  tickets: Type.Array(BriefingTicket),
  notice: RoleNotice,
  accommodations: AccommodationsRecord,
  accommodationRequest: Nullable(AccommodationRequestRecord),
});

const operations = {
  read: {
    id: 'trialSessions.readBriefing',
    tag: 'Candidates',
    summary: 'Get what I am told',
    description:
      'Role, instructions and tickets as they were at the invitation (the tickets’ content as it was when the session was started, before that as it is now; and how far the candidate is with each, by the activity recorded last), and the notice to consent to. A role without a notice of its own has one that is generated from the service’s configuration. It holds 1 MiB of the tickets’ descriptions, links and lists of files at most: those of the rest are read a ticket at a time.',
    links: { ticketId: '/tickets/0/id' },
    success: { status: 200, description: 'The briefing.', schema: BriefingRecord },
  },
  ticket: {
    id: 'trialSessions.readTicket',
    tag: 'Candidates',
    summary: 'Get a ticket of my briefing',
    description: 'With the description, the links and the lists of files that the briefing may leave out.',
    success: { status: 200, description: 'The ticket.', schema: BriefingTicket },
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId')
export class BriefingController {
  constructor(
    private readonly shown: ShownTickets,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly notices: ConsentNotices,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get('briefing')
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<BriefingRecord>> {
    const { application: own, invitation } = await this.shown.invited(id, meta, caller);
    const { organisationId, candidateName } = invitation;
    const { name, instructions, timeFrameMinutes, ticketIds } = invitation.role;
    const { accommodations, accommodationRequest } = partsOf(own, null);
    const organisation = await this.reads.get(organisations, organisationId, meta);
    const { state } = await this.streams.read(trial, id);
    return ok({
      trialSessionId: id,
      applicationId: own.id,
      organisationName: organisation?.document.name ?? '',
      organisationLogo: organisation && logoRecord(organisation.document, this.publicUrl),
      timeZone: organisation?.document.timeZone ?? INITIAL_SETTINGS.timeZone,
      roleName: name,
      candidateName,
      language: invitation.language,
      instructions,
      timeFrameMinutes,
      expiresAt: own.document.trial.expiresAt,
      tickets: await this.shown.all(organisationId, ticketIds, state, meta),
      notice: await this.notices.noticeOf(invitation),
      accommodations,
      accommodationRequest: readable(accommodationRequest),
    });
  }

  @Get('tickets/:ticketId')
  @SignedIn()
  @Operation(operations.ticket)
  async ticket(
    @Param('trialSessionId') id: string,
    @Param('ticketId') ticketId: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<BriefingTicket>> {
    return ok((await this.shown.one(id, ticketId, meta, caller)).shown);
  }
}
