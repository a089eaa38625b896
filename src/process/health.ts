import { setTimeout as wait } from 'node:timers/promises';

/** The health of one part of the service. */
export interface ComponentHealth {
  readonly name: string;
  readonly ready: boolean;
  /** Why it is not ready, in a sentence. */
  readonly problem?: string;
  /** Figures such as a view's lag; absent if the part has none, or does not answer. */
  readonly figures?: Readonly<Record<string, number | string | boolean | null>>;
}

/** A part of the service that can be checked, such as a store or the views. */
export interface HealthSource {
  readonly name: string;
  /** Called for each request of a status page, also while an earlier call still runs. It may reject. */
  check(): Promise<readonly ComponentHealth[]>;
}

/** Timeout of a health check, per source, in milliseconds. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Checks a source. One that fails or takes too long is a component that is not ready. */
const checked = async (source: HealthSource): Promise<readonly ComponentHealth[]> => {
  const stop = new AbortController();
  const late = wait(ANSWER_TIMEOUT_MS, null, { signal: stop.signal }).catch(() => null);
  const answer = source.check().catch(() => null);
  const components = await Promise.race([answer, late]);
  stop.abort();
  return components ?? [{ name: source.name, ready: false, problem: `${source.name} does not answer.` }];
};

/** The health of a process. */
export class Health {
  constructor(private readonly sources: readonly HealthSource[]) {}

  /** Checks all sources at the same time, each for two seconds at most. Never throws. */
  async components(): Promise<readonly ComponentHealth[]> {
    return (await Promise.all(this.sources.map(checked))).flat();
  }
}
