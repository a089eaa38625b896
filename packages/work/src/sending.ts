import type { Work } from './places.js';
import { type Activity, type Queue, type Queued, writeDown } from './queue.js';
import { Offline, Refused, type Service } from './service.js';
import { oneLine, type Terminal } from './terminal.js';

/** A batch of the service is at most 100 events in 256 KiB. */
const MAX_EVENTS = 100;
const MAX_BYTES = 200 * 1_024;
const MAX_SHOWN = 20;

/** The outcome for the waiting events. */
export type Sent =
  | { readonly kind: 'sent'; readonly count: number }
  | { readonly kind: 'nothing' | 'offline' | 'declined' }
  /** The service takes no more of this session. */
  | { readonly kind: 'over'; readonly why: string };

/** An event in words. */
export const describeEvent = ({ eventType, occurredAt, payload }: Activity): string => {
  const { path, linesAdded, linesRemoved, passed, failed, durationMs } = payload;
  const time = new Date(occurredAt).toLocaleTimeString();
  return eventType === 'file.changed'
    ? `  ${time}  file changed  ${oneLine(String(path))}  +${linesAdded} −${linesRemoved} lines`
    : `  ${time}  tests run     ${passed} passed, ${failed} failed, ${Math.round(Number(durationMs))} ms`;
};

/** Shows what waits, asks, and sends it. */
export const sendWaiting = async (
  work: Work,
  queue: Queue,
  service: Service,
  terminal: Terminal,
): Promise<Sent> => {
  const waiting = await queue.waiting();
  if (waiting.length === 0) return { kind: 'nothing' };
  terminal.say(`${waiting.length === 1 ? 'One event' : `${waiting.length} events`} to send:`);
  for (const { event } of waiting.slice(0, MAX_SHOWN)) terminal.say(describeEvent(event));
  if (waiting.length > MAX_SHOWN) terminal.say(`  … and ${waiting.length - MAX_SHOWN} more`);
  if (!terminal.canAsk) terminal.say('No terminal to ask on: pass --yes to send.');
  if (!(await terminal.agrees('Send?'))) return { kind: 'declined' };
  let count = 0;
  try {
    for (const batch of batchesOf(waiting)) {
      const isTaken = await sendBatch(work, queue, service, batch, terminal);
      if (isTaken) count += batch.length;
    }
  } catch (error) {
    if (error instanceof Offline) {
      terminal.say(`${error.message} What was not sent is kept, and is sent later.`);
      return { kind: 'offline' };
    }
    if (error instanceof Refused && (error.status === 409 || error.status === 413))
      return { kind: 'over', why: error.message };
    throw error;
  }
  terminal.say(count === 1 ? 'Sent.' : `${count} events sent.`);
  return { kind: 'sent', count };
};

/** @returns whether the service has the events. Events that it finds invalid are put aside. */
const sendBatch = async (
  work: Work,
  queue: Queue,
  service: Service,
  batch: readonly Queued[],
  terminal: Terminal,
): Promise<boolean> => {
  const path = `/trial-sessions/${work.sessionId}/activity`;
  const body = { events: batch.map(({ event }) => event) };
  try {
    await service.post(path, body);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    await queue.refused(batch);
    terminal.say(`The service does not take ${batch.length} events: ${error.message}`);
    return false;
  }
  await writeDown(work, path, body);
  await queue.confirmed(batch);
  return true;
};

const batchesOf = (events: readonly Queued[]): Queued[][] => {
  const batches: Queued[][] = [];
  let bytes = 0;
  for (const one of events) {
    const size = Buffer.byteLength(JSON.stringify(one.event)) + 1;
    const last = batches.at(-1);
    if (!last || last.length >= MAX_EVENTS || bytes + size > MAX_BYTES) {
      batches.push([one]);
      bytes = size;
    } else {
      last.push(one);
      bytes += size;
    }
  }
  return batches;
};
