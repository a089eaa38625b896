import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCodec } from '../../src/core/codec.js';
import type { StreamName } from '../../src/core/event-store.js';
import type { KeyedHash } from '../../src/core/keyed-hash.js';
import { Sealer } from '../../src/core/sealing.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';

/*
 * A process that uses a data folder as a service does, until it is killed: `<DATA_DIR> <DATA_KEY> <pause in ms>`.
 * For each of its people it makes a key and look-ups, appends events with a sealed part, records audio, and erases
 * every fourth person later on. Prints one JSON line for each person's events, and one for each erasure, once done.
 */
const [folder = '', dataKey = '', pause = '0'] = process.argv.slice(2);
const log = await openEmbeddedLog(join(folder, 'log'));
const vault = await openEmbeddedVault(join(folder, 'vault'), Buffer.from(dataKey, 'hex'));
const codec = createCodec(eventRegistry, new Sealer(vault));
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const hashOf = (person: string): KeyedHash => person.replaceAll('-', '').repeat(2) as KeyedHash;

const bound = async (person: PersonId) => {
  const data = { organisationId: randomUUID(), candidateId: person };
  const { encoded } = await codec.encode(
    [{ type: 'candidate.bound', data, person, personal: { subject: `subject of ${person}` } }],
    {
      recordedAt: new Date().toISOString(),
      actor: { type: 'system', id: 'test' },
      commandId: randomUUID(),
      requestHash: null,
      correlationId: 'test',
      causationId: null,
    },
  );
  return encoded[0]!;
};

process.stdin.on('close', () => process.exit(0)).resume();
const people: PersonId[] = [];
for (let count = 1; ; count++) {
  const person = randomUUID() as PersonId;
  await vault.keys.create(person);
  const ref = { person, kind: 'candidate', organisationId: 'o' } as const;
  await vault.identities.swap(hashOf(person), null, person);
  await vault.carriers.add(hashOf(person), ref);
  const events = [await bound(person), await bound(person)];
  const outcome = await log.append(`candidate-${person}` as StreamName, 'no-stream', events);
  if (outcome.kind === 'conflict') throw new Error('A fresh stream is not there yet.');
  const chunk = { turn: 1, firstSeq: 1, lastSeq: 2, timestampMs: 0, endOfTurn: true, answerGapMs: null };
  await vault.audio.append({ person, trialSessionId: 's' }, 0, { ...chunk, pcm: Buffer.alloc(1_280, 1) });
  say({ kind: 'acknowledged', person, ids: events.map(({ id }) => id) });
  people.push(person);
  const former = count % 4 === 0 ? people[count - 4] : undefined;
  if (former !== undefined) {
    await vault.keys.erase(former);
    say({ kind: 'erased', person: former });
  }
  await sleep(Number(pause));
}
