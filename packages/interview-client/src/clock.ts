/** Monotonic milliseconds from any beginning, and what happens after a while; tests bring their own. */
export interface Clock {
  now(): number;
  /** @returns what calls it off */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
