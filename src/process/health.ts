import { setTimeout as wait } from 'node:timers/promises';

/** How one part of the service is. */
export interface ComponentHealth {
  readonly name: string;
  readonly ready: boolean;
  /** A sentence where it is not: what is wrong. */
  readonly problem?: string;
  /** Figures worth knowing, a view's lag for one. */
  readonly figures?: Readonly<Record<string, number | string | boolean | null>>;
}

/** A part of the service that knows how it is: a store, the views. */
export interface HealthSource {
  readonly name: string;
  check(): Promise<readonly ComponentHealth[]>;
}

const PATIENCE_MS = 2_000;

/** A source that fails or takes too long is not ready; what it says of itself then is for the log. */
const checked = async (source: HealthSource): Promise<readonly ComponentHealth[]> => {
  const stop = new AbortController();
  const late = wait(PATIENCE_MS, null, { signal: stop.signal }).catch(() => null);
  const answer = source.check().catch(() => null);
  const components = await Promise.race([answer, late]);
  stop.abort();
  return components ?? [{ name: source.name, ready: false, problem: `${source.name} does not answer.` }];
};

/** How the whole of a process is, by its parts: of an API, of a projector, of what a command looks at. */
export class Health {
  constructor(private readonly sources: readonly HealthSource[]) {}

  async components(): Promise<readonly ComponentHealth[]> {
    return (await Promise.all(this.sources.map(checked))).flat();
  }
}
