import type { PersonId } from '../../core/vault/port.js';
import type { ArchivableVault, VaultEntry } from '../../vault/archive.js';
import type { ChunksOf } from '../../vault/sealed-chunks.js';
import { OperatorError } from '../cli/program.js';
import { ChunksDigest, entryDigest, vaultDigest } from './digests.js';
import type { Retries } from './retries.js';
import type { Side } from './side.js';

/** How many writes are in flight at the same time: a write mostly waits for the disk. */
const AT_ONCE = 16;

/** A vault's content, for comparison. */
export interface VaultContent {
  readonly entries: number;
  /** How many of them are chunks of audio. */
  readonly chunks: number;
  /** How many of them are pieces of files. */
  readonly pieces: number;
  readonly sha256: string;
}

interface Sides {
  readonly source: Side;
  readonly target: Side;
}

/** A unit of comparison: an entry, or all chunks of a turn or a file, which are too many to compare one by one. */
interface Unit {
  readonly last: VaultEntry;
  readonly digest: string;
  readonly entries: number;
}

/** Copies a vault's entries without decrypting them. */
export class VaultCopy {
  /** Digests of the entries in the target, except chunks. */
  readonly #held = new Set<string>();
  /** The last frame or byte of each turn or file in the target, by `partOf`. */
  readonly #reached = new Map<string, number>();
  /** Turns and files that differ in the target: they are incomplete, or were discarded in the source since. */
  readonly #stale = new Map<string, ChunkEntry>();

  constructor(
    private readonly sides: Sides,
    private readonly retries: Retries,
  ) {}

  /**
   * Compares both vaults.
   * @throws {OperatorError} the target's vault has entries that the source's does not. Two exceptions after an earlier
   *   copy: entries of a person who was erased in the source since are removed with the tombstone, and changed audio and
   *   files are copied again
   * @returns how many entries the target lacks
   */
  async compare(): Promise<number> {
    const counts = new Map<string, number>();
    const erased = new Set<PersonId>();
    const keys = new Set<PersonId>();
    const ends = new Map<string, number>();
    await this.units(this.sides.source, ({ last, digest, entries }) => {
      counts.set(digest, entries);
      if (last.kind === 'erased') erased.add(last.person);
      if (last.kind === 'key') keys.add(last.person);
      if (last.kind === 'audio_end') ends.set(logOf(last), last.lastSeq);
    });
    const held = new Set<string>();
    await this.units(this.sides.target, ({ last, digest }) => {
      if (counts.has(digest)) {
        held.add(digest);
        this.hold(last, digest);
        return;
      }
      const person = personOf(last);
      if (last.kind !== 'erased' && person !== null && erased.has(person)) return;
      const isAudio = last.kind === 'audio' || last.kind === 'audio_end';
      const isOlder = isAudio
        ? (ends.get(logOf(last)) ?? 0) >= last.lastSeq
        : last.kind === 'file' && keys.has(last.person);
      if (!isOlder)
        throw new OperatorError(
          `The target holds something else: its vault has ${naming(last)} that the source’s has not. Copy to an empty place on which no service was started.`,
        );
      if (isChunk(last)) this.#stale.set(partOf(last), last);
    });
    return sum([...counts].map(([digest, entries]) => (held.has(digest) ? 0 : entries)));
  }

