import { Inject, Body, Controller, Param, Post } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import { VAULT } from '../../process/tokens.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import {
  addMember,
  type MemberName,
  organisation,
  type OrganisationState,
  currentRole,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { Commands, present, StaffContext } from '../commands.js';
import { Email, OneOf, Optional, Strict, Text } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, created } from '../http/answer.js';
import { validationFailed } from '../http/api-error.js';
import { Operation } from '../openapi/operation.js';
import { memberRecord, type MemberRecord, memberSchema } from './organisation.js';

export const MEMBER_ROLES = ['owner', 'admin', 'recruiter', 'reviewer'] as const;

/** Exactly one of `email` and `subject`. */
@Strict()
export class AddMemberDto {
  @Optional() @Email() email?: string;
  @Optional() @Text({ notBlank: true, maxLength: 255 }) subject?: string;
  @OneOf(...MEMBER_ROLES) role!: (typeof MEMBER_ROLES)[number];
}

export class AddMember extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly name: MemberName,
    readonly role: MemberRole,
  ) {
    super();
  }
}

@CommandHandler(AddMember)
export class AddMemberHandler implements ICommandHandler<AddMember> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
  ) {}

  execute({ context, organisationId, name, role }: AddMember): Promise<Handled<OrganisationState>> {
    const memberId = context.newId('member') as PersonId;
    return this.streams.handle(
      organisation,
      streamName('organisation', organisationId),
      context,
      async (state) => {
        const actorRole = currentRole(state, context.actor.id);
        const decision = addMember(state, { actorRole, memberId, name, role });
        // Only an addition that will be tried needs a key, and needs it before its event.
        if (decision.kind === 'accepted') await this.makeFindable(organisationId, memberId, name);
        return decision;
      },
    );
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

@Controller('organisations/:orgId/members')
export class AddMemberController {
  constructor(private readonly commands: Commands) {}

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
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const name = nameOf(body);
    const command = new AddMember(context, organisationId, name, body.role);
    const { state, consistencyToken } = await this.commands.execute(command);
    const member = present(state.members.at(-1));
    const path = `/organisations/${organisationId}/members/${encodeURIComponent(name.subject ?? name.email.trim())}`;
    return created(path, memberRecord(member), { version: member.version, consistencyToken });
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
