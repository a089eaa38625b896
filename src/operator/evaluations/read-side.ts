import { eventRegistry } from '../../app/event-registry.js';
import { readConfiguration } from '../../app/config.js';
import { serviceKeys } from '../../app/secret-files.js';
import { type Codec, createCodec } from '../../event-store/codec.js';
import type { EventStore } from '../../event-store/port.js';
import { openVault } from '../../stores.js';
import { Sealer } from '../../vault/sealing.js';
import { assertDataFolder } from '../data-folder.js';
import type { Unit } from '../output/amounts.js';
import { openLogToRead } from '../streams/open-log.js';

/** The log with what opens its personal parts. */
export interface ReadSide {
  readonly log: EventStore;
  readonly codec: Codec;
  /** What the log's ordinals count. */
  readonly unit: Unit;
}

/**
 * Work on what can be read of the service's log, beside a running service or without one; nothing is written to it.
 * @throws {OperatorError} there is no service's data where it is looked for
 */
export const withReadSide = async <T>(work: (side: ReadSide) => Promise<T>): Promise<T> => {
  const configuration = readConfiguration(process.env);
  const { dataDir, servers } = configuration;
  if (servers === null) assertDataFolder(dataDir, 'DATA_DIR');
  const vault = await openVault(configuration, await serviceKeys(configuration));
  try {
    const log = await openLogToRead(configuration);
    try {
      const codec = createCodec(eventRegistry, new Sealer(vault));
      return await work({ log, codec, unit: servers === null ? 'events' : 'bytes' });
    } finally {
      await log.close();
    }
  } finally {
    await vault.close();
  }
};
