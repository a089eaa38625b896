import { Inject, Injectable } from '@nestjs/common';
import { VaultUnavailable } from '../../core/errors.js';
import { newId } from '../../core/new-id.js';
import { VAULT } from '../tokens.js';
import type { ReadEntry, Reader, Vault } from '../../vault/port.js';

/** An evaluation as a record of who read it names it. */
export interface ReadEvaluation {
  readonly organisationId: string;
  readonly evaluationId: string;
}

interface Waiting {
  readonly entry: ReadEntry;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** Most entries that go in one write. */
const MAX_AT_ONCE = 500;
/** Most that wait for theirs: as many requests as a process can have open by far. */
const MAX_WAITING = 10_000;

/**
 * Records who reads an evaluation, before the answer. One write runs at a time, and the reads that come meanwhile go
 * together in the next, so that many readers cost the vault hardly more than one.
 */
@Injectable()
export class EvaluationReads {
  private waiting: Waiting[] = [];
  private writing = false;

  constructor(@Inject(VAULT) private readonly vault: Pick<Vault, 'reads'>) {}

  /**
   * Durable when it answers.
   * @throws {VaultUnavailable} it could not be recorded, so that nothing may be shown; too many wait, or the vault
   *   failed while this one waited: none is kept for a second deadline
   */
  record({ organisationId, evaluationId }: ReadEvaluation, { type, id }: Reader): Promise<void> {
    if (this.waiting.length >= MAX_WAITING)
      return Promise.reject(new VaultUnavailable('Too many reads wait to be recorded: try again.'));
    const at = new Date().toISOString();
    const entry: ReadEntry = { id: newId(), evaluationId, organisationId, actor: { type, id }, at };
    return new Promise((settle, fail) => {
      this.waiting.push({ entry, settle, fail });
      if (!this.writing) void this.write();
    });
  }

  /** Writes batch after batch until no read waits. */
  private async write(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_AT_ONCE);
      try {
        await this.vault.reads.record(batch.map(({ entry }) => entry));
        for (const { settle } of batch) settle();
      } catch (error) {
        for (const { fail } of [...batch, ...this.waiting.splice(0)]) fail(error);
      }
    }
    this.writing = false;
  }
}
