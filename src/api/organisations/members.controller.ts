import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { members } from '../../../projections/members.js';
import { CurrentMember, StaffMay } from '../access/access.decorator.js';
import type { Member as Caller } from '../access/caller.js';
import { CommandContexts } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, created, noContent, ok } from '../http/answer.js';
import { notFound, validationFailed } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { pageOf } from '../../core/json-schema.js';
import { Reads } from '../reads.js';
import { normaliseEmail } from '../../core/normalise-email.js';
import { AddMember } from './add-member.js';
import { AddMemberDto } from './add-member.dto.js';
import { ChangeMemberRole } from './change-member-role.js';
import { ChangeMemberRoleDto } from './change-member-role.dto.js';
import { findMember, type MemberName } from '../../domain/organisation/decider.js';
import { memberRecord, type MemberRecord, memberSchema } from './record.js';
import { RemoveMember } from './remove-member.js';

@Controller('organisations/:orgId/members')
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
  ) {}

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

  @Post()
  @StaffMay('members.manage')
  @Operation({
    id: 'members.add',
    tag: 'Members',
    summary: 'Add a member',
    description: 'By e-mail, bound to a subject at that person’s first sign-in, or by subject.',
    success: {
      status: 201,
      description: 'The member.',
      schema: memberSchema(),
      headers: ['ETag', 'Location'],
    },
    errors: ['already_member', 'conflict'],
  })
  async add(
    @Param('orgId') organisationId: string,
    @Body() body: AddMemberDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() caller: Caller,
  ): Promise<Answer<MemberRecord>> {
    const name = nameOf(body);
    const context = this.contexts.forStaff(meta, caller);
    const command = new AddMember(context, organisationId, name, body.role);
    const done = settle(await this.commands.execute(command));
    const member = present(done.state?.members.at(-1));
    const path = `/organisations/${organisationId}/members/${encodeURIComponent(name.subject ?? name.email.trim())}`;
    return created(path, memberRecord(member), {
      version: member.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Patch(':subject')
  @StaffMay('members.manage')
  @Operation({
    id: 'members.change',
    tag: 'Members',
    summary: 'Change a member’s role',
    success: {
      status: 200,
      description: 'The member.',
      schema: memberSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'last_owner', 'conflict'],
  })
  async change(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @Body() body: ChangeMemberRoleDto,
    @Meta() meta: RequestMeta,
    @CurrentMember() caller: Caller,
  ): Promise<Answer<MemberRecord>> {
    const context = this.contexts.forStaff(meta, caller);
    const command = new ChangeMemberRole(context, organisationId, key, body.role);
    const done = settle(await this.commands.execute(command));
    const member = present(findMember(done.state?.members ?? [], key));
    return ok(memberRecord(member), {
      version: member.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  @Delete(':subject')
  @StaffMay('members.manage')
  @Operation({
    id: 'members.remove',
    tag: 'Members',
    summary: 'Remove a member',
    success: { status: 204, description: 'The member is removed.' },
    conditional: true,
    errors: ['not_found', 'last_owner', 'conflict'],
  })
  async remove(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() caller: Caller,
  ): Promise<Answer> {
    const context = this.contexts.forStaff(meta, caller);
    const done = settle(await this.commands.execute(new RemoveMember(context, organisationId, key)));
    return noContent({ consistencyToken: this.reads.tokenOf(done.position) });
  }

  /** An address is in no index, since a key is never sealed: the few who have not signed in yet are looked through. */
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

/** Exactly one of the two. */
const nameOf = ({ email, subject }: AddMemberDto): MemberName => {
  if (email !== undefined && subject === undefined) return { email, subject: null };
  if (subject !== undefined && email === undefined) return { email: null, subject };
  const message = 'A member is named by email or by subject, and not by both.';
  throw validationFailed([
    { path: 'email', rule: 'oneOfTwo', message },
    { path: 'subject', rule: 'oneOfTwo', message },
  ]);
};

const membership = <D extends { readonly personal: { readonly email: string | null } | null }>({
  personal,
  ...document
}: D) => ({ ...document, email: personal?.email ?? null });
