import { type EventIn, eventsOf, eventType, upcastData } from '../../core/registry.js';

/** Stored names and latest shapes of an organisation's stream (`organisation-<id>`): the storage contract. */

export type MemberRole = 'owner' | 'admin' | 'recruiter' | 'reviewer';

/** What candidates are shown of their evaluations once people have decided. */
export const CANDIDATE_RESULTS = ['nothing', 'result', 'result_with_explanation'] as const;
export type CandidateResults = (typeof CANDIDATE_RESULTS)[number];

export interface OrganisationSettings {
  readonly name: string;
  /** Whether the speech of interviews is kept, so that staff can hear it. */
  readonly recordAudio: boolean;
  /**
   * Days after the end of a candidate's last session, and after the last change of an outcome, until the candidate is
   * erased; `null`: candidates are kept.
   */
  readonly retentionDays: number | null;
  readonly candidateResults: CandidateResults;
  /** The time zone of times in mails and pages, by its name in the IANA database. */
  readonly timeZone: string;
  /** The name of the sender of mails to candidates; `null`: the organisation's. */
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

/** An organisation's logo, re-encoded. Its bytes are in the vault, sealed under a key of its own, which its id names. */
export interface Logo {
  /** Each picture has another id, so that a logo's address always shows the same picture. */
  readonly id: string;
  readonly type: 'image/png' | 'image/jpeg';
  /** In pixels, as is the height. */
  readonly width: number;
  readonly height: number;
  /** The hash of the bytes, lower-case hex. */
  readonly sha256: string;
}

/**
 * Events of version 1 may lack `candidateResults`: it was added without a new version. Version 2 has neither a time zone
 * nor a sender.
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
  /** The new logo; `null`: it was removed. */
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
