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

/**
 * As much of the standard WebSocket as the client uses, in types of its own: a browser's, Node's (22 and later) and the
 * one of `ws` fit alike.
 */
export interface Socket {
  binaryType: string;
  /** Bytes that are queued and not yet on their way. */
  readonly bufferedAmount: number;
  onopen: Listener<object> | null;
  onmessage: Listener<{ readonly data: unknown }> | null;
  onclose: Listener<{ readonly code: number }> | null;
  onerror: Listener<object> | null;
  send(data: Data): void;
  close(code?: number): void;
}

/** A browser sends no memory that is shared between threads. */
export type Data = string | Uint8Array<ArrayBuffer>;

export type SocketConstructor = new (url: string) => Socket;

/** Made of a method, so that a listener of a browser's own, richer events fits too. */
type Listener<Event> = { listen(event: Event): void }['listen'];

/** @returns the runtime's own WebSocket, `null` where it has none (Node 20) */
export const ownWebSocket = (): SocketConstructor | null => {
  const found: unknown = (globalThis as { readonly WebSocket?: unknown }).WebSocket;
  return typeof found === 'function' ? (found as SocketConstructor) : null;
};
