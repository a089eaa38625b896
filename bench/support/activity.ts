import { readdirSync, readFileSync } from 'node:fs';

/** What a process has done so far. */
export interface Activity {
  /** On a processor, in milliseconds. */
  readonly processorMs: number;
  /** How often one of its threads went to sleep. One that others' work interrupts is not counted. */
  readonly wakeUps: number;
}

/** Ticks of the clock of `/proc`: 100 on every Linux. */
const TICKS_PER_SECOND = 100;

/** The activity of a process with all its threads, by `/proc`. */
export const activityOf = (pid: number): Activity => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const switches = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]);
  });
  return {
    processorMs: (ticks * 1_000) / TICKS_PER_SECOND,
    wakeUps: switches.reduce((sum, count) => sum + count, 0),
  };
};
