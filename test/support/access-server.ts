import 'reflect-metadata';
import { Body, Catch, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import type {
  ArgumentsHost,
  DynamicModule,
  ExceptionFilter,
  NestApplicationOptions,
  PipeTransform,
  Provider,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import {
  API_KEY_HOLDERS,
  MEMBERSHIPS,
  type Caller,
  type Member,
  type Memberships,
} from '../../src/application/caller.js';
import type { MemberRole } from '../../src/domain/organisation/events.js';
import {
  CurrentCaller,
  CurrentMember,
  Public,
  SignedIn,
  StaffMay,
} from '../../src/http/access/access.decorator.js';
import { ID_TOKENS, IdTokens } from '../../src/http/access/identity.js';
import { KEY_TIMES, type KeyTimes } from '../../src/http/access/provider-keys.js';
import { ApiError } from '../../src/http/api-error.js';
import { EdgeModule } from '../../src/http/openapi/route.guard.js';
import { RateLimits } from '../../src/http/rate-limits.js';
import { AUDIENCE } from './fake-issuer.js';
import type { LocalServer } from './issuer-server.js';

/** The only organisation. A subject such as `reviewer-1` is a member with that role. */
export const ORGANISATION = '0b7c9a52-6a0e-4a51-9d0e-3c7f5a1d2e48';

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

const CARELESS = { undeclared: UndeclaredRoutes, misplaced: MisplacedRoutes };

/** A route that must not exist: without a declaration, or for staff but not below an organisation. */
export type CarelessRoute = keyof typeof CARELESS;

@Module({})
class AccessServer {}

@Module({})
class Provided {}

/** The parts of the service's global modules that the guard needs. */
const provided = (idTokens: IdTokens): DynamicModule => {
  const providers: Provider[] = [
    { provide: MEMBERSHIPS, useClass: FixedMemberships },
    { provide: API_KEY_HOLDERS, useValue: { find: () => null } },
    { provide: ID_TOKENS, useValue: idTokens },
    { provide: RateLimits, useValue: new RateLimits(false) },
  ];
  return { module: Provided, global: true, providers, exports: providers };
};

/**
 * Serves a small application behind the real guard, on a free port.
 * @param candidatesIssuer a second issuer, whose audience is `candidates`
 * @param times cache times of the first issuer's keys, if they differ from the service's
 * @throws {Error} a route has no declaration, or is for staff but not below an organisation
 */
export const serveAccess = async ({
  issuer,
  audience = AUDIENCE,
  candidatesIssuer,
  times = {},
  careless,
}: {
  readonly issuer: string;
  readonly audience?: string;
  readonly candidatesIssuer?: string;
  readonly times?: Partial<KeyTimes>;
  readonly careless?: CarelessRoute;
}): Promise<LocalServer> => {
  const idTokens = new IdTokens(
    { issuer, audience, times: { ...KEY_TIMES, ...times } },
    candidatesIssuer === undefined ? null : { issuer: candidatesIssuer, audience: 'candidates' },
  );
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest declares its options as a class and takes any object of that shape.
  const nest: NestApplicationOptions = { logger: false, abortOnError: false };
  const application = await NestFactory.create<NestFastifyApplication>(
    {
      module: AccessServer,
      imports: [EdgeModule, provided(idTokens)],
      controllers: [OpenRoutes, OrganisationRoutes, ...(careless ? [CARELESS[careless]] : [])],
    },
    new FastifyAdapter({ forceCloseConnections: true }),
    nest,
  );
  application.useGlobalFilters(new PlainErrors());
  await application.listen(0, '127.0.0.1');
  return { url: await application.getUrl(), stop: () => application.close() };
};
