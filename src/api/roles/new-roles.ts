import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CloneRole } from '../../application/roles/clone-role.js';
import { CreateRoleFromTemplate } from '../../application/roles/create-role-from-template.js';
import type { RequestContext } from '../../core/command-context.js';
import { Enumeration, fieldsWithout, Named, onlyFields, type Static, Type } from '../../core/json-schema.js';
import { DEFINITION_LIMITS, Dimension, MARKDOWN, RoleDefinition } from '../../domain/role/events.js';
import {
  TEMPLATE_FIELDS,
  templateDefinition,
  type TemplateOf,
  templateTicket,
} from '../../domain/role/templates.js';
import { TicketKind } from '../../domain/ticket/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { type Query as QueryString, queryParameter, readQuery } from '../../http/list-query.js';
import { answersNewRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { OneOf, Optional, Text } from '../../http/validation/rules.js';
import { ROLE_TEMPLATES, type RoleTemplateId } from '../../languages/en/shapes.js';
import { DEFAULT_LANGUAGE, type Language, ROLE_TEMPLATE_TEXTS } from '../../languages/languages.js';
import { LANGUAGE } from '../applications/record.js';
import { StaffContext } from '../cqrs/commands.js';
import { RoleRecord, StaffRoles } from './record.js';

const TEMPLATE = Enumeration('RoleTemplateId', ROLE_TEMPLATES);

const MAX_NAME = DEFINITION_LIMITS.name;

@Schema('CloneRole', { mayBeAbsent: true })
export class CloneRoleDto {
  @Optional() @Text({ notBlank: true, maxLength: MAX_NAME, inMails: true }) name?: string;
}

@Schema('CreateRoleFromTemplate')
export class CreateRoleFromTemplateDto {
  @OneOf(TEMPLATE) template!: RoleTemplateId;
  @Optional() @OneOf(LANGUAGE) language?: Language;
  @Optional() @Text({ notBlank: true, maxLength: MAX_NAME, inMails: true }) name?: string;
}

/** The initial content of a role that is made from a template. */
const RoleTemplateRecord = Named('RoleTemplate', {
  id: TEMPLATE,
  language: LANGUAGE,
  description: Type.String({ description: 'For staff: what the role is for.' }),
  ...onlyFields(RoleDefinition, TEMPLATE_FIELDS),
  dimensions: Type.Array(Named('RoleTemplateDimension', fieldsWithout(Dimension, 'id'))),
  ticket: Named('RoleTemplateTicket', {
    title: Type.String(),
    description: Type.String({ description: MARKDOWN }),
    estimatedMinutes: Type.Integer(),
    kind: TicketKind,
    starterPaths: Type.Array(Type.String(), { description: 'Of the files that its work begins with.' }),
  }),
});

const RoleTemplates = Named('RoleTemplates', { items: Type.Array(RoleTemplateRecord) });

const LANGUAGE_ASKED = queryParameter('language', LANGUAGE, 'Of the texts; English unless given.');

const operations = {
  clone: {
    id: 'roles.clone',
    tag: 'Roles',
    summary: 'Copy a role',
    example: { name: 'Backend engineer, Zurich' },
    description:
      'The copy has the role’s definition as it is now, with dimensions of its own, and is not archived. Without `name` it has that of the role with “ (copy)” behind it.',
    links: { roleId: '/id' },
    success: answersNewRecord('The copy.', RoleRecord),
  },
  templates: {
    id: 'roles.templates',
    tag: 'Roles',
    summary: 'List the templates of roles',
    query: [LANGUAGE_ASKED],
    success: { status: 200, description: 'Every template.', schema: RoleTemplates },
  },
  fromTemplate: {
    id: 'roles.createFromTemplate',
    tag: 'Roles',
    summary: 'Create a role from a template',
    example: { template: 'backend', language: 'en', name: 'Backend engineer, Zurich' },
    description:
      'The role can be invited to at once, and changed like any other. It names the template’s ticket, which the organisation gets with the first such role and later ones share. It has the template’s name unless `name` is given, and English texts unless `language` is.',
    links: { roleId: '/id' },
    success: answersNewRecord('The role.', RoleRecord),
  },
} satisfies Operations;

/** Roles that begin with the definition of something else. */
@Controller('organisations/:orgId')
export class NewRolesController {
  constructor(private readonly staff: StaffRoles) {}

  @Post('roles/:roleId/clone')
  @StaffMay('roles.write')
  @Operation(operations.clone)
  clone(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() { name }: CloneRoleDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    return this.staff.make(new CloneRole(context, { organisationId, roleId, newName: name ?? null }));
  }

  @Get('role-templates')
  @StaffMay('roles.read')
  @Operation(operations.templates)
  templates(@Query() query: QueryString): Answer<Static<typeof RoleTemplates>> {
    const language = readQuery(query, LANGUAGE_ASKED) ?? DEFAULT_LANGUAGE;
    return ok({ items: ROLE_TEMPLATES.map((template) => templateRecord({ template, language })) });
  }

  @Post('role-templates/roles')
  @StaffMay('roles.write')
  @Operation(operations.fromTemplate)
  createFromTemplate(
    @Param('orgId') organisationId: string,
    @Body() { template, language = DEFAULT_LANGUAGE, name }: CreateRoleFromTemplateDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<RoleRecord>> {
    const input = { organisationId, template, language, newName: name ?? null };
    return this.staff.make(new CreateRoleFromTemplate(context, input));
  }
}

const templateRecord = (of: TemplateOf): Static<typeof RoleTemplateRecord> => {
  const { starter, ...ticket } = templateTicket(of);
  return {
    id: of.template,
    language: of.language,
    description: ROLE_TEMPLATE_TEXTS[of.language][of.template].description,
    ...templateDefinition(of),
    ticket: { ...ticket, starterPaths: (starter ?? []).map(({ path }) => path) },
  };
};
