import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge } from 'prom-client';
import { diskProblem, diskRoom } from '../stores/lmdb/disk-room.js';
import type { HealthSource } from './health.js';
import type { Metrics } from './metrics.js';

/** The data folder and those of the stores, which may be on different disks. */
const foldersOf = (dataDir: string): readonly string[] =>
  ['', 'log', 'views', 'vault'].map((folder) => join(dataDir, folder)).filter(existsSync);

/** Reports whether there is room to store events. Reads need none. */
export const diskHealth = (dataDir: string): HealthSource => ({
  name: 'disk',
  check: async () => {
    if (!existsSync(dataDir)) return [];
    const problem = foldersOf(dataDir)
      .map(diskProblem)
      .find((found) => found !== null);
    const { free, size } = diskRoom(dataDir);
    return [
      {
        name: 'disk',
        ready: problem === undefined,
        ...(problem !== undefined && { problem }),
        figures: { freeBytes: free, sizeBytes: size },
      },
    ];
  },
});

/** Registers the metrics of the room on the disk of DATA_DIR. */
export const registerDiskMetrics = ({ registry }: Pick<Metrics, 'registry'>, dataDir: string): void => {
  const gauge = (name: string, help: string, figure: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(figure());
      },
    });
  };
  gauge('assay_disk_free_bytes', 'Free space on the disk of DATA_DIR.', () => diskRoom(dataDir).free);
  gauge('assay_disk_size_bytes', 'Size of the disk of DATA_DIR.', () => diskRoom(dataDir).size);
  gauge(
    'assay_disk_kept_back_bytes',
    'Reserve on the disk of DATA_DIR. While less is free, commands are refused.',
    () => diskRoom(dataDir).reserve,
  );
};
