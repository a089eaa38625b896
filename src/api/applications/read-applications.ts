import { Controller, Get, Param, Query } from '@nestjs/common';
import { APPLICATION_STATUSES } from '../../../projections/applications.js';
import { oneOf, pageOf, uuid } from '../../core/json-schema.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import {
  type ListQuery,
  type Query as QueryString,
  readQueryText,
  readSearch,
  readSort,
  sortValues,
} from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { MAX_EMAIL } from '../validation/formats.js';
import { type ApplicationRecord, applicationSchema } from './record.js';
import { applicationOrders, noSuchApplication, StaffApplications } from './staff-applications.js';

@Controller('organisations/:orgId/applications')
export class ApplicationsController {
  constructor(private readonly staff: StaffApplications) {}

  @Get()
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.list',
    tag: 'Applications',
    summary: 'List applications',
    list: true,
    query: [
      { name: 'roleId', description: 'Only those for this role.', schema: uuid },
      { name: 'status', description: 'Only those of this status.', schema: oneOf(...APPLICATION_STATUSES) },
      {
        name: 'q',
        description:
          'Only those of the candidate with this whole e-mail address; a text that is no address finds those whose role’s name begins with it. Case does not matter. Addresses are stored encrypted, so no part of one can be searched for.',
        schema: { type: 'string', minLength: 1, maxLength: MAX_EMAIL },
      },
      {
        name: 'sort',
        description:
          'The order, with `-` the reverse: `invitedAt` unless said. With an address in `q` it is always that, with a role’s name in `q` always `roleName`.',
        schema: oneOf(...sortValues(applicationOrders(null))),
      },
    ],
    success: {
      status: 200,
      description: 'Applications with their trial sessions and outcomes, oldest first unless said.',
      schema: pageOf(applicationSchema()),
    },
  })
  async list(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const text = readSearch(query, 'q', MAX_EMAIL);
    const filter = {
      roleId: readQueryText(query, 'roleId'),
      status: readQueryText(query, 'status', APPLICATION_STATUSES),
      text,
    };
    const sort = readSort(query, applicationOrders(text));
    return ok(await this.staff.page(organisationId, filter, sort, list, meta));
  }

  @Get(':id')
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.read',
    tag: 'Applications',
    summary: 'Read an application',
    success: { status: 200, description: 'The application.', schema: applicationSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationRecord>> {
    const found = await this.staff.byId(organisationId, id, meta);
    const [record] = await this.staff.records(found ? [found] : [], meta);
    if (!record) throw noSuchApplication();
    return ok(record, { version: record.version });
  }
}
