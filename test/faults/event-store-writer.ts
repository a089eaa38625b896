import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedEvent, Expected, StreamName } from '../../src/core/event-store.js';
import type { Step } from '../../src/stores/lmdb/log/appending.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';

/*
 * A process that writes to a log until it is killed, for the fault tests: `<folder> <json plan>`. Prints one JSON
 * line for each thing that happened; an append is printed before it is sent and once it is acknowledged.
 */
interface Plan {
  /** Streams to write to, one writer each. */
  readonly streams: readonly StreamName[];
  /** Number of appends of each writer; without it they append until the process ends. */
  readonly appends?: number;
  readonly bytes?: number;
  /** Pause between two appends of a writer, in milliseconds. */
  readonly pauseMs?: number;
  readonly deadlineMs?: number;
  /** Sends itself a signal when it reaches a step for the `after`th time. */
  readonly at?: { readonly step: Step; readonly after: number; readonly signal: 'SIGKILL' | 'SIGSTOP' };
}

const [folder = '', text = '{}'] = process.argv.slice(2);
const plan = JSON.parse(text) as Plan;
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

process.on('unhandledRejection', (error) => say({ kind: 'unhandled', error: String(error) }));

let passed = 0;
const log = await openEmbeddedLog(folder, {
  ...(plan.deadlineMs !== undefined && { deadlineMs: plan.deadlineMs }),
  failpoint: (step) => {
    if (step === plan.at?.step && ++passed === plan.at.after) process.kill(process.pid, plan.at.signal);
  },
});
say({ kind: 'open', log: log.logId, at: Date.now() });

const encoded = (id: string): EncodedEvent => ({
  id,
  type: 'thing.happened',
  data: Buffer.alloc(plan.bytes ?? 300, 'x'),
  metadata: Buffer.from('{}'),
});

/** Appends one to three events at a time, and repeats an append whose outcome is unknown. */
async function write(stream: StreamName): Promise<void> {
  let expected: Expected = 'no-stream';
  for await (const last of log.readStream(stream, { direction: 'backward', limit: 1 }))
    expected = last.revision;
  for (let round = 0; round < (plan.appends ?? Infinity); round++) {
    const ids = Array.from({ length: 1 + (round % 3) }, () => randomUUID());
    for (;;) {
      try {
        const outcome = await log.append(stream, expected, ids.map(encoded));
        if (outcome.kind === 'conflict') {
          say({ kind: 'conflict', stream, actual: outcome.actual });
          expected = outcome.actual;
          continue;
        }
        const { revision, position } = outcome;
        say({ kind: 'acknowledged', stream, ids, revision, position, at: Date.now() });
        expected = revision;
        if (plan.pauseMs !== undefined) await sleep(plan.pauseMs);
        break;
      } catch (error) {
        const { name, message } = error as Error;
        say({ kind: 'failed', stream, name, message });
        if (name !== 'StoreUnavailable') throw error;
        if (plan.appends !== undefined) return;
        await sleep(20);
      }
    }
  }
}

if (plan.appends === undefined) {
  // Ends once the process that started it is gone.
  createInterface({ input: process.stdin }).on('close', () => process.exit(0));
}
await Promise.all(plan.streams.map(write));
say({ kind: 'done' });
process.stdin.destroy();
await log.close();
