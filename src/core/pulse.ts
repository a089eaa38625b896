/** How often a process without work looks whether there is any that it was not told of, in milliseconds. */
export const PULSE_MS = 1_500;

interface Pulse {
  readonly beats: Set<() => void>;
  readonly timer: NodeJS.Timeout;
}

const pulses = new Map<number, Pulse>();

/**
 * Calls `beat` every `ms` milliseconds, at the same moment as all others of this process with the same interval: an idle
 * process then wakes once for all of them, and a store can answer all that they ask for at once. Keeps no process alive.
 * @param beat must not throw
 * @returns ends it
 */
export function everyBeat(ms: number, beat: () => void): () => void {
  const pulse = pulses.get(ms) ?? begun(ms);
  pulse.beats.add(beat);
  return () => {
    pulse.beats.delete(beat);
    if (pulse.beats.size > 0 || pulses.get(ms) !== pulse) return;
    clearInterval(pulse.timer);
    pulses.delete(ms);
  };
}

/** Resolves at the next beat, or at once when the signal ends. */
export function untilBeat(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = everyBeat(ms, done);
    signal.addEventListener('abort', done);
  });
}

function begun(ms: number): Pulse {
  const beats = new Set<() => void>();
  const timer = setInterval(() => {
    for (const beat of [...beats]) beat();
  }, ms).unref();
  const pulse = { beats, timer };
  pulses.set(ms, pulse);
  return pulse;
}
