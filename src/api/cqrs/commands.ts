import {
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type PipeTransform,
  type Provider,
  type Type,
} from '@nestjs/common';
import { Command, CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import type { Handled } from '../../core/handle.js';
import { memberOf } from '../access/access.decorator.js';
import type { Member } from '../access/caller.js';
import { refusalToApiError } from '../http/api-error.js';
import { requestMeta, type RequestMeta } from '../http/meta.js';
import { Reads } from './reads.js';

/** What a resource adds to the service. */
export interface Parts {
  readonly controllers: readonly Type[];
  readonly providers?: readonly Provider[];
}

/** A command that a route sends: who sends it, and what it is decided by. */
export abstract class RouteCommand<S, Input> extends Command<Handled<S>> {
  constructor(
    readonly context: RequestContext,
    readonly input: Input,
  ) {
    super();
  }
}

/** What a route answers from once its command is carried out. */
export interface Done<S> {
  readonly state: NonNullable<S>;
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
  async execute<S>(command: Command<Handled<S>>): Promise<Done<S>> {
    const handled = await this.bus.execute(command);
    if (handled.kind === 'refused') throw refusalToApiError(handled.refusal);
    const { state, recorded, position } = handled;
    return { state: present(state), recorded, consistencyToken: this.reads.tokenOf(position) };
  }
}

/**
 * The record that a successful command leaves behind.
 * @throws {Error} there is none, which no successful command leaves
 */
export const present = <T>(state: T): NonNullable<T> => {
  if (state === null || state === undefined)
    throw new Error('A command succeeded and left no record behind.');
  return state;
};

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
