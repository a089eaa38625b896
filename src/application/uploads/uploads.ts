import { Module } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { MAX_WAIT_MS, notBegun, Semaphore } from '../../core/concurrency.js';
import { isRefused, refuse, refuseInvalid, type Refused } from '../../core/decider.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { RefusalCode } from '../../domain/refusal-codes.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { EXCEEDED, manifest, unpack } from '../../work/in-worker.js';
import type { TreeLimits } from '../../work/limits.js';
import { commonFolders } from '../../work/paths.js';
import { inFolder, type Tree, type TreeFile, treeHash } from '../../work/tree.js';
import { VAULT } from '../tokens.js';

/** What the sender announces of a file before its pieces. */
export interface Announced {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Maximum number of uploads that are read and unpacked at once: each is in the thread's memory as a whole. */
const AT_ONCE = 3;

/**
 * Files that come in pieces, each within a request's body: `add` for each piece, `manifest` once all have arrived, then
 * `tree` as often as it is needed, and `discard`. What has arrived is durable, so an interrupted upload can be continued
 * from any tab or device.
 */
export class Uploads {
  private readonly reading = new Semaphore(AT_ONCE);

  /** @param patience how long an upload waits for those that are read before it: milliseconds, or until a signal aborts */
  constructor(
    private readonly vault: Pick<Vault, 'files'>,
    private readonly patience: number | AbortSignal = MAX_WAIT_MS,
  ) {}

  /** How many bytes have arrived: where the next piece begins. @throws {VaultUnavailable} */
  received(of: FileOf): Promise<number> {
    return this.vault.files.size(of);
  }

  /**
   * Adds a piece if it begins where the content that has arrived ends. Any other piece changes nothing.
   * @param offset of the piece's first byte in the whole content
   * @returns how many bytes have arrived then; a refusal if the piece goes beyond what was announced
   * @throws {PersonErased | VaultUnavailable}
   */
  async add(
    of: FileOf,
    announced: Announced,
    offset: number,
    bytes: Uint8Array,
  ): Promise<{ readonly received: number } | Refused> {
    if (offset + bytes.byteLength > announced.bytes)
      return refuseInvalid([
        {
          path: 'data',
          rule: 'maxBytes',
          message: `data goes beyond the ${announced.bytes} bytes that were announced.`,
        },
      ]);
    const { files } = this.vault;
    const received = await files.size(of);
    if (offset !== received || bytes.byteLength === 0) return { received };
    const isAdded = await files.append(of, offset, bytes);
    return { received: isAdded ? offset + bytes.byteLength : await files.size(of) };
  }

  /** The bytes that have arrived, in order. @throws {PersonErased | VaultUnavailable} */
  content(of: FileOf): AsyncIterable<Buffer> {
    return this.vault.files.read(of);
  }

  /** Destroys what has arrived, if anything has. @throws {VaultUnavailable} */
  discard(of: FileOf): Promise<void> {
    return this.vault.files.discard(of);
  }

  /**
   * Unpacks what has arrived, and lists its files. If it is not what was announced, it is discarded and refused: the upload
   * may begin again. After any other refusal it is kept. If the refusal is final (`isFinal`), the caller records it and
   * calls `discard`. Otherwise the caller leaves the content: another request may succeed with it.
   * @param name what the sender calls the file
   * @throws {PersonErased | VaultUnavailable}
   * @throws {StoreUnavailable} too many others are unpacked
   */
  async manifest(
    of: FileOf,
    announced: Announced,
    name: string,
    limits: TreeLimits,
  ): Promise<readonly TreeFile[] | Refused> {
    return this.inTurn(async () => {
      if ((await this.received(of)) < announced.bytes) return INCOMPLETE;
      const files = await manifest(announced.sha256, name, this.content(of), limits);
      if (files !== null) return files;
      // Another completion may have discarded it meanwhile, and the sender have sent it again.
      if (!(await this.isOther(of, announced))) return INCOMPLETE;
      await this.discard(of);
      return OTHER_CONTENT;
    });
  }

  /**
   * Unpacks again what `manifest` has listed.
   * @param recorded what the sender calls the file, and the hash of the tree as it was recorded
   * @returns the tree of that hash, without folders around it; a refusal if it cannot be unpacked, as on a machine that is
   *   too busy
   * @throws {PersonErased | VaultUnavailable | BrokenSeal}
   * @throws {StoreUnavailable} too many others are unpacked
   */
  async tree(
    of: FileOf,
    { name, treeSha256 }: { readonly name: string; readonly treeSha256: string },
    limits: TreeLimits,
  ): Promise<Tree | Refused> {
    const tree = await this.inTurn(() => unpack(name, this.content(of), limits));
    return isRefused(tree) ? tree : (treeOfHash(tree, treeSha256) ?? NOT_AS_RECORDED);
  }

  /** Whether all of an upload is stored now, and is not what was announced. */
  private async isOther(of: FileOf, { bytes, sha256 }: Announced): Promise<boolean> {
    const hash = createHash('sha256');
    let read = 0;
    for await (const piece of this.content(of)) {
      hash.update(piece);
      read += piece.byteLength;
    }
    return read >= bytes && hash.digest('hex') !== sha256;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.reading.acquire(this.patience);
    if (release === null) throw notBegun();
    try {
      return await work();
    } finally {
      release();
    }
  }
}

/** Whether the same bytes will always be refused. If a busy machine took too long over them, they may be accepted later. */
export const isFinal = (refused: Refused): boolean =>
  refused.refusal.code === ('work_refused' satisfies RefusalCode) && refused !== EXCEEDED;

/** The error if `tree` refuses: the work was unpacked before, so the machine must be busy. */
export const notUnpackedNow = (): StoreUnavailable =>
  new StoreUnavailable('A hand-in cannot be unpacked now.');

/** One `Uploads` for the process, so that its limit holds for all kinds of uploads together. */
@Module({
  providers: [
    { provide: Uploads, inject: [VAULT], useFactory: (vault: Pick<Vault, 'files'>) => new Uploads(vault) },
  ],
  exports: [Uploads],
})
export class UploadsModule {}

/** The part of a tree that has the hash: the whole, or a folder that has all of its files; `null`: none has. */
const treeOfHash = (tree: Tree, sha256: string): Tree | null => {
  const paths = tree.files.map(({ path }) => path);
  for (const folder of commonFolders(paths)) {
    const inside = inFolder(tree, folder);
    if (treeHash(inside.files) === sha256) return inside;
  }
  return null;
};

const NOT_AS_RECORDED = refuse<RefusalCode>(
  'work_refused',
  'What is stored is not what was recorded when it arrived.',
);

const INCOMPLETE = refuse<RefusalCode>(
  'hand_in_incomplete',
  'Not all of the content has arrived: go on where `received` says, then complete it.',
);

const OTHER_CONTENT = refuse<RefusalCode>(
  'hand_in_incomplete',
  'What arrived is not what was announced, and was discarded: send all of it again from its beginning.',
);
