import { Controller, Get, Param } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { organisations } from '../../../projections/organisations.js';
import { tickets } from '../../../projections/tickets.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { Enumeration, Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { findInvitation } from '../../domain/application/reading.js';
import { languageOf } from '../../domain/candidate/events.js';
import { MARKDOWN, RoleNotice, wholeDefinition } from '../../domain/role/events.js';
import { TICKET_PROGRESS, trial, type Trial } from '../../domain/session/state.js';
import { TicketContent } from '../../domain/ticket/events.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { OwnApplications } from '../applications/own-applications.js';
import {
  AccommodationRequestRecord,
  AccommodationsRecord,
  LANGUAGE,
  partsOf,
  readable,
} from '../applications/record.js';
import { type Freshness, Reads } from '../cqrs/reads.js';
import { type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Notices } from './notice.js';
import { noSuchSession } from './own-sessions.js';

const { title, description, links, estimatedMinutes } = TicketContent.properties;

/**
 * A ticket by its id; its content is `null` if no ticket of the organisation has that id, and its progress as long as the
 * candidate has recorded neither its start nor its end.
 */
const BriefingTicket = Named('BriefingTicket', {
  id: Type.String(),
  title: Nullable(title),
  description,
  links,
  estimatedMinutes,
  progress: Nullable(Enumeration('TicketProgress', TICKET_PROGRESS)),
});

/** What a candidate is told before, during and after the session. */
type BriefingRecord = Static<typeof BriefingRecord>;
const BriefingRecord = Named('Briefing', {
  trialSessionId: Uuid,
  applicationId: Uuid,
  organisationName: Type.String(),
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

@Controller('trial-sessions/:trialSessionId/briefing')
export class BriefingController {
  constructor(
    private readonly own: OwnApplications,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly notices: Notices,
  ) {}

  @Get()
  @SignedIn()
  @Operation({
    id: 'trialSessions.readBriefing',
    tag: 'Candidates',
    summary: 'Get what I am told',
    description:
      'Role, instructions and tickets as they were at the invitation (the tickets’ content as it is now, and how far the candidate is with each, by the activity recorded last), and the notice to consent to. A role without a notice of its own has one that is generated from the service’s configuration.',
    success: { status: 200, description: 'The briefing.', schema: BriefingRecord },
  })
  async read(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<BriefingRecord>> {
    const own = await this.own.bySession(caller, id, meta);
    if (!own) throw noSuchSession();
    const { id: applicationId, document } = own.application;
    const found = await findInvitation(this.streams, { ...document, applicationId });
    if ('kind' in found || found.candidate.erased) throw noSuchSession();
    const { invitation } = found;
    const { organisationId, candidateName } = invitation;
    const { name, instructions, timeFrameMinutes, ticketIds } = wholeDefinition(invitation.role);
    const { accommodations, accommodationRequest } = partsOf(own.application, null);
    const organisation = await this.reads.get(organisations, organisationId, meta);
    const { state } = await this.streams.read(trial, streamName('trial', id));
    return ok({
      trialSessionId: id,
      applicationId,
      organisationName: organisation?.document.name ?? '',
      roleName: name,
      candidateName,
      language: languageOf(invitation),
      instructions,
      timeFrameMinutes,
      expiresAt: document.trial.expiresAt,
      tickets: await this.tickets(organisationId, ticketIds, state?.tickets, meta),
      notice: await this.notices.of(invitation),
      accommodations,
      accommodationRequest: readable(accommodationRequest),
    });
  }

  private async tickets(
    organisationId: string,
    ids: readonly string[],
    recorded: Trial['tickets'] | undefined,
    freshness: Freshness,
  ): Promise<BriefingRecord['tickets']> {
    // A role may name anything; tickets have ids.
    const found = await this.reads.getMany(tickets, [...new Set(ids.filter(isUuid))], freshness);
    return ids.map((id) => {
      const ticket = found.get(id)?.document;
      const content = ticket?.organisationId === organisationId ? ticket.content : NO_CONTENT;
      return { id, ...content, progress: recorded?.get(id) ?? null };
    });
  }
}

const NO_CONTENT = { title: null, description: null, links: [], estimatedMinutes: null };
