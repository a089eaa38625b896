import pMap from 'p-map';
import { validate as isUuid } from 'uuid';
import type { CommandStreams } from '../../core/handle.js';
import type { Invitation } from '../../domain/candidate/events.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import type { TicketVersion, TicketWork } from '../../domain/session/events.js';
import { type Ticket, ticket } from '../../domain/ticket/decider.js';
import type { CheckIsolation, FileSet, TicketContent } from '../../domain/ticket/events.js';

/** Tickets that are read at the same time: each can have some 100 KB. */
export const TICKETS_AT_ONCE = 10;

/** The UUIDs among a role's `ticketIds`. These may be any texts: only a UUID can be a ticket of the organisation. */
export const ticketIdsOf = ({ ticketIds }: Pick<RoleDefinition, 'ticketIds'>): readonly string[] => [
  ...new Set(ticketIds.filter(isUuid)),
];

/** The part of a role that names its tickets. */
type TicketsOf = Pick<Invitation, 'organisationId'> & { readonly role: Pick<RoleDefinition, 'ticketIds'> };

/**
 * The versions that the tickets of a role have now.
 * @throws {StoreUnavailable}
 */
export const ticketVersions = async (
  streams: Pick<CommandStreams, 'read'>,
  of: TicketsOf,
): Promise<readonly TicketVersion[]> =>
  (await currentTickets(streams, of)).map(({ ticketId, version, content }) => ({
    ...{ ticketId, version },
    ...workIn(content),
  }));

/** What is handed in for a ticket, and how its checks are to run. */
export interface TicketSetup extends Pick<TicketVersion, 'ticketId'> {
  /** Left out if nothing is handed in for it. `isolation` is left out if it has no checks. */
  readonly work?: TicketWork & { readonly isolation?: CheckIsolation };
}

/**
 * What the tickets of a role are set up for now.
 * @throws {StoreUnavailable}
 */
export const ticketSetups = async (
  streams: Pick<CommandStreams, 'read'>,
  of: TicketsOf,
): Promise<readonly TicketSetup[]> =>
  (await currentTickets(streams, of)).map(({ ticketId, content }) => {
    const { work } = workIn(content);
    const isolation = content.checks?.isolation;
    return { ticketId, ...(work && { work: { ...work, ...(isolation && { isolation }) } }) };
  });

const currentTickets = async (
  streams: Pick<CommandStreams, 'read'>,
  { organisationId, role }: TicketsOf,
): Promise<readonly (Pick<Ticket, 'version' | 'content'> & { readonly ticketId: string })[]> => {
  const found = await pMap(
    ticketIdsOf(role),
    async (ticketId) => ({ ticketId, ticket: (await streams.read(ticket, ticketId)).state }),
    { concurrency: TICKETS_AT_ONCE },
  );
  return found.flatMap(({ ticketId, ticket: current }) =>
    current?.organisationId === organisationId
      ? [{ ticketId, version: current.version, content: current.content }]
      : [],
  );
};

/** What a session that begins now records of a ticket's work; nothing if nothing is handed in for it. */
const workIn = ({ kind, checks }: TicketContent): Pick<TicketVersion, 'work'> =>
  kind === null ? {} : { work: { kind, visibleChecks: !!checks?.visible, hiddenChecks: !!checks?.hidden } };

/** What changes from one version of a ticket to the next. */
export type FormerTicket = Pick<Ticket, 'content' | 'updatedAt'>;

/**
 * A ticket in one of its versions, from its stream; `null`: it has no such version.
 * @throws {StoreUnavailable}
 */
export const formerTicket = async (
  streams: Pick<CommandStreams, 'each'>,
  ticketId: string,
  version: number,
): Promise<FormerTicket | null> => {
  if (version < 1) return null;
  // Each event of a ticket is a version and has all of its content.
  for await (const { data, metadata } of streams.each(ticket, ticketId, { from: version - 1, limit: 1 }))
    return { content: data.content, updatedAt: metadata.recordedAt };
  return null;
};

/**
 * What a ticket's work begins with in a session that began with this version of the ticket; `null`: nothing.
 * @throws {StoreUnavailable}
 */
export const starterIn = async (
  streams: Pick<CommandStreams, 'each'>,
  ticketId: string,
  version: number | null,
): Promise<FileSet | null> => {
  const began = version === null ? null : await formerTicket(streams, ticketId, version);
  return began?.content.starter ?? null;
};
