import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  changeMemberRole,
  findMember,
  organisation,
  type OrganisationState,
  currentRole,
} from '../../domain/organisation/decider.js';
import type { MemberRole } from '../../domain/organisation/events.js';
import { Commands, present, StaffContext } from '../commands.js';
import { OneOf, Strict } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { MEMBER_ROLES } from './add-member.js';
import { memberRecord, type MemberRecord, memberSchema } from './organisation.js';

@Strict()
export class ChangeMemberRoleDto {
  @OneOf(...MEMBER_ROLES) role!: (typeof MEMBER_ROLES)[number];
}

export class ChangeMemberRole extends Command<Handled<OrganisationState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    /** The member's subject or, until that is known, e-mail address. */
    readonly member: string,
    readonly role: MemberRole,
  ) {
    super();
  }
}

@CommandHandler(ChangeMemberRole)
export class ChangeMemberRoleHandler implements ICommandHandler<ChangeMemberRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, member, role }: ChangeMemberRole): Promise<Handled<OrganisationState>> {
    const { expectedVersion } = context;
    return this.streams.handle(organisation, streamName('organisation', organisationId), context, (state) => {
      const actorRole = currentRole(state, context.actor.id);
      return changeMemberRole(state, { actorRole, member, role, expectedVersion });
    });
  }
}

@Controller('organisations/:orgId/members/:subject')
export class ChangeMemberRoleController {
  constructor(private readonly commands: Commands) {}

  @Patch()
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
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MemberRecord>> {
    const command = new ChangeMemberRole(context, organisationId, key, body.role);
    const { state, consistencyToken } = await this.commands.execute(command);
    const member = present(findMember(state.members, key));
    return ok(memberRecord(member), { version: member.version, consistencyToken });
  }
}
