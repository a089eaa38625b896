import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { tickets } from '../../../projections/tickets.js';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import { findInvitation, type Invited } from '../../application/applications/reading.js';
import type { Caller } from '../../application/caller.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { formerTicket, TICKETS_AT_ONCE } from '../../application/tickets/ticket-versions.js';
import { isRefused } from '../../core/decider.js';
import { CommandStreams } from '../../core/handle.js';
import { Enumeration, Named, Nullable, Ordinal, type Static, Type } from '../../core/json-schema.js';
import { TICKET_PROGRESS, trial, type TrialState } from '../../domain/session/state.js';
import { NO_WORK, TicketChecks, TicketContent } from '../../domain/ticket/events.js';
import { notFound } from '../../http/api-error.js';
import type { RequestMeta } from '../../http/meta.js';
import type { FoundApplication } from '../applications/record.js';
import { noSuchSession } from './candidate-sessions.js';

const { title, description, links, estimatedMinutes, kind, starter } = TicketContent.properties;

/**
 * A ticket by its id, in the version that the session began with. Version and content are `null` if no ticket of the
 * organisation has that id, and its progress as long as the candidate has recorded neither its start nor its end.
 */
export const BriefingTicket = Named('BriefingTicket', {
  id: Type.String(),
  version: Nullable(Ordinal),
  title: Nullable(title),
  description,
  links,
  estimatedMinutes,
  kind,
  starter,
  visibleChecks: TicketChecks.properties.visible,
  hasHiddenChecks: Type.Boolean({
    description: 'Further checks run over what is handed in. Their files and names are not shown.',
  }),
  progress: Nullable(Enumeration('TicketProgress', TICKET_PROGRESS)),
  contentLeftOut: Type.Optional(
    Type.Literal(true, {
      description:
        'The briefing would be too large: the description, the links, the starter and the visible checks are left out, read the ticket by itself.',
    }),
  ),
});
export type BriefingTicket = Static<typeof BriefingTicket>;

/** Bytes of what may be left out, as JSON, that a briefing holds at most. */
const MAX_CONTENT_BYTES = 1024 * 1024;

/** The tickets of a session as its candidate is shown them. */
@Injectable()
export class ShownTickets {
  constructor(
    private readonly own: CandidateApplications,
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
  ) {}

  /** A ticket of the caller's own session. @throws {ApiError} there is no such session, or none of it */
  async one(
    id: string,
    ticketId: string,
    meta: RequestMeta,
    caller: Caller,
  ): Promise<{ readonly shown: BriefingTicket; readonly session: TrialState }> {
    const { invitation } = await this.invited(id, meta, caller);
    const { organisationId, role } = invitation;
    const { state } = await this.streams.read(trial, id);
    const named = role.ticketIds.includes(ticketId) ? [ticketId] : [];
    const [shown] = await this.all(organisationId, named, state, meta);
    if (!shown) throw notFound('There is no such ticket in this briefing.');
    return { shown, session: state };
  }

  /** The caller's own application with its invitation, unless the candidate was erased. @throws {ApiError} */
  async invited(
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
  async all(
    organisationId: string,
    ids: readonly string[],
    session: TrialState,
    freshness: Freshness,
  ): Promise<BriefingTicket[]> {
    const held: BriefingTicket[] = [];
    let left = MAX_CONTENT_BYTES;
    for (let at = 0; at < ids.length; at += TICKETS_AT_ONCE) {
      const some = ids.slice(at, at + TICKETS_AT_ONCE);
      // A role may name anything; tickets have ids.
      const found = await this.reads.getMany(tickets, [...new Set(some.filter(isUuid))], freshness);
      for (const id of some) {
        const current = found.get(id)?.document;
        const isOwn = current?.organisationId === organisationId;
        const version = session?.ticketVersions.get(id) ?? (isOwn ? current.version : null);
        const isCurrent = isOwn && version === current.version;
        const former = isCurrent || version === null ? null : await formerTicket(this.streams, id, version);
        const content = shownOf((isCurrent ? current : former)?.content);
        const { description, links, starter, visibleChecks } = content;
        const bytes = Buffer.byteLength(JSON.stringify([description, links, starter, visibleChecks]));
        const fits = bytes <= left;
        if (fits) left -= bytes;
        const shown = fits ? content : { ...content, ...LEFT_OUT };
        held.push({ id, version, ...shown, progress: session?.tickets.get(id) ?? null });
      }
    }
    return held;
  }
}

type ShownContent = Omit<BriefingTicket, 'id' | 'version' | 'progress' | 'contentLeftOut'>;

/** What candidates are shown of a ticket: of its hidden checks that there are some, and nothing else. */
const shownOf = (content: TicketContent | undefined): ShownContent => {
  const { checks, ...shown } = content ?? NO_CONTENT;
  return { ...shown, visibleChecks: checks?.visible ?? null, hasHiddenChecks: !!checks?.hidden };
};

const NO_CONTENT = { title: null, description: null, links: [], estimatedMinutes: null, ...NO_WORK };
const LEFT_OUT = {
  ...{ description: null, links: [], starter: null, visibleChecks: null },
  contentLeftOut: true,
} as const;
