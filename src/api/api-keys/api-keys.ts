import { Body, Controller, Delete, Get, Global, Module, Param, Post } from '@nestjs/common';
import { type ApiKeyDocument, apiKeys } from '../../../projections/api-keys.js';
import { CreateApiKey, CreateApiKeyHandler } from '../../application/api-keys/create-api-key.js';
import { HeldApiKeys } from '../../application/api-keys/held-keys.js';
import { RevokeApiKey, RevokeApiKeyHandler } from '../../application/api-keys/revoke-api-key.js';
import { API_KEY_FORM, ApiKeyTokens } from '../../application/api-keys/tokens.js';
import { ApiKeyUses } from '../../application/api-keys/uses.js';
import { API_KEY_HOLDERS } from '../../application/caller.js';
import { Rosters } from '../../application/organisations/memberships.js';
import { type ListQuery, Reads } from '../../application/reads.js';
import { present } from '../../application/use-case.js';
import type { RequestContext } from '../../core/command-context.js';
import {
  Enumeration,
  Instant,
  Named,
  Nullable,
  pick,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import { apiKeyOf, DEFAULT_DAYS, isOpen, MAX_DAYS } from '../../domain/api-key/decider.js';
import { SCOPES } from '../../domain/organisation/permissions.js';
import { SCOPE, StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, noContent, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { LineWithoutAddress, NameList, Optional, Whole } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';

/** An API key as every path returns it. */
const ApiKeyRecord = Named('ApiKey', {
  id: Uuid,
  name: Nullable(Type.String({ description: 'As it was given; `null` once it can no longer be read.' })),
  scopes: Type.Array(SCOPE, {
    description: 'What it may do, as far as the role of its maker still allows it.',
  }),
  status: Enumeration('ApiKeyStatus', ['active', 'expired', 'revoked', 'maker_removed']),
  createdAt: Instant,
  createdBy: Type.String({ description: 'The subject of the member who made it.' }),
  expiresAt: Instant,
  revokedAt: Nullable(Instant),
  lastUsedAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'To the minute. `null`: never, or not since the service was restored from a backup or moved.',
    }),
  ),
});
type ApiKeyRecord = Static<typeof ApiKeyRecord>;

/** A key as the answer to its creation, which alone shows the token. */
const NewApiKeyRecord = Named('NewApiKey', {
  ...ApiKeyRecord.properties,
  token: Type.String({ pattern: `^${API_KEY_FORM}$` }),
});
type NewApiKeyRecord = Static<typeof NewApiKeyRecord>;

@Schema('CreateApiKey')
export class CreateApiKeyDto {
  // As in a saved view's name: the erasure of a person would not remove their e-mail address from it.
  @LineWithoutAddress(100) name!: string;
  @NameList(SCOPE, SCOPES.length) scopes!: string[];
  @Optional() @Whole({ min: 1, max: MAX_DAYS }) expiresInDays?: number;
}

const operations = {
  create: {
    id: 'apiKeys.create',
    tag: 'API keys',
    summary: 'Make an API key',
    example: { name: 'Applicant tracking', scopes: ['roles.read', 'candidates.invite'], expiresInDays: 90 },
    description: `A program sends the token as \`Authorization: Bearer assay_…\` on the paths of this organisation. It may do what its scopes say, as far as the maker’s role allows it, and it ends with the maker’s membership, after \`expiresInDays\` (default ${DEFAULT_DAYS}), or when it is revoked. The token is shown here and nowhere else.`,
    links: { apiKeyId: '/id' },
    success: {
      status: 201,
      description: 'The key and its token.',
      schema: NewApiKeyRecord,
      headers: ['Location'],
    },
  },
  list: {
    id: 'apiKeys.list',
    tag: 'API keys',
    summary: 'List API keys',
    list: true,
    links: { apiKeyId: '/items/0/id' },
    success: answersPage('Keys, oldest first, with those that have ended.', ApiKeyRecord),
  },
  read: {
    id: 'apiKeys.read',
    tag: 'API keys',
    summary: 'Read an API key',
    success: { status: 200, description: 'The key.', schema: ApiKeyRecord },
  },
  revoke: {
    id: 'apiKeys.revoke',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'No request with it is answered from now on. It stays in the list.',
    success: { status: 204, description: 'It is revoked.' },
  },
} satisfies Operations;

