import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { isRefused, refuseInvalid, type Refused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { NO_TICKET, ticket, type TicketState, updateTicket } from '../../domain/ticket/decider.js';
import type { FileSet, TicketChecks, TicketContent } from '../../domain/ticket/events.js';
import { completed, isLapsed } from '../../domain/ticket/file-set.js';
import { UseCase } from '../use-case.js';
import { fileSetsEverNamed, FileSets } from './file-sets.js';

/**
 * The parts of a ticket that name its file sets by their ids. If `starter` or `checks` is left out, it stays as it is;
 * `null` removes it.
 */
export interface NamedFiles {
  readonly starter?: string | null;
  readonly checks?:
    | (Pick<TicketChecks, 'slug' | 'isolation'> & {
        readonly visible: string | null;
        readonly hidden: string | null;
      })
    | null;
}

/** Changes a ticket: what `content` and `files` leave out stays as it is. The ids may be any texts. */
export class UpdateTicket extends UseCase<
  TicketState,
  {
    readonly organisationId: string;
    readonly ticketId: string;
    readonly content: Partial<Omit<TicketContent, keyof NamedFiles>>;
    readonly files: NamedFiles;
  }
> {
  readonly name = 'UpdateTicket';
}

@CommandHandler(UpdateTicket)
export class UpdateTicketHandler implements ICommandHandler<UpdateTicket> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly sets: FileSets,
  ) {}

  async execute({ context, input }: UpdateTicket): Promise<Handled<TicketState>> {
    const { organisationId, ticketId } = input;
    // Only an id may go into a stream's name.
    if (!isUuid(ticketId)) return NO_TICKET;
    const files = await this.filesOf(input, context.now);
    if (isRefused(files)) return files;
    const { expectedVersion } = context;
    const content = { ...input.content, ...files };
    return this.streams.handle(ticket, ticketId, context, (before) =>
      before?.organisationId === organisationId
        ? updateTicket(before, { content, expectedVersion })
        : NO_TICKET,
    );
  }

  private async filesOf(
    { files: { starter, checks }, ...of }: UpdateTicket['input'],
    now: Date,
  ): Promise<Partial<Pick<TicketContent, keyof NamedFiles>> | Refused> {
    const named = {
      starter: await this.set({ ...of, now }, 'starter', starter),
      visible: await this.set({ ...of, now }, 'checks.visible', checks?.visible),
      hidden: await this.set({ ...of, now }, 'checks.hidden', checks?.hidden),
    };
    for (const one of Object.values(named)) if (one && isRefused(one)) return one;
    const { starter: found, visible, hidden } = named as Readonly<Record<keyof typeof named, FileSet | null>>;
    return {
      ...(starter !== undefined && { starter: found }),
      ...(checks !== undefined && {
        checks: checks && { visible, hidden, slug: checks.slug, isolation: checks.isolation },
      }),
    };
  }

  private async set(
    of: { readonly organisationId: string; readonly ticketId: string; readonly now: Date },
    path: string,
    fileSetId: string | null | undefined,
  ): Promise<FileSet | Refused | null> {
    if (fileSetId === null || fileSetId === undefined) return null;
    const found = await this.sets.find({ ...of, fileSetId });
    const set = isRefused(found) ? null : completed(found);
    if (isRefused(found) || set === null)
      return refuseSet(path, 'must be the id of a file set of this ticket that is complete.');
    // Its content may be discarded at any time now, or is gone.
    if (isLapsed(found, of.now) && !(await fileSetsEverNamed(this.streams, of.ticketId)).has(set.id))
      return refuseSet(
        path,
        'names files that were sent more than a day ago and never used: send them again.',
      );
    return set;
  }
}

const refuseSet = (path: string, message: string): Refused =>
  refuseInvalid([{ path, rule: 'fileSet', message: `${path} ${message}` }]);
