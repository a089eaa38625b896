import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { VaultUnavailable } from '../../core/errors.js';
import { newId } from '../../core/random.js';
import type { ReadEntry, Reader, ReadPlace, Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';

/** Names the evaluation that was read. */
export interface ReadEvaluation {
  readonly organisationId: string;
  readonly evaluationId: string;
}

/** A generation of an evaluation whose result is shown, in a list or a file. */
export interface ShownGeneration extends ReadEvaluation {
  readonly generation: number;
  /** `null`: there is no result to read. */
  readonly generatedAt: string | null;
}

/** A read that is not recorded yet; `done` and `fail` settle the promise of its caller. */
interface Waiting {
  readonly entry: ReadEntry;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/** Maximum number of entries that go in one write. */
const MAX_AT_ONCE = 500;
/** Maximum number of entries that wait to be written: far more than the requests that a process has open. */
const MAX_WAITING = 10_000;
/** Maximum number of generations with a reader in memory: a page that is read again does not search the vault again. */
const MAX_REMEMBERED = 20_000;
/** Reads of an evaluation in one page of the search. */
const SEARCHED_READS = 100;

/**
 * Records in the vault who reads an evaluation. Callers wait for it before they answer. One write runs at a time, and the
 * next write has all reads that came meanwhile, so that many readers cost the vault hardly more than one.
 */
@Injectable()
export class EvaluationReadRecorder {
  private waiting: Waiting[] = [];
  private writing = false;
  private readonly remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'reads'>) {}

  /**
   * The read is durable once this resolves. If a write fails, the reads that wait for the next one fail too, so that no
   * read waits for two deadlines.
   * @throws {VaultUnavailable} it could not be recorded, so nothing may be shown: the vault failed, or too many reads wait
   */
  record(evaluation: ReadEvaluation, reader: Reader): Promise<void> {
    return this.recordAll([evaluation], reader);
  }

  /**
   * Records, in one write, who is shown these generations by a list: each once for a reader. A generation whose
   * evaluation they have read since it was generated counts as read.
   * @throws {VaultUnavailable} as `record`
   */
  async recordOnce(shown: readonly ShownGeneration[], reader: Reader): Promise<void> {
    const unknown = shown.filter(
      (one) => one.generatedAt !== null && !this.remembered.has(nameOf(one, reader)),
    );
    const known = await Promise.all(unknown.map((one) => this.wasRead(one, reader)));
    await this.recordAll(
      unknown.filter((_, n) => !known[n]),
      reader,
    );
    for (const one of unknown) this.remembered.set(nameOf(one, reader), true);
  }

  /**
   * Records, in one write, who is shown these generations, however often they were before.
   * @throws {VaultUnavailable} as `record`
   */
  recordResults(shown: readonly ShownGeneration[], reader: Reader): Promise<void> {
    return this.recordAll(
      shown.filter(({ generatedAt }) => generatedAt !== null),
      reader,
    );
  }

  /** Whether the reader has read the evaluation since the generation was made. */
  private async wasRead({ evaluationId, generatedAt }: ShownGeneration, reader: Reader): Promise<boolean> {
    for (let before: ReadPlace | null = null; ;) {
      const entries = await this.vault.reads.list(evaluationId, { limit: SEARCHED_READS, before });
      const since = entries.filter(({ at }) => at >= (generatedAt ?? ''));
      if (since.some(({ actor }) => actor.type === reader.type && actor.id === reader.id)) return true;
      if (since.length < SEARCHED_READS) return false;
      before = since.at(-1) ?? null;
    }
  }

  private async recordAll(evaluations: readonly ReadEvaluation[], { type, id }: Reader): Promise<void> {
    if (evaluations.length === 0) return;
    if (this.waiting.length >= MAX_WAITING)
      throw new VaultUnavailable('Too many reads wait to be recorded: try again.');
    const at = new Date().toISOString();
    const stored = evaluations.map(({ organisationId, evaluationId }) => {
      const entry: ReadEntry = { id: newId(), evaluationId, organisationId, actor: { type, id }, at };
      return new Promise<void>((done, fail) => this.waiting.push({ entry, done, fail }));
    });
    if (!this.writing) void this.write();
    await Promise.all(stored);
  }

  /** Writes batch after batch until no read waits. */
  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_AT_ONCE);
      try {
        await this.vault.reads.record(batch.map(({ entry }) => entry));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { fail } of [...batch, ...this.waiting.splice(0)]) fail(error);
      }
    }
    this.writing = false;
  }
}

const nameOf = ({ evaluationId, generation }: ShownGeneration, { type, id }: Reader): string =>
  `${evaluationId} ${generation} ${type} ${id}`;
