import { createHash, randomUUID } from 'node:crypto';
import type { EncodedEvent, EventStore, Revision, StreamName } from '../../src/core/event-store.js';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import type { PersonId } from '../../src/core/vault/port.js';
import type { Vault, ReadEntry } from '../../src/vault/port.js';
import { Random } from '../../tools/simulate/random.js';

/** Concurrent appends while a log is filled. */
const AT_ONCE = 64;

const TEXT = 'Größe, 試験, “quotes”, \u0000 and a \\ or two; ';

const made = (random: Random): EncodedEvent => ({
  id: randomUUID(),
  type: random.pick(['activity.recorded', 'trial.started', 'evaluation.generated', 'ereignis.geschehen-é']),
  data: Buffer.from(JSON.stringify({ text: TEXT.repeat(random.between(0, 12)), n: random.next() })),
  metadata: Buffer.from(JSON.stringify({ schemaVersion: 1, recordedAt: '2026-01-01T00:00:00.000Z' })),
});

/** Fills a log with `count` events of many streams, in appends of one to five events, some of them large. */
export const fillLog = async (log: EventStore, events: number, seed = 1): Promise<void> => {
  const random = new Random(seed);
  const heads = new Map<StreamName, Revision>();
  let left = events;
  while (left > 0) {
    const wave = new Map<StreamName, EncodedEvent[]>();
    for (let appends = 0; appends < AT_ONCE && left > 0; appends++) {
      const stream = `trial-${random.between(0, Math.ceil(events / 15))}` as StreamName;
      if (wave.has(stream)) continue;
      const count = Math.min(left, random.between(1, 5));
      wave.set(
        stream,
        Array.from({ length: count }, () => made(random)),
      );
      left -= count;
    }
    await Promise.all(
      [...wave].map(async ([stream, batch]) => {
        const outcome = await log.append(stream, heads.get(stream) ?? 'no-stream', batch);
        if (outcome.kind === 'conflict') throw new Error(`${stream} is written to by something else.`);
        heads.set(stream, outcome.revision);
      }),
    );
  }
};

const hashOf = (text: string): KeyedHash => createHash('sha256').update(text).digest('hex') as KeyedHash;

/** Two reads of a person's evaluation. */
const readsOf = (index: number): readonly ReadEntry[] =>
  (['staff', 'candidate'] as const).map((type, second) => ({
    id: `read-${index}-${second}`,
    evaluationId: `evaluation-${index}`,
    organisationId: `org-${index % 3}`,
    actor: { type, id: `reader-${index % 2}` },
    at: `2026-01-01T00:00:0${second}.000Z`,
  }));

/** Fills a vault with secrets and with persons, their look-ups, reads and files. Every seventh person is erased. */
export const fillVault = async (vault: Vault, persons: number): Promise<void> => {
  await vault.secret('look-ups', () => Buffer.alloc(32, 7));
  await vault.secret('requests', () => Buffer.alloc(32, 8));
  for (let index = 0; index < persons; index++) {
    const person = `person-${index}` as PersonId;
    const organisationId = `org-${index % 3}`;
    await vault.keys.create(person);
    await vault.identities.swap(hashOf(`${organisationId} ${index}`), null, person);
    await vault.carriers.add(hashOf(`e-mail ${index % 5}`), { person, kind: 'candidate', organisationId });
    await vault.claims.claim(hashOf(`invitation ${index}`), person);
    await vault.reads.record(readsOf(index));
    // As a logo is stored: under a key of its own, in more than one piece.
    const logo = { person, fileId: `logo-org-${index}` };
    await vault.files.append(logo, 0, Buffer.alloc(3_000, index));
    await vault.files.append(logo, 3_000, Buffer.alloc(1_000, 255 - index));
    if (index % 7 === 6) await vault.keys.erase(person);
  }
};
