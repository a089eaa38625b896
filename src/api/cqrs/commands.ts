import {
  createParamDecorator,
  type ExecutionContext,
  Global,
  Injectable,
  Module,
  type PipeTransform,
} from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import type { Caller, Member } from '../../application/caller.js';
import { CommandFailed, present, type UseCase } from '../../application/use-case.js';
import { actorOf, CommandContexts, type RequestContext } from '../../core/command-context.js';
import { type Handled } from '../../core/handle.js';
import { ConsistencyTokens } from '../../engine/reads/tokens.js';
import { memberOf } from '../../http/access/access.decorator.js';
import { refusalToApiError } from '../../http/api-error.js';
import { requestMeta, type RequestMeta } from '../../http/meta.js';
import type { Logger } from '../../process/log.js';

/** The result of an executed command, from which a route makes its answer. */
export interface Done<S> {
  readonly state: S;
  /** Whether the command has events in the stream, appended by this request or when it was sent before. */
  readonly recorded: boolean;
  readonly consistencyToken: string;
}

/** Executes the commands of routes. */
@Injectable()
export class Commands {
  constructor(
    private readonly bus: CommandBus,
    private readonly tokens: ConsistencyTokens,
    private readonly contexts: CommandContexts,
  ) {}

  /** The context of a command that candidates send about their own record. */
  contextOf(
    caller: Caller,
    { candidateId }: { readonly candidateId: string },
    meta: RequestMeta,
  ): RequestContext {
    return this.contexts.forCandidate(meta, caller, candidateId);
  }

  /**
   * Executes a command after which its stream has events.
   * @throws {ApiError} it is refused
   * @throws {CommandFailed} its handler has thrown
   */
  async execute<S>(command: UseCase<S, unknown>): Promise<Done<NonNullable<S>>> {
    const { state, ...done } = await this.executeNullable(command);
    return { ...done, state: present(state) };
  }

  /**
   * As `execute`, but the command may change nothing: its `state` is `null` if its stream has no event.
   * @throws {ApiError} it is refused
   * @throws {CommandFailed} its handler has thrown
   */
  async executeNullable<S>(command: UseCase<S, unknown>): Promise<Done<S>> {
    const handled = await this.handle(command);
    if (handled.kind === 'refused') throw refusalToApiError(handled.refusal);
    const { state, recorded, position } = handled;
    return { state, recorded, consistencyToken: this.tokens.encode(position) };
  }

  /**
   * As `executeNullable`, but returns a refusal instead of throwing it.
   * @throws {CommandFailed} its handler has thrown
   */
  async handle<S>(command: UseCase<S, unknown>): Promise<Handled<S>> {
    try {
      return await this.bus.execute(command);
    } catch (error) {
      throw new CommandFailed(command.name, error);
    }
  }
}

/**
 * Names each command in the log, at level `debug`, beside the correlation id that its events and the request's other
 * lines carry.
 */
export const logCommands = (bus: CommandBus<UseCase<unknown, unknown>>, log: Pick<Logger, 'debug'>): void =>
  void bus.subscribe(({ name, context: { correlationId } }) =>
    log.debug({ command: name, correlationId }, 'A command is carried out.'),
  );

interface StaffRequest {
  readonly meta: RequestMeta;
  readonly member: Member;
}

@Injectable()
class StaffContextPipe implements PipeTransform<StaffRequest, RequestContext> {
  constructor(private readonly contexts: CommandContexts) {}

  transform({ meta, member }: StaffRequest): RequestContext {
    return this.contexts.forRequest(meta, member.subject, actorOf(member));
  }
}

const StaffRequestOf = createParamDecorator((_: unknown, context: ExecutionContext): StaffRequest => ({
  meta: requestMeta(context.switchToHttp().getRequest<FastifyRequest>()),
  member: memberOf(context),
}));

/** The context of a command that a member sends, on a `@StaffMay` route. */
export const StaffContext = (): ParameterDecorator => StaffRequestOf(StaffContextPipe);

/** Provides `Commands` to the controllers of every resource. */
@Global()
@Module({ imports: [CqrsModule.forRoot()], providers: [Commands], exports: [Commands] })
export class CommandsModule {}
