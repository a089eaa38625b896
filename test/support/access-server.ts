import 'reflect-metadata';
import { Body, Catch, Controller, Get, Injectable, Logger, Module, Post } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter, PipeTransform } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import {
  CurrentCaller,
  CurrentMember,
  Public,
  SignedIn,
  StaffMay,
} from '../../src/http/access/access.decorator.js';
import { AccessGuard } from '../../src/http/access/access.guard.js';
import { DeclaredAccess } from '../../src/http/access/declared-access.js';
import { MEMBERSHIPS, type Caller, type Member, type Memberships } from '../../src/application/caller.js';
import { ID_TOKENS } from '../../src/http/access/identity.js';
import { KEY_TIMES, type KeyTimes } from '../../src/http/access/provider-keys.js';
import { IdTokensOfBoth } from '../../src/http/access/two-issuers.js';
import { ApiError } from '../../src/http/api-error.js';
import type { MemberRole } from '../../src/domain/organisation/events.js';

/** A small application behind the real guard: one organisation, whose members are named by their subjects. */
const ORGANISATION = process.env.ORGANISATION ?? '';

class RefusingPipe implements PipeTransform {
  transform(): never {
    throw new ApiError('validation_failed', 'The body was looked at.');
  }
}

@Controller()
class OpenRoutes {
  @Get('open')
  @Public()
  open() {
    return { open: true };
  }

  @Get('me')
  @SignedIn()
  me(@CurrentCaller() caller: Caller) {
    return caller;
  }
}

@Controller('organisations/:orgId')
class OrganisationRoutes {
  @Get('roles')
  @StaffMay('roles.read')
  list(@CurrentMember() member: Member, @CurrentCaller() caller: Caller) {
    return { member, caller };
  }

  @Post('roles')
  @StaffMay('roles.write')
  create(@Body(new RefusingPipe()) body: unknown) {
    return body;
  }
}

@Controller('careless')
class UndeclaredRoutes {
  @Get()
  forgotten() {
    return {};
  }
}

@Controller('misplaced')
class MisplacedRoutes {
  @Get(':id')
  @StaffMay('roles.read')
  anywhere() {
    return {};
  }
}

@Injectable()
class FixedMemberships implements Memberships {
  async find({ subject }: Caller, organisationId: string): Promise<Member | null> {
    if (subject === 'store-away') throw new ApiError('unavailable', 'The store is away.');
    const role = /^(owner|admin|recruiter|reviewer)-/.exec(subject)?.[1];
    return organisationId === ORGANISATION && role
      ? { memberId: `member-${subject}`, subject, role: role as MemberRole }
      : null;
  }
}

@Catch(ApiError)
class PlainErrors implements ExceptionFilter {
  catch(error: ApiError, host: ArgumentsHost) {
    void host
      .switchToHttp()
      .getResponse<FastifyReply>()
      .status(error.status)
      .headers(error.headers)
      .send({ error: error.message, code: error.code });
  }
}

const { CANDIDATES_ISSUER: candidates } = process.env;

const careless: Record<string, typeof UndeclaredRoutes | typeof MisplacedRoutes> = {
  undeclared: UndeclaredRoutes,
  misplaced: MisplacedRoutes,
};
const extra = careless[process.env.CARELESS ?? ''];

@Module({
  imports: [DiscoveryModule],
  providers: [
    DeclaredAccess,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: MEMBERSHIPS, useClass: FixedMemberships },
    {
      provide: ID_TOKENS,
      useFactory: () =>
        new IdTokensOfBoth(
          {
            issuer: process.env.ISSUER ?? '',
            audience: process.env.AUDIENCE ?? '',
            times: { ...KEY_TIMES, ...(JSON.parse(process.env.TIMES ?? '{}') as Partial<KeyTimes>) },
          },
          candidates === undefined ? null : { issuer: candidates, audience: 'candidates' },
        ),
    },
  ],
  controllers: [OpenRoutes, OrganisationRoutes, ...(extra ? [extra] : [])],
})
class AccessServer {}

Logger.overrideLogger(['error']);
const application = await NestFactory.create<NestFastifyApplication>(AccessServer, new FastifyAdapter());
application.useGlobalFilters(new PlainErrors());
await application.listen(0, '127.0.0.1');
console.log(await application.getUrl());
