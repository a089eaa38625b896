import { resolve } from 'node:path';
import type { Place } from './place.js';
import { Program } from './program.js';

interface RoundsEnd {
  readonly code: number | null;
  /** Everything that it printed, on both streams. */
  readonly output: string;
}

/** A running simulation in a process of its own. */
export interface Rounds {
  /** Resolves once the simulation uses the service, or at its end. */
  begun(): Promise<void>;
  /** Resolves once this many candidates have played, rounded up to a tenth of all, or at the simulation's end. */
  played(candidates: number): Promise<void>;
  ended(): Promise<RoundsEnd>;
  /** SIGKILL. */
  kill(): void;
}

/** The service of the rounds, and the settings of the operator's command that makes their organisation. */
type Venue =
  | Pick<Place, 'dataDir' | 'url'>
  | { readonly urls: readonly string[]; readonly direct: Readonly<Record<string, string>> };

/**
 * Plays hiring rounds against a service, as `npm run simulate` does.
 * @param interviews whether trials are completed by an interview over its socket
 */
export const playRounds = (venue: Venue, candidates: number, seed: number, interviews = false): Rounds => {
  const urls = 'urls' in venue ? venue.urls.join(',') : venue.url;
  const settings = 'direct' in venue ? venue.direct : { DATA_DIR: venue.dataDir };
  const args = ['--candidates', `${candidates}`, '--seed', `${seed}`, '--url', urls];
  const program = Program.start(
    process.execPath,
    [resolve('dist/bin/simulate.js'), ...args, ...(interviews ? ['--interview'] : [])],
    // The simulation makes its organisation by the operator's command, on the service's stores.
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
