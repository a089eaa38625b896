import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Post } from '@nestjs/common';
import {
  DEFINITION_LIMITS as MOST,
  type DefinitionInput,
  MAX_DEFINITION_BYTES,
} from '../../domain/role/definition.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { createRole, role, type RoleState } from '../../domain/role/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { ListOf, Optional, Text, TextList, Whole } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, created } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type RoleRecord, roleRecord, roleSchema } from './roles.js';

/** Creation is LAX: presence, JSON types and sizes alone; fields of other names are ignored. */
export class CreateDimensionDto {
  @Text({ anyString: true, maxLength: MOST.name }) name!: string;
  @Whole() weight!: number;
  @Text({ anyString: true, maxLength: MOST.category }) category!: string;
  @Optional() @Whole() threshold?: number;
  @Optional() @Text({ anyString: true, maxLength: MOST.rubric }) rubric?: string;
}

export class CreateQuestionDto {
  @Text({ anyString: true, maxLength: MOST.question }) text!: string;
  @Optional() @Text({ anyString: true, maxLength: MOST.name }) dimensionName?: string;
}

export class CreateRoleDto {
  @Text({ anyString: true, maxLength: MOST.name }) name!: string;
  @Whole() overallThreshold!: number;
  @ListOf(() => CreateDimensionDto, { max: MOST.dimensions }) dimensions!: CreateDimensionDto[];
  @Optional() @TextList({ max: MOST.ticketIds, maxLength: MOST.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => CreateQuestionDto, { max: MOST.questions }) questions?: CreateQuestionDto[];
}

export class CreateRole extends Command<Handled<RoleState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly definition: DefinitionInput,
  ) {
    super();
  }
}

@CommandHandler(CreateRole)
export class CreateRoleHandler implements ICommandHandler<CreateRole> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, organisationId, definition }: CreateRole): Promise<Handled<RoleState>> {
    const roleId = context.newRecordId('role');
    const dimensionIds = definition.dimensions.map((_, index) => context.newId(`dimension ${index}`));
    return this.streams.handle(role, streamName('role', roleId), context, (state) =>
      createRole(state, { organisationId, roleId, definition, dimensionIds }),
    );
  }
}

@Controller('organisations/:orgId/roles')
export class CreateRoleController {
  constructor(private readonly commands: Commands) {}

  @Post()
  @StaffMay('roles.write')
  @Operation({
    id: 'roles.create',
    tag: 'Roles',
    summary: 'Create a role',
    description: `Takes any definition of the right JSON types within the largest sizes, ${MAX_DEFINITION_BYTES} bytes as JSON in all; one that breaks an update rule makes a draft.`,
    success: {
      status: 201,
      description: 'The role.',
      schema: roleSchema(),
      headers: ['ETag', 'Location'],
    },
  })
  async create(
    @Param('orgId') organisationId: string,
    @Body() body: CreateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    const command = new CreateRole(context, organisationId, body);
    const { state, consistencyToken } = await this.commands.execute(command);
    const { roleId, version } = state;
    const path = `/organisations/${organisationId}/roles/${roleId}`;
    return created(path, roleRecord(state, roleId), { version, consistencyToken });
  }
}
