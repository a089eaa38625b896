import { Controller, Get, Param } from '@nestjs/common';
import { organisations } from '../../../projections/organisations.js';
import { members } from '../../../projections/members.js';
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
  pageOf,
} from '../../core/json-schema.js';
import type { Member, Organisation } from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { normaliseEmail } from '../../core/text.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta, List } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import type { ListQuery } from '../http/list-query.js';

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

@Controller('organisations/:orgId')
export class OrganisationController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('organisation.read')
  @Operation({
    id: 'organisations.read',
    tag: 'Organisation',
    summary: 'Read the organisation',
    success: {
      status: 200,
      description: 'The organisation and its settings.',
      schema: organisationSchema(),
      headers: ['ETag'],
    },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<OrganisationRecord>> {
    const found = await this.reads.get(organisations, organisationId, meta);
    if (!found) throw notFound('There is no such organisation.');
    return ok(organisationRecord(found.document, organisationId), { version: found.document.version });
  }
}

@Controller('organisations/:orgId/members')
export class MembersController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('members.read')
  @Operation({
    id: 'members.list',
    tag: 'Members',
    summary: 'List members',
    list: true,
    success: { status: 200, description: 'Members, oldest first.', schema: pageOf(memberSchema()) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const page = await this.reads.list(members, 'byOrganisation', [organisationId], list, meta);
    return ok({
      items: page.items.map(({ document }) => memberRecord(membership(document))),
      nextCursor: page.nextCursor,
    });
  }

  @Get(':subject')
  @StaffMay('members.read')
  @Operation({
    id: 'members.read',
    tag: 'Members',
    summary: 'Read a member',
    description: 'By subject; until that is known, by the URL-encoded e-mail address.',
    success: { status: 200, description: 'The member.', schema: memberSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<MemberRecord>> {
    const bound = await this.reads.only(members, 'bySubject', [key, organisationId], meta);
    const member = bound ? membership(bound.document) : await this.unbound(organisationId, key, meta);
    if (!member) throw notFound('There is no such member.');
    return ok(memberRecord(member), { version: member.version });
  }

  /** No index holds an address, since keys are not sealed: search the few members who have not signed in yet. */
  private async unbound(organisationId: string, email: string, meta: RequestMeta) {
    const wanted = normaliseEmail(email);
    let cursor: string | null = null;
    do {
      const list: ListQuery = { limit: 200, cursor };
      const page = await this.reads.list(members, 'byOrganisation', [organisationId], list, meta);
      for (const { document } of page.items) {
        const member = membership(document);
        if (member.subject === null && member.email !== null && normaliseEmail(member.email) === wanted)
          return member;
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    return null;
  }
}

const membership = <D extends { readonly personal: { readonly email: string | null } | null }>({
  personal,
  ...document
}: D) => ({ ...document, email: personal?.email ?? null });
