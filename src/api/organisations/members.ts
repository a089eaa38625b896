import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { memberDocumentId, type MemberDocument, members } from '../../../projections/members.js';
import { AddMember } from '../../application/organisations/add-member.js';
import { ChangeMemberRole } from '../../application/organisations/change-member-role.js';
import { RemoveMember } from '../../application/organisations/remove-member.js';
import type { ListQuery } from '../../application/reads.js';
import { Reads } from '../../application/reads.js';
import { present } from '../../application/use-case.js';
import type { RequestContext } from '../../core/command-context.js';
import { normaliseEmail } from '../../core/email-address.js';
import { Instant, Named, Nullable, Ordinal, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import type { PersonId } from '../../core/vault/port.js';
import { findMember, type Member, type MemberName } from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { StaffMay, MEMBER_ROLE } from '../../http/access/access.decorator.js';
import { type Answer, created, noContent, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { EXAMPLE_MEMBER } from '../../http/openapi/parameters.js';
import { Schema } from '../../http/validation/fields.js';
import { Email, OneOf, Optional, Text } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';

/** A member as every path returns it; before the first sign-in the subject or the e-mail may be `null`. */
const MemberRecord = Named('Member', {
  id: Uuid,
  subject: Nullable(Type.String()),
  email: Nullable(Type.String()),
  role: MEMBER_ROLE,
  since: Instant,
  version: Ordinal,
});
type MemberRecord = Static<typeof MemberRecord>;

@Schema('AddMember', { exactlyOne: { AddMemberByEmail: 'email', AddMemberBySubject: 'subject' } })
export class AddMemberDto {
  @Optional() @Email() email?: string;
  @Optional() @Text({ notBlank: true, maxLength: 255 }) subject?: string;
  @OneOf(MEMBER_ROLE) role!: MemberRole;
}

@Schema('UpdateMember')
export class UpdateMemberDto {
  @OneOf(MEMBER_ROLE) role!: MemberRole;
}

const operations = {
  list: {
    id: 'members.list',
    tag: 'Members',
    summary: 'List members',
    list: true,
    links: { memberId: '/items/0/id' },
    success: answersPage('Members, oldest first.', MemberRecord),
  },
  read: {
    id: 'members.read',
    tag: 'Members',
    summary: 'Read a member',
    success: answersRecord('The member.', MemberRecord),
  },
  add: {
    id: 'members.add',
    tag: 'Members',
    summary: 'Add a member',
    example: { email: EXAMPLE_MEMBER, role: 'recruiter' },
    description: 'By e-mail, bound to a subject at that person’s first sign-in, or by subject.',
    links: { memberId: '/id' },
    success: answersNewRecord('The member.', MemberRecord),
    errors: ['already_member'],
  },
  change: {
    id: 'members.update',
    tag: 'Members',
    summary: 'Change a member’s role',
    example: { role: 'admin' },
    success: answersRecord('The member.', MemberRecord),
    conditional: true,
    errors: ['last_owner'],
  },
  remove: {
    id: 'members.remove',
    tag: 'Members',
    summary: 'Remove a member',
    success: { status: 204, description: 'The member is removed.' },
    conditional: true,
    errors: ['last_owner'],
  },
} satisfies Operations;

@Controller('organisations/:orgId/members')
export class MembersController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Get()
  @StaffMay('members.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.list(members, 'byOrganisation', [organisationId], list, meta);
    return page(found, ({ document }) => memberRecord(document));
  }

  @Get(':memberId')
  @StaffMay('members.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('memberId') key: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<MemberRecord>> {
    const found =
      (isUuid(key) && (await this.reads.get(members, memberDocumentId(organisationId, key), meta))) ||
      (await this.reads.only(members, 'bySubject', [key, organisationId], meta));
    const member = found ? memberRecord(found.document) : await this.unbound(organisationId, key, meta);
    if (!member) throw notFound('There is no such member.');
    return ok(member, { version: member.version });
  }

  /**
   * The member with this address who has not signed in yet. No index has addresses, since index keys are not sealed.
   */
  private async unbound(organisationId: string, email: string, meta: RequestMeta) {
    const wanted = normaliseEmail(email);
    for await (const found of this.reads.pages(members, 'byOrganisation', [organisationId], 200, meta))
      for (const { document } of found) {
        const member = memberRecord(document);
        if (member.subject === null && member.email !== null && normaliseEmail(member.email) === wanted)
          return member;
      }
    return null;
  }

  @Post()
  @StaffMay('members.manage')
  @Operation(operations.add)
  async add(
    @Param('orgId') organisationId: string,
    @Body() body: AddMemberDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const command = new AddMember(context, { organisationId, name: nameOf(body), role: body.role });
    const { state, consistencyToken } = await this.commands.execute(command);
    const member = present(state.members.at(-1));
    const path = `/organisations/${organisationId}/members/${member.memberId}`;
    return created(path, recordOf(member), { version: member.version, consistencyToken });
  }

  @Patch(':memberId')
  @StaffMay('members.manage')
  @Operation(operations.change)
  async change(
    @Param('orgId') organisationId: string,
    @Param('memberId') member: string,
    @Body() { role }: UpdateMemberDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const command = new ChangeMemberRole(context, { organisationId, member, role });
    const { state, consistencyToken } = await this.commands.execute(command);
    const changed = present(findMember(state.members, member));
    return ok(recordOf(changed), { version: changed.version, consistencyToken });
  }

  @Delete(':memberId')
  @StaffMay('members.manage')
  @Operation(operations.remove)
  async remove(
    @Param('orgId') organisationId: string,
    @Param('memberId') member: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new RemoveMember(context, { organisationId, member });
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }
}

const recordOf = (member: Member): MemberRecord => pick(MemberRecord, { ...member, id: member.memberId });

const memberRecord = (document: MemberDocument): MemberRecord =>
  recordOf({ ...document, memberId: document.memberId as PersonId, email: document.personal?.email ?? null });

/** A body that was checked has one of the two. */
const nameOf = ({ email, subject }: AddMemberDto): MemberName =>
  email === undefined ? { email: null, subject: present(subject) } : { email, subject: null };
