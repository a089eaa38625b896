import { Enumeration, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { type EventIn, eventsOf, eventType, upcastRecord } from '../../core/registry.js';
import { MARKDOWN } from '../role/events.js';

/** Stored names and latest shapes of a ticket's stream (`ticket-<id>`): the storage contract. */

export const TicketLink = Named('TicketLink', {
  title: Type.String(),
  url: Type.String({ description: 'As it was given.' }),
});

/** One file of a tree: of a hand-in, a starter or checks. */
export type TreeFile = Static<typeof TreeFile>;
export const TreeFile = Named('TreeFile', {
  path: Type.String({ description: 'Relative, with `/` between names, in Unicode’s form NFC.' }),
  bytes: Type.Integer(),
  sha256: Type.String({ description: 'Of its content, in lower-case hex.' }),
});

/** Files that staff attach to a ticket: its starter, or checks. They never change: other files make another set. */
export type FileSet = Static<typeof FileSet>;
export const FileSet = Named('FileSet', {
  id: Uuid,
  name: Type.String({ description: 'What staff call the archive or file.' }),
  bytes: Type.Integer({ description: 'Of the archive or file, as it was sent.' }),
  sha256: Type.String({ description: 'Of the archive or file, as it was sent, in lower-case hex.' }),
  treeSha256: Type.String({
    description:
      'SHA-256 of the lines that `sha256sum` prints of the files, sorted by path: in lower-case hex.',
  }),
  files: Type.Array(TreeFile),
});

/** What is handed in for a ticket: files, or a written answer. */
export const TICKET_KINDS = ['files', 'text'] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];
export const TicketKind = Enumeration('TicketKind', TICKET_KINDS, {
  description:
    'What is handed in: files, or a written answer. `null`: nothing is, the work is done elsewhere.',
});

/** Ways in which a checker can run a candidate's work: apart from its checks, or in one process with them. */
export const CHECK_ISOLATIONS = ['separate', 'shared'] as const;
export type CheckIsolation = (typeof CHECK_ISOLATIONS)[number];
export const CheckIsolation = Enumeration('CheckIsolation', CHECK_ISOLATIONS, {
  description:
    '`separate`: the work runs apart from its checks and cannot influence their result. `shared`: both run in one process.',
});

/** Checks that run over what is handed in. */
export type TicketChecks = Static<typeof TicketChecks>;
export const TicketChecks = Named('TicketChecks', {
  visible: Nullable(FileSet),
  hidden: Nullable(FileSet),
  slug: Type.String({ description: 'The name by which the checker finds what it runs.' }),
  isolation: CheckIsolation,
});

/** What candidates are shown of a ticket of their role. Of its hidden checks they are shown only that there are some. */
export type TicketContent = Static<typeof TicketContent>;
export const TicketContent = Type.Object({
  title: Type.String(),
  description: Nullable(Type.String({ description: MARKDOWN })),
  links: Type.Array(TicketLink),
  estimatedMinutes: Nullable(Type.Integer()),
  kind: Nullable(TicketKind),
  starter: Nullable(FileSet),
  checks: Nullable(TicketChecks),
});

/** These parts of a ticket for which nothing is handed in. */
export const NO_WORK: Pick<TicketContent, 'kind' | 'starter' | 'checks'> = {
  kind: null,
  starter: null,
  checks: null,
};

/** The largest ticket: characters of each text, items of the list. */
export const TICKET_LIMITS = {
  title: 200,
  description: 16_000,
  links: 20,
  linkTitle: 200,
  url: 2_000,
  /** A week. */
  estimatedMinutes: 10_080,
  slug: 100,
} as const;

interface Ticket {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
}

/**
 * Upcasters of a ticket's content, each from one schema version to the next. Their values are pinned, without `NO_WORK`: a
 * later change of that must not change what old tickets mean.
 */
const CONTENT_UPCASTERS = [
  (content: object): object => ({ ...content, kind: null, starter: null, checks: null }),
];

const CONTENT = upcastRecord(CONTENT_UPCASTERS, (data: Ticket, next) => ({
  ...data,
  content: next(data.content),
}));

export const ticketEvents = {
  'ticket.created': eventType<Ticket>(CONTENT),
  'ticket.updated': eventType<Ticket>(CONTENT),
};

export type TicketEvent = EventIn<typeof ticketEvents>;
export const ticketEvent = eventsOf<typeof ticketEvents>();

export interface FileSetIds {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly fileSetId: string;
}

/** Events of a file set's stream (`file-set-<id>`). */
export const fileSetEvents = {
  'file_set.begun': eventType<FileSetIds & Pick<FileSet, 'name' | 'bytes' | 'sha256'>>(),
  'file_set.completed': eventType<FileSetIds & Pick<FileSet, 'treeSha256' | 'files'>>(),
};
