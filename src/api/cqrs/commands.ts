import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import type { Decider, Decision } from '../../core/decider.js';
import type { AnyEvent } from '../../core/event.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { memberOf } from '../../http/access/access.decorator.js';
import type { Member } from '../../application/caller.js';
import { refusalToApiError } from '../../http/api-error.js';
import { requestMeta, type RequestMeta } from '../../http/meta.js';
import { Reads } from '../../application/reads.js';
import { present } from '../../application/use-case.js';

/** What a resource adds to the service. */
export interface Parts {
  readonly controllers: readonly Type[];
  readonly providers?: readonly Provider[];
}

/** Decides by a stream's state; may read other streams, and may be called again after a conflict. */
export type Decide<S, E extends AnyEvent> = (
  state: S,
  streams: CommandStreams,
) => Decision<E> | Promise<Decision<E>>;

/** A command that is one decision on one stream. */
export class OnStream<S, E extends AnyEvent> extends Command<Handled<S>> {
  /** @param id of the aggregate, behind its kind in the stream's name */
  constructor(
    readonly decider: Decider<S, E>,
    readonly id: string,
    readonly context: RequestContext,
    readonly decide: Decide<S, E>,
  ) {
    super();
  }
}

@CommandHandler(OnStream)
export class OnStreamHandler implements ICommandHandler<OnStream<unknown, AnyEvent>> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ decider, id, context, decide }: OnStream<unknown, AnyEvent>): Promise<Handled<unknown>> {
    return this.streams.handle(decider, streamName(decider.kind, id), context, (state) =>
      decide(state, this.streams),
    );
  }
}

/** What a route answers from once its command is carried out. */
export interface Done<S> {
  readonly state: S;
  /** Whether the command has events, by this or a former sending. */
  readonly recorded: boolean;
  readonly consistencyToken: string;
}

/** Executes the commands of routes. */
@Injectable()
export class Commands {
  constructor(
    private readonly bus: CommandBus,
    private readonly reads: Reads,
  ) {}

  /** @throws {ApiError} the command is refused */
  async execute<S>(command: Command<Handled<S>>): Promise<Done<NonNullable<S>>> {
    const handled = await this.bus.execute(command);
    if (handled.kind === 'refused') throw refusalToApiError(handled.refusal);
    const { state, recorded, position } = handled;
    return { state: present(state), recorded, consistencyToken: this.reads.tokenOf(position) };
  }

  /**
   * Decides on a stream, which has events afterwards.
   * @throws {ApiError} it is refused
   */
  async decide<S, E extends AnyEvent>(
    decider: Decider<S, E>,
    id: string,
    context: RequestContext,
    decide: Decide<S, E>,
  ): Promise<Done<NonNullable<S>>> {
    return this.execute(new OnStream(decider, id, context, decide));
  }
}

interface StaffRequest {
  readonly meta: RequestMeta;
  readonly member: Member;
}

@Injectable()
class StaffContextPipe implements PipeTransform<StaffRequest, RequestContext> {
  constructor(private readonly contexts: CommandContexts) {}

  transform({ meta, member }: StaffRequest): RequestContext {
    return this.contexts.forStaff(meta, member);
  }
}

const StaffRequestOf = createParamDecorator((_: unknown, context: ExecutionContext): StaffRequest => ({
  meta: requestMeta(context.switchToHttp().getRequest<FastifyRequest>()),
  member: memberOf(context),
}));

/** The context of a command that a member sends, on a `@StaffMay` route. */
export const StaffContext = (): ParameterDecorator => StaffRequestOf(StaffContextPipe);
