/*
 * The part of an EventStoreDB client that the adapter uses. There are two: `@eventstore/db-client` for `esdb://` URLs,
 * and `@kurrent/kurrentdb-client` for `kurrentdb://` URLs. `clients.ts` makes a `DriverClient` of either, so that the
 * rest of the adapter does not depend on which one a process has loaded.
 */

/** A point of the server's transaction log. On an event both are equal; on a checkpoint `prepare` is often 0. */
export interface RawPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as both clients return it: `data` and `metadata` are parsed if they are JSON, otherwise bytes. */
export interface RawEvent {
  readonly streamId: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  /** Left out or `undefined`: it was appended without any. */
  readonly metadata?: unknown;
  /** Left out or `undefined`: the server has not sent it, which the adapter takes for a fault. */
  readonly position?: RawPosition | undefined;
}

/** An event to be appended. The caller does not change its bytes afterwards. */
export type ProposedEvent = {
  readonly id: string;
  readonly type: string;
  readonly metadata: Uint8Array | undefined;
} & (
  | { readonly contentType: 'application/json'; readonly data: Record<string, unknown> }
  | { readonly contentType: 'application/octet-stream'; readonly data: Uint8Array }
);

/** The server's answer to a stored append: revision and position of its last event. */
export interface Written {
  readonly revision: bigint;
  /** `null`: the answer lacks it, as that to a repeated append may. */
  readonly position: RawPosition | null;
}

/** A call to the server that has begun. */
export interface Call<T> {
  readonly result: Promise<T>;
  /** From now on no event is passed on; an append may still be stored. The caller ignores `result` afterwards. */
  readonly cancel: () => void;
}

export type Direction = 'forwards' | 'backwards';

/** Called for each event, in order; `false` ends the read. Must not throw. */
export type Take = (event: RawEvent) => boolean;

/** Which streams' events the server sends to a subscription. */
export type StreamFilter = { readonly prefixes: string[] } | { readonly regex: string };

/** Called with the items of a subscription in the order of the log. */
export interface Observer {
  event(event: RawEvent): void;
  /** Up to this position, every event that the filter selects has been passed to `event`. */
  passed(position: RawPosition): void;
}

/**
 * One connection to the server. Errors are those of the client in use: `faults.ts` classifies them by `type` and `code`.
 */
export interface DriverClient {
  /** @param deadlineMs milliseconds from now after which the client ends the call */
  append(
    stream: string,
    expected: bigint | 'no_stream',
    events: readonly ProposedEvent[],
    deadlineMs: number,
  ): Call<Written>;
  /** Inclusive of `from`. For a missing stream the result rejects with an error of type `stream-not-found`. */
  readStream(
    stream: string,
    options: { from: bigint | 'start' | 'end'; direction: Direction; count: number },
    take: Take,
  ): Call<void>;
  /** Forward inclusive of `from`, backward exclusive. */
  readAll(
    options: { from: RawPosition | 'end'; direction: Direction; count: number },
    take: Take,
  ): Call<void>;
  /** Exclusive of `from`. Its result settles when the subscription ends or breaks: it does not reconnect. */
  subscribe(from: RawPosition, filter: StreamFilter, observer: Observer): Call<void>;
  /** Such as `23.10.2.0`; `unknown` if the server does not report it. */
  version(): Promise<string>;
  /** Cancels the calls that have not ended and closes the connection. */
  close(): Promise<void>;
}

export interface ClientOptions {
  /** For the client: with keepalive settings, and without the name of the log, which only this adapter reads. */
  readonly connectionString: string;
  /**
   * Sent with every call, in place of those in the URL: without them both clients append by their batch call, which
   * ignores the deadline.
   */
  readonly credentials: { readonly username: string; readonly password: string };
}

/** Makes a connection, which is not used before the first call. @throws {Error} the connection string is wrong */
export type Driver = (options: ClientOptions) => DriverClient;
