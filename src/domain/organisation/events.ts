import { type EventIn, eventsOf, eventType, upcastData } from '../../core/registry.js';

/** Stored names and latest shapes of an organisation's stream (`organisation-<id>`): the storage contract. */

export type MemberRole = 'owner' | 'admin' | 'recruiter' | 'reviewer';

/** What candidates are shown of their evaluations once people have decided. */
export const CANDIDATE_RESULTS = ['nothing', 'result', 'result_with_explanation'] as const;
export type CandidateResults = (typeof CANDIDATE_RESULTS)[number];

export interface OrganisationSettings {
  readonly name: string;
  readonly recordAudio: boolean;
  readonly retentionDays: number | null;
  readonly candidateResults: CandidateResults;
  /** By its name in the IANA database: in it mails and pages tell times. */
  readonly timeZone: string;
  /** Whom mails to candidates come from; `null`: the organisation by its name. */
  readonly senderName: string | null;
}

/** What a new organisation begins with, beside its name. */
export const INITIAL_SETTINGS = {
  recordAudio: false,
  retentionDays: null,
  candidateResults: 'nothing',
  timeZone: 'UTC',
  senderName: null,
} as const;

/** An organisation's logo as it was written anew. Its bytes are in the vault, under a key of its own: its id's. */
export interface Logo {
  /** Another one whenever the logo changes, so that what its address shows never does. */
  readonly id: string;
  readonly type: 'image/png' | 'image/jpeg';
  /** In pixels, as its height. */
  readonly width: number;
  readonly height: number;
  /** Of the bytes, lower-case hex. */
  readonly sha256: string;
}

/**
 * Version 1 is from before candidates could be shown results, or from after. Version 2 is from before organisations had
 * a time zone and a sender.
 */
const SETTINGS = {
  version: 3,
  upcasters: {
    1: upcastData((data: Partial<OrganisationSettings>) => ({
      ...data,
      candidateResults: data.candidateResults ?? 'nothing',
    })),
    2: upcastData((data: Partial<OrganisationSettings>) => ({ ...data, timeZone: 'UTC', senderName: null })),
  },
};

interface MemberIds {
  readonly organisationId: string;
  readonly memberId: string;
}

export const organisationEvents = {
  'organisation.created': eventType<OrganisationSettings & { readonly organisationId: string }>(SETTINGS),
  'organisation.updated': eventType<OrganisationSettings & { readonly organisationId: string }>(SETTINGS),
  /** `null`: it has none any more. */
  'organisation.logo_changed': eventType<{ readonly organisationId: string; readonly logo: Logo | null }>(),
  /** Added by e-mail (`subject` null until bound) or by subject (`email` null until the first sign-in). */
  'member.added': eventType<
    MemberIds & { readonly role: MemberRole; readonly subject: string | null },
    { readonly email: string | null }
  >(),
  /** The member's first sign-in: the subject is final, the e-mail is the token's. */
  'member.bound': eventType<MemberIds & { readonly subject: string }, { readonly email: string | null }>(),
  'member.role_changed': eventType<
    MemberIds & { readonly role: MemberRole; readonly formerRole: MemberRole }
  >(),
  'member.removed': eventType<MemberIds & { readonly formerRole: MemberRole }>(),
};

export type OrganisationEvent = EventIn<typeof organisationEvents>;
export const organisationEvent = eventsOf<typeof organisationEvents>();
