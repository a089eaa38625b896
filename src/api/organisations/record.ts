import {
  component,
  flag,
  instant,
  integer,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  text,
  uuid,
} from '../../core/json-schema.js';
import type { Organisation, Member } from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';

/** An organisation as every path returns it. */
export interface OrganisationRecord {
  readonly id: string;
  readonly name: string;
  readonly recordAudio: boolean;
  readonly retentionDays: number | null;
  readonly version: number;
}

export const organisationRecord = (
  organisation: Pick<Organisation, 'name' | 'recordAudio' | 'retentionDays' | 'version'>,
  id: string,
): OrganisationRecord => ({
  id,
  name: organisation.name,
  recordAudio: organisation.recordAudio,
  retentionDays: organisation.retentionDays,
  version: organisation.version,
});

/** A member as every path returns it; one who has not signed in yet may lack the subject or the e-mail. */
export interface MemberRecord {
  readonly subject: string | null;
  readonly email: string | null;
  readonly role: MemberRole;
  readonly since: string;
  readonly version: number;
}

export const memberRecord = (member: Pick<Member, keyof MemberRecord>): MemberRecord => ({
  subject: member.subject,
  email: member.email,
  role: member.role,
  since: member.since,
  version: member.version,
});

export const organisationSchema = (): JsonSchema =>
  component(
    'Organisation',
    objectOf({ id: uuid, name: text, recordAudio: flag, retentionDays: nullable(integer), version: integer }),
  );

export const memberSchema = (): JsonSchema =>
  component(
    'Member',
    objectOf({
      subject: nullable(text),
      email: nullable(text),
      role: oneOf('owner', 'admin', 'recruiter', 'reviewer'),
      since: instant,
      version: integer,
    }),
  );
