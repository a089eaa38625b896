import {
  assertEvaluationId,
  assertReadEntry,
  assertReadPlace,
  type ReadEntry,
  type ReadLog,
  type ReadsPage,
} from '../../core/vault/read-entry.js';
import { type Environment, type Inside, KEPT_BACK } from './environment.js';

/** Of an entry, at most. */
const ENTRY_BYTES = 1024;

/** What stands under a read's key. */
type Value = Pick<ReadEntry, 'organisationId' | 'actor'>;

/** Who read which evaluation, in the environment: `read <evaluation> <time> <id>`. */
export class ReadEntries implements ReadLog {
  constructor(private readonly environment: Environment) {}

  async record(entries: readonly ReadEntry[]): Promise<void> {
    if (entries.length === 0) return;
    entries.forEach(assertReadEntry);
    const effect = ({ get, put }: Inside): void => {
      for (const entry of entries) if (!get(keyOf(entry))) put(keyOf(entry), valueOf(entry));
    };
    const cost = { changes: entries.length, bytes: entries.length * ENTRY_BYTES };
    await this.environment.transact(effect, { ...KEPT_BACK, cost });
  }

  async list(evaluationId: string, { limit, before }: ReadsPage): Promise<readonly ReadEntry[]> {
    assertEvaluationId(evaluationId);
    if (before) assertReadPlace(before);
    const edge = before ? keyOf({ ...before, evaluationId }) : undefined;
    return this.environment.last(['read', evaluationId], limit, edge).map(entryOf);
  }

  /** What stands in an entry's place. */
  get(entry: ReadEntry): ReadEntry | null {
    const value = this.environment.get(keyOf(entry));
    return value === undefined ? null : entryOf({ key: keyOf(entry), value });
  }

  *all(): Iterable<ReadEntry> {
    for (const entry of this.environment.walk(['read'])) yield entryOf(entry);
  }
}

const keyOf = ({ evaluationId, at, id }: Pick<ReadEntry, 'evaluationId' | 'at' | 'id'>): string[] => [
  'read',
  evaluationId,
  at,
  id,
];

const valueOf = ({ organisationId, actor: { type, id } }: ReadEntry): Value => ({
  organisationId,
  actor: { type, id },
});

const entryOf = ({ key, value }: { readonly key: readonly string[]; readonly value: unknown }): ReadEntry => {
  const [, evaluationId = '', at = '', id = ''] = key;
  const { organisationId, actor } = value as Value;
  return { id, evaluationId, organisationId, actor, at };
};