/** The source of a record: the key as its view or its stream has it. */
type Known = Omit<ApiKeyDocument, 'organisationId' | 'person' | 'personal'> & {
  readonly name: string | null;
};

@Controller('organisations/:orgId/api-keys')
export class ApiKeysController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    private readonly rosters: Rosters,
    private readonly tokens: ApiKeyTokens,
    private readonly uses: ApiKeyUses,
  ) {}

  @Post()
  @StaffMay('keys.manage')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() { name, scopes, expiresInDays = DEFAULT_DAYS }: CreateApiKeyDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<NewApiKeyRecord>> {
    const id = context.newId('api key');
    const input = { organisationId, apiKeyId: id, name, scopes, expiresInDays };
    const { state, consistencyToken } = await this.commands.execute(new CreateApiKey(context, input));
    const key = present(apiKeyOf(state, id));
    const record = pick(NewApiKeyRecord, {
      ...key,
      id,
      status: 'active',
      lastUsedAt: null,
      token: await this.tokens.tokenOf(id),
    });
    return created(`/organisations/${organisationId}/api-keys/${id}`, record, {
      consistencyToken,
      headers: { 'Cache-Control': 'no-store' },
    });
  }

  @Get()
  @StaffMay('keys.manage')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.list(apiKeys, 'byOrganisation', [organisationId], list, meta);
    const items = await Promise.all(
      found.items.map(({ document, id }) => this.recordOf(organisationId, id, knownBy(document))),
    );
    return page({ ...found, items }, (record) => record);
  }

  @Get(':apiKeyId')
  @StaffMay('keys.manage')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('apiKeyId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApiKeyRecord>> {
    const document = (await this.reads.get(apiKeys, id, meta))?.document;
    if (document?.organisationId !== organisationId) throw notFound('There is no such API key.');
    return ok(await this.recordOf(organisationId, id, knownBy(document)));
  }

  @Delete(':apiKeyId')
  @StaffMay('keys.manage')
  @Operation(operations.revoke)
  async revoke(
    @Param('orgId') organisationId: string,
    @Param('apiKeyId') apiKeyId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const command = new RevokeApiKey(context, { organisationId, apiKeyId });
    const { consistencyToken } = await this.commands.execute(command);
    return noContent({ consistencyToken });
  }

  /**
   * A key’s record. Its status shows if the maker is no member any more; while the log cannot be reached, the maker
   * counts as one.
   */
  private async recordOf(organisationId: string, id: string, key: Known): Promise<ApiKeyRecord> {
    const [roster, lastUsedAt] = await Promise.all([
      this.rosters.recent(organisationId),
      this.uses.lastUsedAt(id),
    ]);
    const isMember = roster?.members.some(({ memberId }) => memberId === key.memberId) ?? true;
    const status = statusOf(key, isMember);
    return pick(ApiKeyRecord, { ...key, id, status, lastUsedAt });
  }
}

const knownBy = ({ personal, ...document }: ApiKeyDocument): Known => ({
  ...document,
  name: personal?.name ?? null,
});

const statusOf = (key: Known, isMember: boolean): ApiKeyRecord['status'] => {
  if (key.revokedAt !== null) return 'revoked';
  if (!isMember) return 'maker_removed';
  return isOpen(key, new Date()) ? 'active' : 'expired';
};

/** An organisation's API keys. Global, since the guard of every route finds their owners. */
@Global()
@Module({
  controllers: [ApiKeysController],
  providers: [
    CreateApiKeyHandler,
    RevokeApiKeyHandler,
    ApiKeyTokens,
    ApiKeyUses,
    HeldApiKeys,
    { provide: API_KEY_HOLDERS, useExisting: HeldApiKeys },
  ],
  exports: [API_KEY_HOLDERS],
})
export class ApiKeysModule {}
