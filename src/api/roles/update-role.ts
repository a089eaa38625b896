import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import {
  CATEGORIES,
  DEFINITION_LIMITS as MOST,
  type DefinitionInput,
  MAX_DEFINITION_BYTES,
} from '../../domain/role/definition.js';
import type { RequestContext } from '../../core/command-context.js';
import { refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { role, type RoleState, updateRole } from '../../domain/role/decider.js';
import { Commands, StaffContext } from '../commands.js';
import { ListOf, OneOf, Optional, Strict, Text, TextList, Uuid, Whole } from '../validation/index.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { Operation } from '../openapi/operation.js';
import { type RoleRecord, roleRecord, roleSchema } from './roles.js';

/** An update is strict: the definition is whole, keeps every rule, and fields of other names are refused. */
@Strict()
export class UpdateDimensionDto {
  @Optional() @Uuid() id?: string;
  @Text({ notBlank: true, maxLength: MOST.name }) name!: string;
  @Whole({ min: 0, max: 100 }) weight!: number;
  @OneOf(...CATEGORIES) category!: string;
  @Optional() @Whole({ min: 0, max: 100 }) threshold?: number;
  @Optional() @Text({ maxLength: MOST.rubric }) rubric?: string;
}

@Strict()
export class UpdateQuestionDto {
  @Text({ maxLength: MOST.question }) text!: string;
  @Optional() @Text({ maxLength: MOST.name }) dimensionName?: string;
}

@Strict()
export class UpdateRoleDto {
  @Text({ notBlank: true, maxLength: MOST.name }) name!: string;
  @Whole({ min: 0, max: 100 }) overallThreshold!: number;
  @ListOf(() => UpdateDimensionDto, { min: 1, max: MOST.dimensions }) dimensions!: UpdateDimensionDto[];
  @Optional() @TextList({ max: MOST.ticketIds, maxLength: MOST.ticketId }) ticketIds?: string[];
  @Optional() @ListOf(() => UpdateQuestionDto, { max: MOST.questions }) questions?: UpdateQuestionDto[];
}

export class UpdateRole extends Command<Handled<RoleState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly roleId: string,
    readonly definition: DefinitionInput,
  ) {
    super();
  }
}

const NO_ROLE = refuse('not_found', 'There is no such role.');

@CommandHandler(UpdateRole)
export class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, organisationId, roleId, definition }: UpdateRole): Promise<Handled<RoleState>> {
    // The id is the path's own text: only an id may go into a stream's name.
    if (!isUuid(roleId)) return NO_ROLE;
    const { expectedVersion } = context;
    const dimensionIds = definition.dimensions.map((_, index) => context.newId(`dimension ${index}`));
    return this.streams.handle(role, streamName('role', roleId), context, (state) =>
      state?.organisationId === organisationId
        ? updateRole(state, { definition, dimensionIds, expectedVersion })
        : NO_ROLE,
    );
  }
}

@Controller('organisations/:orgId/roles/:roleId')
export class UpdateRoleController {
  constructor(private readonly commands: Commands) {}

  @Patch()
  @StaffMay('roles.write')
  @Operation({
    id: 'roles.update',
    tag: 'Roles',
    summary: 'Replace a role’s definition',
    description: `The definition has at most ${MAX_DEFINITION_BYTES} bytes as JSON.`,
    success: {
      status: 200,
      description: 'The role.',
      schema: roleSchema(),
      headers: ['ETag'],
    },
    conditional: true,
    errors: ['not_found', 'conflict'],
  })
  async update(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: UpdateRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    const command = new UpdateRole(context, organisationId, roleId, body);
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(roleRecord(state, roleId), { version: state.version, consistencyToken });
  }
}
