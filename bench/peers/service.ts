import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  Body,
  type CanActivate,
  ConflictException,
  Controller,
  createParamDecorator,
  type DynamicModule,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  UseGuards,
} from '@nestjs/common';
import {
  Command,
  CommandBus,
  CommandHandler,
  CqrsModule,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { AuthGuard, PassportModule, PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { BatchBody, DefinitionBody } from './bodies.js';
import {
  type Activity,
  type Counts,
  type Definition,
  memberId,
  members,
  NO_COUNTS,
  type PeerEvent,
  roles,
  sessions,
  signal,
} from './domain.js';
import { sealed } from './evidence.js';
import type { PeerStore } from './store.js';

const STORE = Symbol('PeerStore');
const TOKENS = Symbol('Tokens');
/** Attempts of a command before it is refused: another command may append to its stream in between. */
const MAX_ATTEMPTS = 5;

/** What tokens are verified with. */
export interface Tokens {
  /** PEM, RS256. */
  readonly publicKey: string;
  readonly issuer: string;
  readonly audience: string;
}

@Injectable()
class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(@Inject(TOKENS) { publicKey, issuer, audience }: Tokens) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: publicKey,
      algorithms: ['RS256'],
      issuer,
      audience,
    });
  }
  validate({ sub }: { readonly sub: string }): { readonly subject: string } {
    return { subject: sub };
  }
}

interface Authenticated {
  readonly user: { readonly subject: string };
  readonly params: Readonly<Record<string, string>>;
}
const requestOf = (context: ExecutionContext): Authenticated =>
  context.switchToHttp().getRequest<Authenticated>();

const Subject = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).user.subject,
);

/** Admits members of the organisation in the path; refuses others with 403. */
@Injectable()
class MemberGuard implements CanActivate {
  constructor(@Inject(STORE) private readonly store: PeerStore) {}
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user, params } = requestOf(context);
    const member = await this.store.find(members, memberId(params['orgId'] ?? '', user.subject));
    if (member === null) throw new ForbiddenException();
    return true;
  }
}

/** The keys of persons, cached for the life of the process. `of` makes a key for a person who has none. */
@Injectable()
class Keys {
  private readonly known = new Map<string, Buffer>();
  constructor(@Inject(STORE) private readonly store: PeerStore) {}
  async of(person: string): Promise<Buffer> {
    const key = this.known.get(person) ?? (await this.store.keyOf(person));
    this.known.set(person, key);
    return key;
  }
}

/**
 * Decides and appends. If the stream has another revision by then, decides again.
 * @throws {ConflictException} after `MAX_ATTEMPTS`
 */
const commit = async <Result>(
  store: PeerStore,
  stream: string,
  decide: () => Promise<{
    readonly revision: number;
    readonly events: readonly PeerEvent[];
    readonly result: Result;
  }>,
): Promise<Result> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { revision, events, result } = await decide();
    if (events.length === 0 || (await store.append(stream, revision, events))) return result;
  }
  throw new ConflictException();
};

const doneBy = (by: string) => ({ actionId: randomUUID(), by, at: new Date().toISOString() });

interface RoleAnswer {
  readonly id: string;
  readonly version: number;
}

