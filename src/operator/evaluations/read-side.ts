import { eventRegistry } from '../../domain/event-registry.js';
import { readConfiguration } from '../../process/config.js';
import { presentKeys } from '../../process/secret-files.js';
import { type Codec, createCodec } from '../../core/codec.js';
import type { EventStore } from '../../core/event-store.js';
import { openVault } from '../../process/stores.js';
import { Sealer } from '../../core/vault/sealing.js';
import { assertDataFolder, openLogToRead } from '../cli/stores.js';
import type { Unit } from '../cli/progress.js';
import { OperatorError } from '../cli/program.js';

/** The log with what opens its personal parts. */
export interface ReadSide {
  readonly log: EventStore;
  readonly codec: Codec;
  /** What the log's ordinals count. */
  readonly unit: Unit;
}

/**
 * Work on what can be read of the service's log, beside a running service or without one; nothing is written to it, and
 * no key is made.
 * @throws {OperatorError} there is no service's data where it is looked for, or no DATA_KEY
 */
export const withReadSide = async <T>(work: (side: ReadSide) => Promise<T>): Promise<T> => {
  const configuration = readConfiguration(process.env);
  const { dataDir, dataKeyPrevious, servers } = configuration;
  if (servers === null) assertDataFolder(dataDir, 'DATA_DIR');
  const { dataKey } = await presentKeys(configuration);
  if (!dataKey)
    throw new OperatorError(
      'There is no DATA_KEY: set it as the service has it. Without it what candidates did cannot be read.',
    );
  const vault = await openVault(configuration, { dataKey, dataKeyPrevious });
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
