import { setTimeout as sleep } from 'node:timers/promises';
import type { Codec } from '../../src/core/codec.js';
import type { EventStore, Position } from '../../src/core/event-store.js';
import { lowest, newGeneration, positionsOf } from '../../src/engine/generations/generations.js';
import { building, ensurePointer } from '../../src/engine/generations/pointer.js';
import { silentLog } from '../../src/engine/log.js';
import type { ReadStore } from '../../src/stores/read-store.js';
import { startProjector } from '../../test/support/alone.js';
import { sealer, sessions } from './sessions.js';

/** Builds a generation beside an empty one, as a rebuild does, until it has reached `head`. */
export async function rebuildSessions(
  eventStore: EventStore,
  readStore: ReadStore,
  codec: Codec,
  head: Position,
): Promise<void> {
  const pointer = await ensurePointer({ eventStore, readStore, log: silentLog }, sessions, 1);
  const generation = await newGeneration({ eventStore, readStore }, sessions, 1);
  const asked = building(pointer, generation, { operation: null, hold: true });
  await readStore.pointers.swap(sessions.name, pointer.revision, asked);
  const projector = startProjector({
    eventStore,
    readStore,
    codec,
    sealer,
    views: [sessions],
    feeds: 'building',
    owner: 'bench',
  });
  while (lowest(await positionsOf(readStore, generation)) < head) await sleep(2);
  await projector.stop();
}
