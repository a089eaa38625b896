import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Place } from './place.js';

interface RoundsEnd {
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

/** Where rounds are played, and what the operator's command needs to make an organisation there. */
type Venue =
  | Pick<Place, 'dataDir' | 'url'>
  | { readonly urls: readonly string[]; readonly direct: Readonly<Record<string, string>> };

/**
 * Plays hiring rounds against the venue's service, as `npm run simulate` does.
 * @param interviews trials are completed by an interview over its socket
 */
export const playRounds = (venue: Venue, candidates: number, seed: number, interviews = false): Rounds => {
  const urls = 'urls' in venue ? venue.urls.join(',') : venue.url;
  const settings = 'direct' in venue ? venue.direct : { DATA_DIR: venue.dataDir };
  const child = spawn(
    process.execPath,
    [
      resolve('dist/bin/simulate.js'),
      ...['--candidates', `${candidates}`, '--seed', `${seed}`, '--url', urls],
      ...(interviews ? ['--interview'] : []),
    ],
    // Its operator's command makes the organisation beside the service.
    { env: { PATH: process.env.PATH, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] },
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
