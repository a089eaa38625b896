import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Place } from './same-folder.js';

export interface RoundsEnd {
  readonly code: number | null;
  /** All that it printed, both streams. */
  readonly output: string;
}

/** A simulation under way in a process of its own. */
export interface Rounds {
  /** Once the service has been found and people begin; at its end at the latest. */
  begun(): Promise<void>;
  /** Once this many candidates are through, to the next tenth; at its end at the latest. */
  played(candidates: number): Promise<void>;
  ended(): Promise<RoundsEnd>;
  /** Leaves no process behind. */
  kill(): void;
}

/** Plays hiring rounds against the place's service, as `npm run simulate` does. */
export const playRounds = (place: Place, candidates: number, seed: number): Rounds => {
  const child = spawn(
    process.execPath,
    [
      resolve('dist/src/simulate.js'),
      ...['--candidates', `${candidates}`, '--seed', `${seed}`, '--url', place.url],
    ],
    // Its operator's command makes the organisation beside the service.
    { env: { PATH: process.env.PATH, DATA_DIR: place.dataDir }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((check) => check());
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      look();
    });
  const ended = new Promise<RoundsEnd>((settle) => child.once('close', (code) => settle({ code, output })));
  const until = async (reached: () => boolean): Promise<void> => {
    const seen = new Promise<void>((settle) => {
      const check = (): void => {
        if (!reached()) return;
        waiting.delete(check);
        settle();
      };
      waiting.add(check);
      check();
    });
    await Promise.race([seen, ended]);
  };
  return {
    begun: () => until(() => output.includes('Organisation ')),
    played: (wanted) =>
      until(() =>
        [...output.matchAll(/^Candidates: (\d+) of /gm)].some(([, done]) => Number(done) >= wanted),
      ),
    ended: () => ended,
    kill: () => child.kill('SIGKILL'),
  };
};
