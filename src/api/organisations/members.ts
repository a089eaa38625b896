import { Body, Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type MemberDocument, members } from '../../../projections/members.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import {
  Instant,
  Named,
  Nullable,
  Ordinal,
  pageOf,
  pick,
  type Static,
  Type,
} from '../../core/json-schema.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { normaliseEmail } from '../../core/text.js';
import { streamName } from '../../core/stream-name.js';
import type { PersonId } from '../../core/vault/port.js';
import {
  addMember,
  changeMemberRole,
  findMember,
  type MemberName,
  organisation,
  type OrganisationState,
  removeMember,
  currentRole,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { VAULT } from '../../process/tokens.js';
import type { Vault } from '../../vault/port.js';
import { StaffMay } from '../access/access.decorator.js';
import { MEMBER_ROLE } from '../access/permissions.js';
import { Commands, type Parts, present, RouteCommand, StaffContext } from '../cqrs/commands.js';
import { type Answer, created, noContent, ok, page } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { EXAMPLE_MEMBER } from '../openapi/parameters.js';
import { Reads } from '../cqrs/reads.js';
import { Schema } from '../validation/fields.js';
import { Email, OneOf, Optional, Text } from '../validation/rules.js';
import { OrganisationController, UpdateOrganisationHandler } from './organisation.js';

/** A member as every path returns it; before the first sign-in the subject or the e-mail may be `null`. */
const MemberRecord = Named('Member', {
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

export class AddMember extends RouteCommand<
  OrganisationState,
  { readonly organisationId: string; readonly name: MemberName; readonly role: MemberRole }
> {}

@CommandHandler(AddMember)
export class AddMemberHandler implements ICommandHandler<AddMember> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
  ) {}

  execute({ context, input }: AddMember): Promise<Handled<OrganisationState>> {
    const { organisationId, name, role } = input;
    const memberId = context.newId('member') as PersonId;
    const stream = streamName('organisation', organisationId);
    return this.streams.handle(organisation, stream, context, async (state) => {
      const actorRole = currentRole(state, context.actor.id);
      const decision = addMember(state, { actorRole, memberId, name, role });
      // Only an addition that will be tried needs a key, and needs it before its event.
      if (decision.kind === 'accepted') await this.makeFindable(organisationId, memberId, name);
      return decision;
    });
  }

  private async makeFindable(organisationId: string, memberId: PersonId, name: MemberName): Promise<void> {
    await this.vault.keys.create(memberId);
    if (name.email !== null)
      await this.vault.carriers.add(this.hasher.emailHash(name.email), {
        person: memberId,
        kind: 'member',
        organisationId,
      });
  }
}

interface MemberOf {
  readonly organisationId: string;
  /** The member's subject or, until that is known, e-mail address. */
  readonly member: string;
}

export class ChangeMemberRole extends RouteCommand<
  OrganisationState,
  MemberOf & { readonly role: MemberRole }
> {}

@CommandHandler(ChangeMemberRole)
export class ChangeMemberRoleHandler implements ICommandHandler<ChangeMemberRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: ChangeMemberRole): Promise<Handled<OrganisationState>> {
    const { organisationId, member, role } = input;
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) => {
      const actorRole = currentRole(state, context.actor.id);
      return changeMemberRole(state, { actorRole, member, role, expectedVersion });
    });
  }
}

export class RemoveMember extends RouteCommand<OrganisationState, MemberOf> {}

@CommandHandler(RemoveMember)
export class RemoveMemberHandler implements ICommandHandler<RemoveMember> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: RemoveMember): Promise<Handled<OrganisationState>> {
    const { organisationId, member } = input;
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) => {
      const actorRole = currentRole(state, context.actor.id);
      return removeMember(state, { actorRole, member, expectedVersion });
    });
  }
}

@Controller('organisations/:orgId/members')
export class MembersController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Get()
  @StaffMay('members.read')
  @Operation({
    id: 'members.list',
    tag: 'Members',
    summary: 'List members',
    list: true,
    gives: { subject: '/items/0/subject' },
    success: { status: 200, description: 'Members, oldest first.', schema: pageOf(MemberRecord) },
  })
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.list(members, 'byOrganisation', [organisationId], list, meta);
    return page(found, ({ document }) => memberRecord(document));
  }

  @Get(':subject')
  @StaffMay('members.read')
  @Operation({
    id: 'members.read',
    tag: 'Members',
    summary: 'Read a member',
    description: 'By subject; until that is known, by the URL-encoded e-mail address.',
    success: { status: 200, description: 'The member.', schema: MemberRecord, headers: ['ETag'] },
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<MemberRecord>> {
    const bound = await this.reads.only(members, 'bySubject', [key, organisationId], meta);
    const member = bound ? memberRecord(bound.document) : await this.unbound(organisationId, key, meta);
    if (!member) throw notFound('There is no such member.');
    return ok(member, { version: member.version });
  }

  /** No index holds an address, since keys are not sealed: search the few members who have not signed in yet. */
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
  @Operation({
    id: 'members.add',
    tag: 'Members',
    summary: 'Add a member',
    example: { email: EXAMPLE_MEMBER, role: 'recruiter' },
    description: 'By e-mail, bound to a subject at that person’s first sign-in, or by subject.',
    success: {
      status: 201,
      description: 'The member.',
      schema: MemberRecord,
      headers: ['ETag', 'Location'],
    },
    errors: ['already_member'],
  })
  async add(
    @Param('orgId') organisationId: string,
    @Body() body: AddMemberDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const name = nameOf(body);
    const command = new AddMember(context, { organisationId, name, role: body.role });
    const { state, consistencyToken } = await this.commands.execute(command);
    const member = present(state.members.at(-1));
    const path = `/organisations/${organisationId}/members/${encodeURIComponent(name.subject ?? name.email.trim())}`;
    return created(path, pick(MemberRecord, member), { version: member.version, consistencyToken });
  }

  @Patch(':subject')
  @StaffMay('members.manage')
  @Operation({
    id: 'members.update',
    tag: 'Members',
    summary: 'Change a member’s role',
    example: { role: 'admin' },
    success: { status: 200, description: 'The member.', schema: MemberRecord, headers: ['ETag'] },
    conditional: true,
    errors: ['last_owner'],
  })
  async change(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @Body() { role }: UpdateMemberDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const command = new ChangeMemberRole(context, { organisationId, member: key, role });
    const { state, consistencyToken } = await this.commands.execute(command);
    const member = present(findMember(state.members, key));
    return ok(pick(MemberRecord, member), { version: member.version, consistencyToken });
  }

  @Delete(':subject')
  @StaffMay('members.manage')
  @Operation({
    id: 'members.remove',
    tag: 'Members',
    summary: 'Remove a member',
    success: { status: 204, description: 'The member is removed.' },
    conditional: true,
    errors: ['last_owner'],
  })
  async remove(
    @Param('orgId') organisationId: string,
    @Param('subject') key: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new RemoveMember(context, { organisationId, member: key });
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }
}

const memberRecord = (document: MemberDocument): MemberRecord =>
  pick(MemberRecord, { ...document, email: document.personal?.email ?? null });

/** A body that was checked has one of the two. */
const nameOf = ({ email, subject }: AddMemberDto): MemberName =>
  email === undefined ? { email: null, subject: present(subject) } : { email, subject: null };

export const organisationParts: Parts = {
  controllers: [OrganisationController, MembersController],
  providers: [UpdateOrganisationHandler, AddMemberHandler, ChangeMemberRoleHandler, RemoveMemberHandler],
};
