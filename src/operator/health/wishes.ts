import { eventRegistry } from '../../app/event-registry.js';
import { createCodec } from '../../event-store/codec.js';
import { CommandStreams } from '../../event-store/handle.js';
import type { EventStore } from '../../event-store/port.js';
import type { Operations } from '../../projection-engine/operations.js';
import { Sealer } from '../../vault/sealing.js';
import type { Vault } from '../../vault/port.js';
import { operator } from '../decider.js';
import { OPERATOR_STREAM } from '../operations.js';

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
