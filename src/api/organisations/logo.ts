import { Body, Controller, Delete, Get, Inject, Param, Put } from '@nestjs/common';
import { logoType } from '../../application/organisations/logo-image.js';
import { ChangeLogo, Logos } from '../../application/organisations/logos.js';
import { PUBLIC_URL } from '../../application/tokens.js';
import type { RequestContext } from '../../core/command-context.js';
import { LOGO_LIMITS } from '../../domain/organisation/logo.js';
import { Public, StaffMay } from '../../http/access/access.decorator.js';
import { Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { LargeBody } from '../../http/piece-body.js';
import { Schema } from '../../http/validation/fields.js';
import { Base64 } from '../../http/validation/rules.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { OrganisationRecord, recordOf } from './organisation.js';

@Schema('SetLogo')
export class SetLogoDto {
  @Base64(LOGO_LIMITS.bytes) data!: string;
}

/** A PNG of one pixel. */
const EXAMPLE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const operations = {
  set: {
    id: 'organisations.setLogo',
    tag: 'Organisation',
    summary: 'Set the organisation’s logo',
    description: `A PNG or JPEG of at most ${LOGO_LIMITS.bytes / 1024} KB and ${LOGO_LIMITS.side} pixels on each side, in base64. It is decoded and encoded again, without anything else that its file holds. Mails, the candidates’ page and shared reports show it, so anybody who has its address can read it. A logo that it replaces is destroyed.`,
    example: { data: EXAMPLE },
    success: answersRecord('The organisation, with its logo.', OrganisationRecord),
    conditional: true,
  },
  remove: {
    id: 'organisations.removeLogo',
    tag: 'Organisation',
    summary: 'Remove the organisation’s logo',
    description: 'It is destroyed: mails that were sent with it show the organisation’s name in its place.',
    success: answersRecord('The organisation, without a logo.', OrganisationRecord),
    conditional: true,
  },
} satisfies Operations;

@Controller('organisations/:orgId/logo')
export class LogoController {
  constructor(
    private readonly commands: Commands,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Put()
  @StaffMay('organisation.write')
  @LargeBody(LOGO_LIMITS.bytes)
  @Operation(operations.set)
  set(
    @Param('orgId') organisationId: string,
    @Body() { data }: SetLogoDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<OrganisationRecord>> {
    const picture = Buffer.from(data, 'base64');
    return this.change(new ChangeLogo(context, { organisationId, picture }));
  }

  @Delete()
  @StaffMay('organisation.write')
  @Operation(operations.remove)
  remove(
    @Param('orgId') organisationId: string,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<OrganisationRecord>> {
    return this.change(new ChangeLogo(context, { organisationId, picture: null }));
  }

  /** Carries out the command, and answers with the organisation. */
  private async change(command: ChangeLogo): Promise<Answer<OrganisationRecord>> {
    const { state, consistencyToken } = await this.commands.execute(command);
    const { version } = state;
    return ok(recordOf(state, this.publicUrl), { version, consistencyToken });
  }
}

/**
 * Headers of a logo. Its address always names the same picture, and any page may show it, since mails are read in
 * browsers.
 */
const SHOWN_ANYWHERE = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Logos, for readers of a mail, a shared report or the page of an application. */
@Controller('logos/:orgId')
export class LogosController {
  constructor(private readonly logos: Logos) {}

  @Get(':logoId')
  @Public()
  @Operation(false)
  async read(@Param('orgId') organisationId: string, @Param('logoId') id: string): Promise<Answer<Buffer>> {
    const picture = await this.logos.read(organisationId, id);
    if (picture === null) throw notFound();
    return new Answer(200, picture, { headers: SHOWN_ANYWHERE }, logoType(picture));
  }
}
