import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { validate as isUuid } from 'uuid';
import { isRefused, type Refused } from '../../core/decider.js';
import { VaultUnavailable } from '../../core/errors.js';
import { CommandStreams } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { ticket } from '../../domain/ticket/decider.js';
import type { FileSet } from '../../domain/ticket/events.js';
import { fileSet, fileSetsIn, NO_FILE_SET, type UploadedFileSet } from '../../domain/ticket/file-set.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { FILE_SET_LIMITS } from '../../work/limits.js';
import type { Tree } from '../../work/tree.js';
import { VAULT } from '../tokens.js';
import { Uploads } from '../uploads/uploads.js';
import { starterIn } from './ticket-versions.js';

/** Names a file set; the ids may be any texts. */
export interface FileSetPath {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly fileSetId: string;
}

/** A file set's content is sealed under a key of its ticket's own. */
export const fileOfSet = ({ ticketId, fileSetId }: Omit<FileSetPath, 'organisationId'>): FileOf => ({
  person: ticketId as PersonId,
  fileId: fileSetId,
});

/** The ids of all file sets that any version of the ticket names: sessions keep the version that they began with. */
export const fileSetsEverNamed = async (
  streams: Pick<CommandStreams, 'each'>,
  ticketId: string,
): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  for await (const { data } of streams.each(ticket, ticketId))
    for (const id of fileSetsIn(data.content)) named.add(id);
  return named;
};

/**
 * Maximum number of trees in memory, each of at most 5 MB: candidates of one role fetch the same starter, programs file
 * by file.
 */
const MAX_KEPT_TREES = 4;

/** Files of tickets: their upload, and their content. */
@Injectable()
export class FileSets {
  /** By file set. A complete one never changes. */
  private readonly kept = new LRUCache<string, Tree>({ max: MAX_KEPT_TREES });

  constructor(
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys' | 'files'>,
    private readonly uploads: Uploads,
  ) {}

  /** @returns a refusal if the ticket has none by that id. @throws {StoreUnavailable} */
  async find({ organisationId, ticketId, fileSetId }: FileSetPath): Promise<UploadedFileSet | Refused> {
    if (!isUuid(fileSetId)) return NO_FILE_SET;
    const { state } = await this.streams.read(fileSet, fileSetId);
    const isOwn = state?.organisationId === organisationId && state.ticketId === ticketId;
    return isOwn ? state : NO_FILE_SET;
  }

  /** How many bytes have arrived. @throws {VaultUnavailable} */
  received(found: UploadedFileSet): Promise<number> {
    return this.uploads.received(fileOfSet(found));
  }

  /**
   * Adds a piece. If the set is complete, nothing changes.
   * @returns how many bytes have arrived then; a refusal if the piece goes beyond what was announced
   * @throws {VaultUnavailable}
   */
  async addPiece(
    found: UploadedFileSet,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly received: number } | Refused> {
    if (found.tree) return { received: found.bytes };
    const of = fileOfSet(found);
    await this.vault.keys.create(of.person);
    return this.uploads.add(of, found, offset, bytes);
  }

  /** What was sent, in order, a few pieces in memory at a time. @throws {VaultUnavailable | BrokenSeal} */
  content(found: Omit<FileSetPath, 'organisationId'>): AsyncIterable<Buffer> {
    return this.vault.files.read(fileOfSet(found));
  }

  /**
   * The starter that a ticket had in a version; `null`: it had none.
   * @throws {VaultUnavailable | BrokenSeal | StoreUnavailable} as `tree`
   */
  async starter(ticketId: string, version: number | null): Promise<Tree | null> {
    const starter = await starterIn(this.streams, ticketId, version);
    return starter ? this.tree(ticketId, starter) : null;
  }

  /**
   * The files of a complete set with their content.
   * @throws {VaultUnavailable | BrokenSeal | StoreUnavailable} also while too much is unpacked
   */
  async tree(ticketId: string, set: FileSet): Promise<Tree> {
    const { id } = set;
    const kept = this.kept.get(id);
    if (kept) return kept;
    const tree = await this.uploads.tree(fileOfSet({ ticketId, fileSetId: id }), set, FILE_SET_LIMITS);
    // It was unpacked before: a refusal now means that the machine is busy.
    if (isRefused(tree))
      throw new VaultUnavailable('The files of a ticket cannot be unpacked now: try again.');
    this.kept.set(id, tree);
    return tree;
  }
}
