import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openEmbeddedLog } from '../src/stores/lmdb/log/log.js';
import { inFolder } from './support/folder.js';
import { median, rounded, versions } from './support/measure.js';
import { fillWithSessions, sessionsCodec } from './support/sessions.js';

const SIZES = [100_000, 1_000_000] as const;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
/** Ten times the events may take this many times the memory. */
const MAX_RATIO = 1.2;
const CHILD = fileURLToPath(new URL('support/rebuild-child.js', import.meta.url));

const execute = promisify(execFile);

/** The peak of a process's own memory while it rebuilds a view, for logs of two sizes by turns. */
export const run = (): Promise<void> =>
  inFolder(async (folder) => {
    for (const size of SIZES) {
      const log = await openEmbeddedLog(join(folder, `log-${size}`));
      await fillWithSessions(log, sessionsCodec(), size);
      await log.close();
    }
    const peak = async (size: number): Promise<number> => {
      const { stdout } = await execute(process.execPath, [CHILD, join(folder, `log-${size}`)]);
      return Number(stdout);
    };
    const rounds: { small: number; large: number; ratio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [small, large] = [await peak(SIZES[0]), await peak(SIZES[1])];
      rounds.push({ small, large, ratio: large / small });
      console.log(
        `  round ${round + 1}: ${rounded(small)} MiB and ${rounded(large)} MiB, ratio ${(large / small).toFixed(3)}`,
      );
    }
    const ratios = rounds.map(({ ratio }) => ratio);
    const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
    const passed = ratio.median <= MAX_RATIO;
    console.log(
      `\nmemory of a rebuild, 1,000,000 events: ${ratio.median.toFixed(2)} x that of 100,000 ` +
        `(${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)}, at most ${MAX_RATIO}: ${passed ? 'reached' : 'MISSED'})`,
    );
    console.log(
      JSON.stringify({ name: 'memory of a rebuild', ratio, rounds, passed, versions: versions(['lmdb']) }),
    );
    if (!passed) process.exitCode = 1;
  });
