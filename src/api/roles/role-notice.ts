import { Controller, Get, Param, Query } from '@nestjs/common';
import { ConsentNotices } from '../../application/sessions/consent-notice.js';
import { Named, type Static, Type } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { type Query as QueryString, queryParameter, readQuery } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { DEFAULT_LANGUAGE } from '../../languages/languages.js';
import { LANGUAGE } from '../applications/record.js';
import { StaffRoles } from './record.js';

const NoticePreview = Named('NoticePreview', {
  version: Type.String({ description: 'Of the notice: candidates agree to this one.' }),
  text: Type.String({ description: 'As candidates read it, in Markdown.' }),
  defaultText: Type.String({
    description:
      'What the service writes for a role without a notice of its own, but what it says of AI assistants.',
  }),
});

const LANGUAGE_ASKED = queryParameter('language', LANGUAGE, 'Of the invitation; English unless given.');

const operations = {
  read: {
    id: 'roles.readNotice',
    tag: 'Roles',
    summary: 'Read the notice of a role',
    description: 'What a candidate who is invited now would be asked to agree to before the session starts.',
    query: [LANGUAGE_ASKED],
    success: { status: 200, description: 'The notice.', schema: NoticePreview },
  },
} satisfies Operations;

/** The notice that candidates of a role read before they consent. */
@Controller('organisations/:orgId/roles/:roleId')
export class RoleNoticeController {
  constructor(
    private readonly staff: StaffRoles,
    private readonly notices: ConsentNotices,
  ) {}

  @Get('notice')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<Static<typeof NoticePreview>>> {
    const language = readQuery(query, LANGUAGE_ASKED) ?? DEFAULT_LANGUAGE;
    const { definition } = await this.staff.find(organisationId, roleId, meta);
    const terms = { organisationId, language, role: definition };
    const { version, text } = await this.notices.noticeOf(terms);
    const plain = { name: definition.name, notice: null, aiPolicy: null };
    const { text: defaultText } = await this.notices.noticeOf({ ...terms, role: plain });
    return ok({ version, text, defaultText });
  }
}
