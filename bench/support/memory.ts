import { readFileSync } from 'node:fs';

/** Memory of a process that no other shares and no file backs, in MB, by `/proc`. */
export const ownMemory = (pid: number): number => {
  const kib = /^Anonymous:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return (Number(kib) * 1_024) / 1_000_000;
};