  /**
   * Copies the entries that the target lacks, tombstones first.
   * @param onDone called with the number of entries that this call has copied so far. Default: nothing is
   * @returns how many entries
   */
  async carry(onDone: (entries: number) => void = () => undefined): Promise<number> {
    const { source, target } = this.sides;
    for (const [key, stale] of this.#stale) {
      await this.retries.persist(`${target.name}’s vault`, () => discardIn(target.vault, stale));
      this.#stale.delete(key);
    }
    let carried = 0;
    const failures: unknown[] = [];
    const waiting = new Set<Promise<void>>();
    const put = async (entry: VaultEntry, digest: string): Promise<void> => {
      await this.retries.persist(`${target.name}’s vault`, () => target.vault.put(entry));
      this.hold(entry, digest);
      onDone(++carried);
    };
    await this.each(source, async (entry, digest) => {
      if (this.holds(entry, digest)) return;
      if (entry.kind === 'erased') return put(entry, digest);
      while (waiting.size >= AT_ONCE) await Promise.race(waiting);
      if (failures.length > 0) throw failures[0];
      const one: Promise<void> = put(entry, digest)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => waiting.delete(one));
      waiting.add(one);
    }).finally(() => Promise.all(waiting));
    if (failures.length > 0) throw failures[0];
    return carried;
  }

  async content(side: Side): Promise<VaultContent> {
    const counts = new Map<string, { readonly kind: VaultEntry['kind']; readonly entries: number }>();
    await this.units(
      side,
      ({ last: { kind }, digest, entries }) => void counts.set(digest, { kind, entries }),
    );
    const all = [...counts.values()];
    const countOf = (counted: VaultEntry['kind']): number =>
      sum(all.map(({ kind, entries }) => (kind === counted ? entries : 0)));
    return {
      entries: sum(all.map(({ entries }) => entries)),
      chunks: countOf('audio'),
      pieces: countOf('file'),
      sha256: vaultDigest(counts.keys()),
    };
  }

  private hold(entry: VaultEntry, digest: string): void {
    if (!isChunk(entry)) this.#held.add(digest);
    else this.#reached.set(partOf(entry), Math.max(entry.lastSeq, this.#reached.get(partOf(entry)) ?? 0));
  }

  /** Whether the target has the entry. Chunks in flight count: if one fails, the whole copy fails. */
  private holds(entry: VaultEntry, digest: string): boolean {
    if (!isChunk(entry)) return this.#held.has(digest);
    return entry.lastSeq <= (this.#reached.get(partOf(entry)) ?? 0);
  }

  /** Reads a vault by units of comparison. If the vault does not answer in between, starts again from the first. */
  private async units(side: Side, take: (unit: Unit) => void): Promise<void> {
    let part: { last: ChunkEntry; entries: number; readonly digest: ChunksDigest } | null = null;
    const taken = (): void => {
      if (part) take({ ...part, digest: part.digest.value() });
      part = null;
    };
    await this.each(
      side,
      async (entry, digest) => {
        if (part && (!isChunk(entry) || partOf(entry) !== partOf(part.last))) taken();
        if (!isChunk(entry)) {
          take({ last: entry, digest, entries: 1 });
          return;
        }
        part ??= { last: entry, entries: 0, digest: new ChunksDigest() };
        part.last = entry;
        part.entries++;
        part.digest.add(digest);
      },
      () => (part = null),
    );
    taken();
  }

  /** Reads all entries of a vault. If the vault does not answer in between, starts again from the first. */
  private async each(
    { name, vault }: Side,
    take: (entry: VaultEntry, digest: string) => Promise<void>,
    begin: () => void = () => undefined,
  ): Promise<void> {
    await this.retries.persist(`${name}’s vault`, async () => {
      begin();
      for await (const entry of vault.entries()) {
        this.retries.assertWanted();
        await take(entry, entryDigest(entry));
      }
    });
  }
}

type ChunkEntry = Extract<VaultEntry, { kind: 'audio' | 'file' }>;

const isChunk = (entry: VaultEntry): entry is ChunkEntry => entry.kind === 'audio' || entry.kind === 'file';
const logOf = ({ person, log }: ChunksOf): string => `${person} ${log}`;
/** The key of a turn or a file: its kind, owner and id. */
const partOf = (entry: ChunkEntry): string => `${entry.kind} ${logOf(entry)} ${entry.part}`;
const discardIn = (vault: ArchivableVault, { kind, person, log, part }: ChunkEntry): Promise<void> =>
  kind === 'audio'
    ? vault.audio.discard({ person, trialSessionId: log }, part)
    : vault.files.discard({ person, fileId: log });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The person whose erasure removes the entry; `null`: no erasure does. */
const personOf = (entry: VaultEntry): PersonId | null => {
  if (entry.kind === 'secret' || entry.kind === 'claim' || entry.kind === 'read') return null;
  return entry.kind === 'carrier' ? entry.person.person : entry.person;
};

const naming = (entry: VaultEntry): string => {
  switch (entry.kind) {
    case 'key':
      return `a key of person ${entry.person}`;
    case 'erased':
      return `an erasure of person ${entry.person}`;
    case 'secret':
      return `a secret ${JSON.stringify(entry.name)}`;
    case 'read':
      return `a read of evaluation ${entry.entry.evaluationId}`;
    case 'audio_end':
    case 'audio':
      return `audio of session ${entry.log}`;
    case 'file':
      return `content of file ${entry.log}`;
    default:
      return 'a look-up';
  }
};
