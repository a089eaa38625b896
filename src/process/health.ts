import { setTimeout as wait } from 'node:timers/promises';

/** The health of one part of the service. */
export interface ComponentHealth {
  readonly name: string;
  readonly ready: boolean;
  /** Why it is not ready, in a sentence. */
  readonly problem?: string;
  /** Figures such as a view's lag. */
  readonly figures?: Readonly<Record<string, number | string | boolean | null>>;
}

/** A part of the service that can be checked: a store, the views. */
export interface HealthSource {
  readonly name: string;
  check(): Promise<readonly ComponentHealth[]>;
}

/** Health-check timeout per source. */
const ANSWER_TIMEOUT_MS = 2_000;

/** A source that fails or takes too long is not ready. */
const checked = async (source: HealthSource): Promise<readonly ComponentHealth[]> => {
  const stop = new AbortController();
  const late = wait(ANSWER_TIMEOUT_MS, null, { signal: stop.signal }).catch(() => null);
  const answer = source.check().catch(() => null);
  const components = await Promise.race([answer, late]);
  stop.abort();
  return components ?? [{ name: source.name, ready: false, problem: `${source.name} does not answer.` }];
};

/** The health of a process by its parts. */
export class Health {
  constructor(private readonly sources: readonly HealthSource[]) {}

  /** Asks every source at once. One that fails is a component that is not ready. */
  async components(): Promise<readonly ComponentHealth[]> {
    return (await Promise.all(this.sources.map(checked))).flat();
  }
}