class CreateRole extends Command<RoleAnswer> {
  constructor(
    readonly organisationId: string,
    readonly definition: Definition,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(CreateRole)
class CreateRoleHandler implements ICommandHandler<CreateRole> {
  constructor(@Inject(STORE) private readonly store: PeerStore) {}
  async execute({ organisationId, definition, by }: CreateRole): Promise<RoleAnswer> {
    const roleId = randomUUID();
    return commit(this.store, `role-${roleId}`, async () => ({
      revision: 0,
      events: [{ type: 'RoleDefined', data: { ...doneBy(by), organisationId, roleId, definition } }],
      result: { id: roleId, version: 1, ...definition },
    }));
  }
}

class UpdateRole extends Command<RoleAnswer> {
  constructor(
    readonly organisationId: string,
    readonly roleId: string,
    readonly definition: Definition,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(UpdateRole)
class UpdateRoleHandler implements ICommandHandler<UpdateRole> {
  constructor(@Inject(STORE) private readonly store: PeerStore) {}
  async execute({ organisationId, roleId, definition, by }: UpdateRole): Promise<RoleAnswer> {
    return commit(this.store, `role-${roleId}`, async () => {
      const role = await this.store.find(roles, roleId);
      if (role?.organisationId !== organisationId) throw new NotFoundException();
      return {
        revision: role.revision,
        events: [{ type: 'RoleUpdated', data: { ...doneBy(by), organisationId, roleId, definition } }],
        result: { id: roleId, version: role.revision + 1, ...definition },
      };
    });
  }
}

class StartSession extends Command<{ readonly id: string }> {
  constructor(
    readonly organisationId: string,
    readonly candidate: string,
  ) {
    super();
  }
}

@CommandHandler(StartSession)
class StartSessionHandler implements ICommandHandler<StartSession> {
  constructor(
    @Inject(STORE) private readonly store: PeerStore,
    private readonly keys: Keys,
  ) {}
  async execute({ organisationId, candidate }: StartSession): Promise<{ readonly id: string }> {
    const sessionId = randomUUID();
    await this.keys.of(candidate);
    return commit(this.store, `session-${sessionId}`, async () => ({
      revision: 0,
      events: [{ type: 'SessionStarted', data: { sessionId, organisationId, candidate } }],
      result: { id: sessionId },
    }));
  }
}

interface Receipt {
  readonly accepted: number;
  readonly duplicates: number;
  readonly lastSequenceNumber: number;
}

class RecordActivity extends Command<Receipt> {
  constructor(
    readonly sessionId: string,
    readonly candidate: string,
    readonly activities: readonly Activity[],
  ) {
    super();
  }
}

@CommandHandler(RecordActivity)
class RecordActivityHandler implements ICommandHandler<RecordActivity> {
  constructor(
    @Inject(STORE) private readonly store: PeerStore,
    private readonly keys: Keys,
  ) {}
  async execute({ sessionId, candidate, activities }: RecordActivity): Promise<Receipt> {
    const key = await this.keys.of(candidate);
    return commit(this.store, `session-${sessionId}`, async () => {
      const session = await this.store.find(sessions, sessionId);
      if (session?.candidate !== candidate) throw new NotFoundException();
      const { revision, lastHash } = session;
      const seen = new Set(session.seen);
      const fresh = activities.filter(({ clientEventId }) => {
        const known = seen.has(clientEventId);
        seen.add(clientEventId);
        return !known;
      });
      return {
        revision,
        events: sealed(key, sessionId, lastHash, fresh).map((activity, index) => ({
          type: 'ActivityRecorded',
          data: { ...activity, sessionId, sequenceNumber: revision + index },
        })),
        result: {
          accepted: fresh.length,
          duplicates: activities.length - fresh.length,
          lastSequenceNumber: revision - 1 + fresh.length,
        },
      };
    });
  }
}

interface Summary {
  readonly roles: readonly object[];
  readonly totals: Counts;
}

class ReadSignal extends Query<Summary> {
  constructor(readonly organisationId: string) {
    super();
  }
}

const add = (a: Counts, b: Counts): Counts => ({
  trialCompletedCount: a.trialCompletedCount + b.trialCompletedCount,
  outcomeRecordedCount: a.outcomeRecordedCount + b.outcomeRecordedCount,
  awaitingOutcomeCount: a.awaitingOutcomeCount + b.awaitingOutcomeCount,
  humanRound: {
    passed: a.humanRound.passed + b.humanRound.passed,
    failed: a.humanRound.failed + b.humanRound.failed,
  },
  disposition: {
    hired: a.disposition.hired + b.disposition.hired,
    declined: a.disposition.declined + b.disposition.declined,
  },
});

@QueryHandler(ReadSignal)
class ReadSignalHandler implements IQueryHandler<ReadSignal> {
  constructor(@Inject(STORE) private readonly store: PeerStore) {}
  async execute({ organisationId }: ReadSignal): Promise<Summary> {
    const rows = await this.store.ofOrganisation(signal, organisationId);
    const sorted = [...rows].sort((a, b) => (a.roleName < b.roleName ? -1 : a.roleName > b.roleName ? 1 : 0));
    return {
      roles: sorted.map(({ organisationId: _, ...row }) => row),
      totals: rows.reduce<Counts>(add, NO_COUNTS),
    };
  }
}

@Controller('organisations/:orgId')
@UseGuards(AuthGuard('jwt'), MemberGuard)
class StaffController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('roles')
  create(
    @Param('orgId') organisationId: string,
    @Body() body: DefinitionBody,
    @Subject() by: string,
  ): Promise<RoleAnswer> {
    return this.commands.execute(new CreateRole(organisationId, body, by));
  }

  @Patch('roles/:roleId')
  update(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: DefinitionBody,
    @Subject() by: string,
  ): Promise<RoleAnswer> {
    return this.commands.execute(new UpdateRole(organisationId, roleId, body, by));
  }

  @Get('signal')
  read(@Param('orgId') organisationId: string): Promise<Summary> {
    return this.queries.execute(new ReadSignal(organisationId));
  }
}

@Controller('trial-sessions')
@UseGuards(AuthGuard('jwt'))
class CandidateController {
  constructor(private readonly commands: CommandBus) {}

  /** The caller starts a session of their own, without an invitation. */
  @Post('of/:orgId')
  start(
    @Param('orgId') organisationId: string,
    @Subject() candidate: string,
  ): Promise<{ readonly id: string }> {
    return this.commands.execute(new StartSession(organisationId, candidate));
  }

  @Post(':id/activity')
  @HttpCode(202)
  record(@Param('id') id: string, @Subject() candidate: string, @Body() body: BatchBody): Promise<Receipt> {
    return this.commands.execute(new RecordActivity(id, candidate, body.events));
  }
}

/** The service as a TypeScript team would write it: Nest, class-validator, passport-jwt and @nestjs/cqrs on emmett. */
@Module({})
export class PeerModule {
  static of(store: PeerStore, tokens: Tokens): DynamicModule {
    return {
      module: PeerModule,
      imports: [CqrsModule.forRoot(), PassportModule],
      controllers: [StaffController, CandidateController],
      providers: [
        { provide: STORE, useValue: store },
        { provide: TOKENS, useValue: tokens },
        JwtStrategy,
        MemberGuard,
        Keys,
        CreateRoleHandler,
        UpdateRoleHandler,
        StartSessionHandler,
        RecordActivityHandler,
        ReadSignalHandler,
      ],
    };
  }
}
