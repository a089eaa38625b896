import type { Call, Observer, RawEvent, RawPosition, Take } from './driver.js';

/** Records that the server looks through before it tells a filtered subscription how far it has come. */
export const SEARCH_WINDOW = 1_000;

/** How both clients hand over an event; `event` is missing where a link leads nowhere. */
interface Resolved {
  readonly event?: RawEvent;
}

/** The part of a client's stream that is used here; the clients share no type of it. */
export interface Source {
  on(event: 'data', listener: (chunk: unknown) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): unknown;
}

/** A client's subscription. */
export interface Subscription extends Source {
  unsubscribe(): Promise<void>;
}

/** Put into the stream itself, at the place of the checkpoint: the callback runs ahead of events in the buffer. */
class Checkpoint {
  constructor(readonly position: RawPosition) {}
}

/** Follows a client's stream of events to its end. @param cancel ends the read at the server */
export function followRead(stream: Source, cancel: () => Promise<void>, take: Take): Call<void> {
  return follow(stream, cancel, (chunk) => {
    const { event } = chunk as Resolved;
    return event === undefined || take(event);
  });
}

/** The same of a subscription, with the checkpoints that `mark` has put into it. */
export function followSubscription(stream: Subscription, observer: Observer): Call<void> {
  return follow(
    stream,
    () => stream.unsubscribe(),
    (chunk) => {
      if (chunk instanceof Checkpoint) observer.passed(chunk.position);
      else if ((chunk as Resolved).event) observer.event((chunk as Required<Resolved>).event);
      return true;
    },
  );
}

/** Puts a checkpoint where it belongs among the events of a subscription. */
export const mark = (stream: { push(chunk: unknown): unknown }, position: RawPosition): void => {
  stream.push(new Checkpoint(position));
};

function follow(
  stream: Source,
  cancel: () => Promise<void>,
  accept: (chunk: unknown) => boolean,
): Call<void> {
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    // Cancelling fails where the call could not even begin.
    cancel().catch(() => undefined);
    stream.destroy();
  };
  const result = new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: unknown) => {
      if (over || accept(chunk)) return;
      end();
      resolve();
    });
    stream.on('end', () => {
      over = true;
      resolve();
    });
    stream.on('close', resolve);
    // Stays for the stream's whole life: an error without a listener would end the process.
    stream.on('error', reject);
  });
  return { result, cancel: end };
}
