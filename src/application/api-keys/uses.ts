import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { DAY_MS } from '../../core/timestamp.js';
import { MAX_DAYS } from '../../domain/api-key/decider.js';
import type { Vault } from '../../vault/port.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { VAULT } from '../tokens.js';

/** A use within this time after the recorded one is not recorded. */
const EVERY_MS = 60_000;
/** How long uses are kept: longer than any key is valid. */
const KEPT_SECONDS = (2 * MAX_DAYS * DAY_MS) / 1_000;
/** Maximum number of keys in memory whose use was recorded. */
const REMEMBERED_KEYS = 10_000;

/**
 * When API keys were last used: in the vault, since an event for each request would fill the log. It only shows staff
 * which keys are still needed, so a request neither waits for it nor fails with it.
 */
@Injectable()
export class ApiKeyUses {
  private readonly records: SealedRecords;
  /** By key, when this process last began to record a use. */
  private readonly recorded = new LRUCache<string, number>({ max: REMEMBERED_KEYS });

  constructor(@Inject(VAULT) vault: Pick<Vault, 'shortLived'>, hasher: KeyedHasher) {
    this.records = new SealedRecords(vault, hasher);
  }

  /** Records a use in the background, unless one was recorded within the last minute. */
  record(apiKeyId: string, now: Date): void {
    const at = now.getTime();
    if (isRecent(this.recorded.get(apiKeyId), at)) return;
    this.recorded.set(apiKeyId, at);
    const latest = (before: string | null) =>
      before !== null && isRecent(Date.parse(before), at)
        ? { answer: undefined }
        : { answer: undefined, to: { value: now.toISOString(), seconds: KEPT_SECONDS } };
    this.records.update<string, undefined>('api key use', apiKeyId, latest).catch(() => {
      this.recorded.delete(apiKeyId);
    });
  }

  /** To the minute; `null`: never, or not since its vault was restored from a backup. */
  lastUsedAt(apiKeyId: string): Promise<string | null> {
    return this.records.get<string>('api key use', apiKeyId);
  }
}

/** Whether a recorded use is within `EVERY_MS` of this one. One that is further ahead was recorded by a wrong clock. */
const isRecent = (recorded: number | undefined, at: number): boolean =>
  recorded !== undefined && Math.abs(at - recorded) < EVERY_MS;
