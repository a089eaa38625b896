/** A monotonic clock with timers. */
export interface Clock {
  /** Milliseconds from any origin. */
  now(): number;
  /** Calls `act` once. @returns cancels that */
  after(ms: number, act: () => void): () => void;
}

/** The runtime’s own clock and timers. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * The part of the standard WebSocket that the client uses. Those of browsers, of Node 22 and later, and of `ws` fit. The
 * client sets `onopen`, `onmessage`, `onclose` and `onerror` once the socket exists, and to `null` or to a listener that
 * does nothing once it leaves.
 */
export interface Socket {
  binaryType: string;
  /** Bytes that are sent by `send` but not yet by the network. */
  readonly bufferedAmount: number;
  onopen: Listener<object> | null;
  onmessage: Listener<{ readonly data: unknown }> | null;
  onclose: Listener<{ readonly code: number }> | null;
  onerror: Listener<object> | null;
  send(data: Data): void;
  close(code: number): void;
}

/** What a socket sends. Browsers cannot send shared memory. */
export type Data = string | Uint8Array<ArrayBuffer>;

export type SocketConstructor = new (url: string) => Socket;

/** The type of a method, whose parameters are bivariant, so that a listener of the DOM's own event types fits. */
type Listener<Event> = { listen(event: Event): void }['listen'];

/** @returns the global WebSocket; `null`: the runtime has none, as Node 20 */
export const ownWebSocket = (): SocketConstructor | null => {
  const found: unknown = (globalThis as { readonly WebSocket?: unknown }).WebSocket;
  return typeof found === 'function' ? (found as SocketConstructor) : null;
};
