import { Controller, Get, Param } from '@nestjs/common';
import { members } from '../../../projections/members.js';
import { pageOf } from '../../core/json-schema.js';
import { normaliseEmail } from '../../core/normalise-email.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import type { ListQuery } from '../http/list-query.js';
import { List, Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import { memberRecord, type MemberRecord, memberSchema } from './record.js';

@Controller('organisations/:orgId/members')
export class MembersController {
  constructor(private readonly reads: Reads) {}

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

  /** No index holds an address, since keys are not sealed: search the few members who have not signed in yet. */
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

const membership = <D extends { readonly personal: { readonly email: string | null } | null }>({
  personal,
  ...document
}: D) => ({ ...document, email: personal?.email ?? null });
