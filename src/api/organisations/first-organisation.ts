import { Body, Controller, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../application/caller.js';
import { CreateOrganisation } from '../../application/organisations/create-organisation.js';
import { actorOf, CommandContexts } from '../../core/command-context.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, created } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import {
  DEVELOPMENT_DOOR,
  type DevelopmentDoor,
  throughDevelopmentDoor,
} from '../../http/development-door.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Text } from '../../http/validation/rules.js';
import { CONSOLE, type ConsoleSettings } from '../console/console.js';
import { Commands } from '../cqrs/commands.js';

@Schema('CreateOrganisation')
export class CreateOrganisationDto {
  @Text({ notBlank: true, maxLength: 200 }) name!: string;
}

/**
 * With the development issuer the console makes organisations; elsewhere an operator does, by `assay organisations
 * create`.
 */
@Controller('console/organisations')
export class FirstOrganisationController {
  constructor(
    @Inject(CONSOLE) private readonly page: ConsoleSettings,
    @Inject(DEVELOPMENT_DOOR) private readonly door: DevelopmentDoor,
    private readonly commands: Commands,
    private readonly contexts: CommandContexts,
  ) {}

  /** The caller becomes the owner at the next request. */
  @Post()
  @SignedIn()
  @Operation(false)
  async create(
    @Req() { raw }: FastifyRequest,
    @Body() { name }: CreateOrganisationDto,
    @CurrentCaller() caller: Caller,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    if (!this.page.signIn.development) throw notFound();
    throughDevelopmentDoor(raw, this.door);
    const { subject, email, emailVerified } = caller;
    if (email === null || !emailVerified)
      throw new ApiError('forbidden', 'Your e-mail address is not verified.');
    const context = this.contexts.forRequest(meta, subject, actorOf(caller));
    const organisationId = context.newRecordId('organisation');
    const command = new CreateOrganisation(context, { organisationId, name, ownerEmail: email });
    const { consistencyToken } = await this.commands.execute(command);
    return created(`/organisations/${organisationId}`, { id: organisationId }, { consistencyToken });
  }
}
