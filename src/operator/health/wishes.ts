import { eventRegistry } from '../../domain/event-registry.js';
import { createCodec } from '../../core/codec.js';
import { CommandStreams } from '../../core/handle.js';
import type { EventStore } from '../../core/event-store.js';
import type { Operations } from '../../engine/operations.js';
import { Sealer } from '../../core/vault/sealing.js';
import type { Vault } from '../../core/vault/port.js';
import { operator } from '../../domain/operations/decider.js';
import { OPERATOR_STREAM } from '../../process/operations/operations.js';

const refuse = (): Promise<never> => Promise.reject(new TypeError('The operator’s stream needs no key.'));

/** Nothing in the operator's stream is personal. */
const noKeys: Pick<Vault, 'keys'> = { keys: { create: refuse, get: refuse, erase: refuse } };

/** What operators want, read from the log alone. */
export const wishesIn = (eventStore: EventStore): Pick<Operations, 'look'> => {
  const streams = new CommandStreams(eventStore, createCodec(eventRegistry, new Sealer(noKeys)));
  return {
    look: async () => {
      const { open, paused, skipped } = (await streams.read(operator, OPERATOR_STREAM)).state;
      return { open: [...open.values()], paused, skipped: (view) => skipped.get(view) ?? new Set() };
    },
  };
};
