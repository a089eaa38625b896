/** A point of the server's transaction log. On an event both are equal; on a checkpoint `prepare` is often 0. */
export interface RawPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** An event as either client hands it over: what is JSON comes parsed, all else as bytes. */
export interface RawEvent {
  readonly streamId: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly position?: RawPosition | undefined;
}

/** An event on its way to the server. Its bytes are the call's own. */
export type ProposedEvent = {
  readonly id: string;
  readonly type: string;
  readonly metadata: Uint8Array | undefined;
} & (
  | { readonly contentType: 'application/json'; readonly data: Record<string, unknown> }
  | { readonly contentType: 'application/octet-stream'; readonly data: Uint8Array }
);

/** The server's answer to a stored append: of its last event. */
export interface Written {
  readonly revision: bigint;
  readonly position: RawPosition | null;
}

/** Something under way at the server. */
export interface Call<T> {
  readonly result: Promise<T>;
  /** Ends it; its result is then ignored. */
  readonly cancel: () => void;
}

export type Direction = 'forwards' | 'backwards';

/** Called for each event, in order; `false` ends the read. Must not throw. */
export type Take = (event: RawEvent) => boolean;

/** Which streams' events the server sends to a subscription. */
export type StreamFilter = { readonly prefixes: string[] } | { readonly regex: string };

/** What comes over a subscription, in the order in which it may be believed. */
export interface Observer {
  event(event: RawEvent): void;
  /** There is no event that was asked for up to here. */
  passed(position: RawPosition): void;
}

/**
 * One connection to the server, with what the adapter needs of it and both clients have. Errors are the client's own;
 * `faults.ts` tells them apart by their `type` and `code`.
 */
export interface DriverClient {
  append(
    stream: string,
    expected: bigint | 'no_stream',
    events: readonly ProposedEvent[],
    deadlineMs: number,
  ): Call<Written>;
  /** Inclusive of `from`. A stream that is not there ends it with an error of type `stream-not-found`. */
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
  /** Exclusive of `from`. Its result is how it ended: it never comes back by itself. */
  subscribe(from: RawPosition, filter: StreamFilter, observer: Observer): Call<void>;
  /** Such as `23.10.2.0`; a text without digits if the server keeps it to itself. */
  version(): Promise<string>;
  /** Cancels what is under way and closes the connection. */
  close(): Promise<void>;
}

export interface ClientOptions {
  /** As the client takes it: without a log's name, keepalive included. */
  readonly connectionString: string;
  /** Sent with every append, for that alone makes both clients use the call that keeps to its deadline. */
  readonly credentials: { readonly username: string; readonly password: string };
}

/** Makes a connection, which is not used before the first call. @throws {Error} the connection string is wrong */
export type Driver = (options: ClientOptions) => DriverClient;
