import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accept, isRefused, type Refused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { completeFileSet, fileSet, type FileSetState } from '../../domain/ticket/file-set.js';
import { FILE_SET_LIMITS } from '../../work/limits.js';
import { refuseWork, type TreeFile, treeHash } from '../../work/tree.js';
import { isFinal, Uploads } from '../uploads/uploads.js';
import { UseCase } from '../use-case.js';
import { type FileSetPath, fileOfSet, FileSets } from './file-sets.js';

/** Unpacks a file set whose content has arrived. The ids may be any texts. */
export class CompleteFileSet extends UseCase<FileSetState, FileSetPath> {
  readonly name = 'CompleteFileSet';
}

/** A ticket holds up to three lists of files, in each event that changes it. */
const MAX_MANIFEST_BYTES = 128 * 1024;

@CommandHandler(CompleteFileSet)
export class CompleteFileSetHandler implements ICommandHandler<CompleteFileSet> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly sets: FileSets,
    private readonly uploads: Uploads,
  ) {}

  async execute({ context, input }: CompleteFileSet): Promise<Handled<FileSetState>> {
    const found = await this.sets.find(input);
    if (isRefused(found)) return found;
    if (found.tree) return this.streams.handle(fileSet, found.fileSetId, context, () => accept());
    const of = fileOfSet(found);
    const files = unlessTooLong(await this.uploads.manifest(of, found, found.name, FILE_SET_LIMITS));
    if (isRefused(files)) {
      if (isFinal(files)) await this.uploads.discard(of);
      return files;
    }
    return this.streams.handle(fileSet, found.fileSetId, context, (before) =>
      completeFileSet(before, { treeSha256: treeHash(files), files }),
    );
  }
}

const unlessTooLong = (files: readonly TreeFile[] | Refused): readonly TreeFile[] | Refused =>
  isRefused(files) || Buffer.byteLength(JSON.stringify(files)) <= MAX_MANIFEST_BYTES
    ? files
    : refuseWork(
        'The paths of these files are too long in all: send fewer files, or give them shorter names.',
      );
