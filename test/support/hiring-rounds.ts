import { resolve } from 'node:path';
import type { Place } from './place.js';
import { Program } from './program.js';

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
  const args = ['--candidates', `${candidates}`, '--seed', `${seed}`, '--url', urls];
  const program = Program.start(
    process.execPath,
    [resolve('dist/bin/simulate.js'), ...args, ...(interviews ? ['--interview'] : [])],
    // Its operator's command makes the organisation beside the service.
    { env: { PATH: process.env['PATH'], ...settings } },
  );
  return {
    begun: async () => {
      await program.printed(/Organisation /);
    },
    played: async (wanted) => {
      const counts = () => [...program.output().matchAll(/^Candidates: (\d+) of /gm)];
      await program.reached(() => counts().some(([, done]) => Number(done) >= wanted));
    },
    ended: async () => ({ code: (await program.ended()).code, output: program.output() }),
    kill: () => program.process.kill('SIGKILL'),
  };
};
