import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { accept, isRefused, type Refused } from '../../core/decider.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { newId } from '../../core/random.js';
import { type TemplateOf, templateTicket } from '../../domain/role/templates.js';
import { createTicket, ticket } from '../../domain/ticket/decider.js';
import { type FileSet, NO_WORK } from '../../domain/ticket/events.js';
import {
  beginFileSet,
  completed,
  completeFileSet,
  fileSet,
  NO_FILE_SET,
} from '../../domain/ticket/file-set.js';
import { packZipHere } from '../../work/archives.js';
import { sha256Of, type Tree, treeHash, treeOf } from '../../work/tree.js';
import { FileSets } from './file-sets.js';

/** What the starter of a template's ticket is called. */
const STARTER = 'starter.zip';

/** The files that a template's ticket begins with; `null`: none. */
const starterTree = (of: TemplateOf): Tree | null => {
  const { starter } = templateTicket(of);
  return starter && treeOf(starter.map(({ path, text }) => ({ path, content: Buffer.from(text) })));
};

/** The tickets that come with the templates of roles. */
@Injectable()
export class TemplateTickets {
  constructor(
    private readonly streams: CommandStreams,
    private readonly sets: FileSets,
    private readonly hasher: KeyedHasher,
  ) {}

  /**
   * Makes the organisation's ticket of a template unless it exists: roles that are made from the template later have the
   * same one, as it is by then.
   * @returns the ticket's id
   * @throws {VaultUnavailable | StoreUnavailable}
   */
  async ensure(
    context: RequestContext,
    { organisationId, ...of }: TemplateOf & { readonly organisationId: string },
  ): Promise<string | Refused> {
    const ticketId = this.hasher.uuidV8('template ticket', organisationId, of.template, of.language);
    const { state } = await this.streams.read(ticket, ticketId);
    if (state !== null) return ticketId;
    const ids = { organisationId, ticketId };
    // The ticket is made last: if the process ends before, no ticket names the files, and they are discarded after a day.
    const starter = await this.starter(context, ids, starterTree(of));
    if (starter && isRefused(starter)) return starter;
    const { title, description, estimatedMinutes, kind } = templateTicket(of);
    const content = { ...NO_WORK, title, description, links: [], estimatedMinutes, kind, starter };
    const made = await this.streams.handle(ticket, ticketId, ownCommand(context), (before) =>
      // Made by another request meanwhile: its ticket is the one.
      before === null ? createTicket(before, { ...ids, content }) : accept(),
    );
    return made.kind === 'refused' ? made : ticketId;
  }

  private async starter(
    context: RequestContext,
    ids: { readonly organisationId: string; readonly ticketId: string },
    tree: Tree | null,
  ): Promise<FileSet | Refused | null> {
    if (tree === null) return null;
    const archive = await packZipHere(tree);
    const fileSetId = newId();
    const announced = { name: STARTER, bytes: archive.byteLength, sha256: sha256Of(archive) };
    const begun = await this.streams.handle(fileSet, fileSetId, ownCommand(context), (before) =>
      beginFileSet(before, { ...ids, ...announced, fileSetId }),
    );
    if (begun.kind === 'refused') return begun;
    if (begun.state === null) return NO_FILE_SET;
    const added = await this.sets.addPiece(begun.state, 0, archive);
    if (isRefused(added)) return added;
    const files = tree.files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
    const done = await this.streams.handle(fileSet, fileSetId, ownCommand(context), (before) =>
      completeFileSet(before, { treeSha256: treeHash(files), files }),
    );
    if (done.kind === 'refused') return done;
    return (done.state && completed(done.state)) ?? NO_FILE_SET;
  }
}

/** The context of a command that a request sends beside its own, without the request's Idempotency-Key. */
const ownCommand = (context: RequestContext): RequestContext => ({
  ...context,
  commandId: newId(),
  requestHash: null,
});
