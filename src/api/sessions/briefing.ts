import { Controller, Get, Param } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { organisations } from '../../../projections/organisations.js';
import { tickets } from '../../../projections/tickets.js';
import { isRefused } from '../../core/decider.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { Enumeration, Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { findInvitation, type Invited } from '../../application/applications/reading.js';
import { MARKDOWN, RoleNotice } from '../../domain/role/events.js';
import { TICKET_PROGRESS, trial, type Trial } from '../../domain/session/state.js';
import { TicketContent } from '../../domain/ticket/events.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import type { Caller } from '../../application/caller.js';
import { OwnApplications } from '../../application/applications/own-applications.js';
import {
  AccommodationRequestRecord,
  AccommodationsRecord,
  type FoundApplication,
  LANGUAGE,
  partsOf,
  readable,
} from '../applications/record.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { type Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Notices } from '../../application/sessions/notice.js';
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
  contentLeftOut: Type.Optional(
    Type.Literal(true, {
      description:
        'The briefing would be too large: the description and the links are left out, read the ticket by itself.',
    }),
  ),
});
type BriefingTicket = Static<typeof BriefingTicket>;

/** Bytes of descriptions and links, as JSON, that a briefing holds at most. */
const MAX_CONTENT_BYTES = 1024 * 1024;
/** Tickets that are read at once: each can have some 100 KB. */
const TICKETS_AT_ONCE = 10;

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

const operations = {
  read: {
    id: 'trialSessions.readBriefing',
    tag: 'Candidates',
    summary: 'Get what I am told',
    description:
      'Role, instructions and tickets as they were at the invitation (the tickets’ content as it is now, and how far the candidate is with each, by the activity recorded last), and the notice to consent to. A role without a notice of its own has one that is generated from the service’s configuration. It holds 1 MiB of the tickets’ descriptions and links at most: those of the rest are read a ticket at a time.',
    gives: { ticketId: '/tickets/0/id' },
    success: { status: 200, description: 'The briefing.', schema: BriefingRecord },
  },
  ticket: {
    id: 'trialSessions.readTicket',
    tag: 'Candidates',
    summary: 'Get a ticket of my briefing',
    description: 'With the description and the links that the briefing may leave out.',
    success: { status: 200, description: 'The ticket.', schema: BriefingTicket },
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId')
export class BriefingController {
  constructor(
    private readonly own: OwnApplications,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly notices: Notices,
  ) {}

  @Get('briefing')
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<BriefingRecord>> {
    const { application: own, invitation } = await this.invited(id, meta, caller);
    const { organisationId, candidateName } = invitation;
    const { name, instructions, timeFrameMinutes, ticketIds } = invitation.role;
    const { accommodations, accommodationRequest } = partsOf(own, null);
    const organisation = await this.reads.get(organisations, organisationId, meta);
    const { state } = await this.streams.read(trial, streamName('trial', id));
    return ok({
      trialSessionId: id,
      applicationId: own.id,
      organisationName: organisation?.document.name ?? '',
      roleName: name,
      candidateName,
      language: invitation.language,
      instructions,
      timeFrameMinutes,
      expiresAt: own.document.trial.expiresAt,
      tickets: await this.tickets(organisationId, ticketIds, state?.tickets, meta),
      notice: await this.notices.of(invitation),
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
    const { invitation } = await this.invited(id, meta, caller);
    const { organisationId, role } = invitation;
    const isNamed = role.ticketIds.includes(ticketId);
    const { state } = await this.streams.read(trial, streamName('trial', id));
    const named = isNamed ? [ticketId] : [];
    const [ticket] = await this.tickets(organisationId, named, state?.tickets, meta);
    if (!ticket) throw notFound('There is no such ticket in this briefing.');
    return ok(ticket);
  }

  /** The caller's own application with its invitation, unless the candidate was erased. @throws {ApiError} */
  private async invited(
    id: string,
    meta: RequestMeta,
    caller: Caller,
  ): Promise<{ readonly application: FoundApplication; readonly invitation: Invited['invitation'] }> {
    const own = await this.own.bySession(caller, id, meta);
    if (!own) throw noSuchSession();
    const { application } = own;
    const found = await findInvitation(this.streams, {
      ...application.document,
      applicationId: application.id,
    });
    if (isRefused(found) || found.candidate.erased) throw noSuchSession();
    return { application, invitation: found.invitation };
  }

  /** A few tickets are in memory at a time, and of all of them as much as a briefing holds. */
  private async tickets(
    organisationId: string,
    ids: readonly string[],
    recorded: Trial['tickets'] | undefined,
    freshness: Freshness,
  ): Promise<BriefingRecord['tickets']> {
    const held: BriefingTicket[] = [];
    let left = MAX_CONTENT_BYTES;
    for (let at = 0; at < ids.length; at += TICKETS_AT_ONCE) {
      const some = ids.slice(at, at + TICKETS_AT_ONCE);
      // A role may name anything; tickets have ids.
      const found = await this.reads.getMany(tickets, [...new Set(some.filter(isUuid))], freshness);
      for (const id of some) {
        const ticket = found.get(id)?.document;
        const content = ticket?.organisationId === organisationId ? ticket.content : NO_CONTENT;
        const bytes = Buffer.byteLength(JSON.stringify([content.description, content.links]));
        const fits = bytes <= left;
        if (fits) left -= bytes;
        const shown = fits ? content : { ...content, ...LEFT_OUT };
        held.push({ id, ...shown, progress: recorded?.get(id) ?? null });
      }
    }
    return held;
  }
}

const NO_CONTENT = { title: null, description: null, links: [], estimatedMinutes: null };
const LEFT_OUT = { description: null, links: [], contentLeftOut: true } as const;
