import type { VaultEntry } from '../../vault/archive.js';
import type { AudioOf } from '../../vault/port.js';
import type { PersonId } from '../../core/vault/port.js';
import { OperatorError } from '../cli/program.js';
import type { Patience } from './patience.js';
import type { Side } from './side.js';
import { entryDigest, TurnDigest, vaultDigest } from './digests.js';

/** Writes in flight at once: most of a write's time is waiting for the disk. */
const AT_ONCE = 16;

/** A vault's content, for comparing. */
export interface VaultContent {
  readonly entries: number;
  /** How many of them are chunks of audio. */
  readonly chunks: number;
  readonly sha256: string;
}

interface Sides {
  readonly source: Side;
  readonly target: Side;
}

/** What is compared as one: an entry, or all chunks of a turn, which are too many to compare one by one. */
interface Unit {
  readonly last: VaultEntry;
  readonly digest: string;
  readonly entries: number;
}

/** Copies a vault's entries unopened: what is wrapped stays wrapped, and what is sealed stays sealed. */
export class VaultCopy {
  /** Digests of the entries that the target holds, chunks of audio excepted. */
  readonly #held = new Set<string>();
  /** The last frame that the target holds of each turn with audio, by `turnOf`. */
  readonly #heard = new Map<string, number>();
  /** Turns whose audio in the target differs from the source: cut off, or discarded in the source since. */
  readonly #stale = new Map<string, AudioEntry>();

  constructor(
    private readonly sides: Sides,
    private readonly patience: Patience,
  ) {}

  /**
   * @throws {OperatorError} the target's vault holds what the source's does not. Two exceptions, after an earlier copy:
   *   entries of a person erased in the source since go with the tombstone, and audio that changed is copied again
   * @returns how many entries the target lacks
   */
  async compare(): Promise<number> {
    const counts = new Map<string, number>();
    const erased = new Set<PersonId>();
    const ends = new Map<string, number>();
    await this.units(this.sides.source, ({ last, digest, entries }) => {
      counts.set(digest, entries);
      if (last.kind === 'erased') erased.add(last.person);
      if (last.kind === 'audio_end') ends.set(sessionOf(last), last.lastSeq);
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
      if (!isAudio || (ends.get(sessionOf(last)) ?? 0) < last.lastSeq)
        throw new OperatorError(
          `The target holds something else: its vault has ${naming(last)} that the source’s has not. Copy to an empty place on which no service was started.`,
        );
      if (last.kind === 'audio') this.#stale.set(turnOf(last), last);
    });
    return sum([...counts].map(([digest, entries]) => (held.has(digest) ? 0 : entries)));
  }

  /** Copies what the target lacks, tombstones first. @returns how many entries */
  async carry(copied: (entries: number) => void = () => undefined): Promise<number> {
    const { source, target } = this.sides;
    for (const [key, stale] of this.#stale) {
      await this.patience.persist(`${target.name}’s vault`, () =>
        target.vault.audio.discard(stale, stale.turn),
      );
      this.#stale.delete(key);
    }
    let carried = 0;
    const failures: unknown[] = [];
    const waiting = new Set<Promise<void>>();
    const put = async (entry: VaultEntry, digest: string): Promise<void> => {
      await this.patience.persist(`${target.name}’s vault`, () => target.vault.put(entry));
      this.hold(entry, digest);
      copied(++carried);
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
    const counts = new Map<string, { readonly entries: number; readonly chunks: number }>();
    await this.units(
      side,
      ({ last, digest, entries }) =>
        void counts.set(digest, { entries, chunks: last.kind === 'audio' ? entries : 0 }),
    );
    const all = [...counts.values()];
    return {
      entries: sum(all.map(({ entries }) => entries)),
      chunks: sum(all.map(({ chunks }) => chunks)),
      sha256: vaultDigest(counts.keys()),
    };
  }

  private hold(entry: VaultEntry, digest: string): void {
    if (entry.kind !== 'audio') this.#held.add(digest);
    else this.#heard.set(turnOf(entry), Math.max(entry.lastSeq, this.#heard.get(turnOf(entry)) ?? 0));
  }

  /** Chunks in flight count as held: if one fails, the whole copy fails. */
  private holds(entry: VaultEntry, digest: string): boolean {
    if (entry.kind !== 'audio') return this.#held.has(digest);
    return entry.lastSeq <= (this.#heard.get(turnOf(entry)) ?? 0);
  }

  /** A vault's content by units of comparison; from the first again if the vault did not answer in between. */
  private async units(side: Side, take: (unit: Unit) => void): Promise<void> {
    let turn: { last: AudioEntry; entries: number; readonly digest: TurnDigest } | null = null;
    const taken = (): void => {
      if (turn) take({ ...turn, digest: turn.digest.value() });
      turn = null;
    };
    await this.each(
      side,
      async (entry, digest) => {
        if (turn && (entry.kind !== 'audio' || turnOf(entry) !== turnOf(turn.last))) taken();
        if (entry.kind !== 'audio') {
          take({ last: entry, digest, entries: 1 });
          return;
        }
        turn ??= { last: entry, entries: 0, digest: new TurnDigest() };
        turn.last = entry;
        turn.entries++;
        turn.digest.add(digest);
      },
      () => (turn = null),
    );
    taken();
  }

  /** Every entry of a vault; from the first again if the vault did not answer in between. */
  private async each(
    { name, vault }: Side,
    take: (entry: VaultEntry, digest: string) => Promise<void>,
    begin: () => void = () => undefined,
  ): Promise<void> {
    await this.patience.persist(`${name}’s vault`, async () => {
      begin();
      for await (const entry of vault.entries()) {
        this.patience.assertWanted();
        await take(entry, entryDigest(entry));
      }
    });
  }
}

type AudioEntry = Extract<VaultEntry, { kind: 'audio' }>;

const sessionOf = ({ person, trialSessionId }: AudioOf): string => `${person} ${trialSessionId}`;
const turnOf = (entry: AudioEntry): string => `${sessionOf(entry)} ${entry.turn}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The person whose erasure removes it. */
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
      return `audio of session ${entry.trialSessionId}`;
    default:
      return 'a look-up';
  }
};
