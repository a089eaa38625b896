import { Body, Controller, Get, Inject, Param, Patch } from '@nestjs/common';
import { organisations } from '../../../projections/organisations.js';
import { logoPath } from '../../application/organisations/logos.js';
import { UpdateOrganisation } from '../../application/organisations/update-organisation.js';
import { Reads } from '../../application/reads.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import type { RequestContext } from '../../core/command-context.js';
import { Named, Nullable, Ordinal, pick, type Static, Type, Uuid } from '../../core/json-schema.js';
import { NAME_OR_BLANK_PATTERN, NAME_PATTERN } from '../../core/names.js';
import type { CandidateResults, Logo } from '../../domain/organisation/events.js';
import { LOGO_LIMITS } from '../../domain/organisation/logo.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import {
  Flag,
  IN_MAILS,
  Nullable as MayBeNull,
  OneOf,
  Optional,
  Text,
  Whole,
} from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { RELEASED } from '../evaluations/released.js';

/** A hundred years. */
const MAX_RETENTION_DAYS = 36_500;

const TIME_ZONE =
  'Mails and pages show times in it, by its name in the IANA database, such as `Europe/Berlin`.';
const SENDER = 'Mails to candidates come from this name; `null`: from the organisation’s name.';

/** An organisation's logo, with the address at which it is served. */
export const LogoRecord = Named('Logo', {
  url: Type.String({
    format: 'uri',
    description: 'Where anybody sees it, as PNG or JPEG. It never shows another one.',
  }),
  width: Type.Integer({ minimum: 1, maximum: LOGO_LIMITS.side, description: 'In pixels.' }),
  height: Type.Integer({ minimum: 1, maximum: LOGO_LIMITS.side, description: 'In pixels.' }),
});

/** An organisation as every path returns it. */
export const OrganisationRecord = Named('Organisation', {
  id: Uuid,
  name: Type.String(),
  recordAudio: Type.Boolean(),
  retentionDays: Nullable(Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS })),
  candidateResults: RELEASED,
  timeZone: Type.String({ description: TIME_ZONE }),
  senderName: Nullable(Type.String({ description: SENDER })),
  logo: Nullable(LogoRecord),
  version: Ordinal,
});
export type OrganisationRecord = Static<typeof OrganisationRecord>;

interface HasLogo {
  readonly organisationId: string;
  readonly logo: Logo | null;
}

/** An organisation's logo with its address; `null`: it has none. @param publicUrl the service's own address */
export const logoRecord = (
  { organisationId, logo }: HasLogo,
  publicUrl: string,
): Static<typeof LogoRecord> | null =>
  logo && pick(LogoRecord, { ...logo, url: `${publicUrl}${logoPath(organisationId, logo)}` });

/** An organisation's record, by its state or its document. @param publicUrl the service's own address */
export const recordOf = (
  state: Omit<OrganisationRecord, 'id' | 'logo'> & HasLogo,
  publicUrl: string,
): OrganisationRecord =>
  pick(OrganisationRecord, { ...state, id: state.organisationId, logo: logoRecord(state, publicUrl) });

/** What is left out stays as it is. */
@Schema('UpdateOrganisation')
export class UpdateOrganisationDto {
  // The decider checks it: a name that was set before this rule may stay.
  @Optional()
  @Text({ notBlank: true, maxLength: 200, described: { description: IN_MAILS, pattern: NAME_PATTERN } })
  name?: string;
  @Optional() @Flag() recordAudio?: boolean;
  @Optional() @MayBeNull() @Whole({ min: 1, max: MAX_RETENTION_DAYS }) retentionDays?: number | null;
  @Optional() @OneOf(RELEASED) candidateResults?: CandidateResults;
  // The decider checks both, as it does the name.
  @Optional()
  @Text({ maxLength: 64, described: { description: TIME_ZONE, pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$' } })
  timeZone?: string;
  @Optional()
  @MayBeNull()
  @Text({
    maxLength: 200,
    described: { description: `${SENDER} ${IN_MAILS}`, pattern: NAME_OR_BLANK_PATTERN },
  })
  senderName?: string | null;
}

const operations = {
  read: {
    id: 'organisations.read',
    tag: 'Organisation',
    summary: 'Read the organisation',
    success: answersRecord('The organisation and its settings.', OrganisationRecord),
    errors: ['not_found'],
  },
  update: {
    id: 'organisations.update',
    tag: 'Organisation',
    summary: 'Change the organisation’s settings',
    example: {
      ...{ name: 'Example Ltd', recordAudio: true, retentionDays: 365, candidateResults: 'result' },
      ...{ timeZone: 'Europe/Berlin', senderName: 'Hiring at Example' },
    },
    description:
      'What is left out stays as it is. `candidateResults` is what candidates are shown of their evaluations once an outcome is recorded.',
    success: answersRecord('The organisation and its settings.', OrganisationRecord),
    conditional: true,
  },
} satisfies Operations;

@Controller('organisations/:orgId')
export class OrganisationController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Get()
  @StaffMay('organisation.read')
  @Operation(operations.read)
  async read(@Param('orgId') id: string, @Meta() meta: RequestMeta): Promise<Answer<OrganisationRecord>> {
    const found = await this.reads.get(organisations, id, meta);
    if (!found) throw notFound('There is no such organisation.');
    return ok(recordOf(found.document, this.publicUrl), { version: found.document.version });
  }

  @Patch()
  @StaffMay('organisation.write')
  @Operation(operations.update)
  async update(
    @Param('orgId') id: string,
    @Body() settings: UpdateOrganisationDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<OrganisationRecord>> {
    const command = new UpdateOrganisation(context, { organisationId: id, settings });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(recordOf(state, this.publicUrl), { version: state.version, consistencyToken });
  }
}
