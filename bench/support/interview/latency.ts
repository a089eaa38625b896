import { setTimeout as sleep } from 'node:timers/promises';
import { byTurns, median, rounded, versions } from '../measure.js';
import type { Speaking } from './interviewee.js';

/** Answers of one round, by turns over all sockets. */
const ANSWERS = 400;
/** The rate at which latency is measured, as a share of the maximum. */
const SHARE = 0.6;
/** The most that our share of an answer's way may take beyond an echo. */
const BAR_MS = 50;

/** All sockets answer, each as soon as its next question has come. @returns answers a second */
const mostOf = async (sockets: readonly Speaking[], turns: number): Promise<number> => {
  const began = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      for (let turn = 0; turn < turns; turn++) await socket.write();
    }),
  );
  return (sockets.length * turns) / ((performance.now() - began) / 1_000);
};

/**
 * Answers at a steady rate, whatever comes back.
 * @returns the 99th percentile in milliseconds from when each was to be sent
 */
const p99At = async (rate: number, sockets: readonly Speaking[]): Promise<number> => {
  const began = performance.now();
  const free = sockets.map(() => Promise.resolve());
  const took: number[] = [];
  for (let answer = 0; answer < ANSWERS; answer++) {
    const intended = began + (answer * 1_000) / rate;
    const wait = intended - performance.now();
    if (wait > 0) await sleep(wait);
    const index = answer % sockets.length;
    const socket = sockets[index];
    // A socket whose question has not come yet is late by itself: it counts from when it was to answer.
    free[index] = (free[index] ?? Promise.resolve()).then(async () => {
      await socket?.write();
      took.push(performance.now() - intended);
    });
  }
  await Promise.all(free);
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
};

/** The way from an answer to the first byte of the next question, beside that of an echo. */
export const compareLatency = async (
  ours: readonly Speaking[],
  echo: readonly Speaking[],
): Promise<boolean> => {
  await mostOf(ours, 2);
  const rate = SHARE * (await mostOf(ours, 2));
  const rounds = await byTurns({
    sides: { baseline: () => p99At(rate, echo), ours: () => p99At(rate, ours) },
  });
  const above = rounds.map(({ baseline, ours: own }) => own - baseline);
  const difference = { median: median(above), min: Math.min(...above), max: Math.max(...above) };
  const passed = difference.median <= BAR_MS;
  const name = `p99 from an answer to the next question, ${ours.length} sockets, 60 % of the most`;
  const { min, max } = difference;
  console.log(
    `\n${name}: ${rounded(difference.median)} ms above a bare ws echo (${rounded(min)} to ${rounded(max)}, bar ${BAR_MS} ms ${passed ? 'reached' : 'MISSED'})`,
  );
  for (const [index, round] of rounds.entries())
    console.log(`  round ${index + 1}: echo ${rounded(round.baseline)} ms, ours ${rounded(round.ours)} ms`);
  const result = { name, unit: 'ms', baseline: 'bare ws echo', difference, bar: BAR_MS, passed, rounds };
  console.log(JSON.stringify({ ...result, versions: versions(['ws', 'lmdb', '@nestjs/core']) }));
  return passed;
};
