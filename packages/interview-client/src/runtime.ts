/** Monotonic milliseconds from any origin, and timers. */
export interface Clock {
  now(): number;
  /** @returns cancels it */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** The part of the standard WebSocket that the client uses. A browser's, Node's (22 and later) and that of `ws` fit. */
export interface Socket {
  binaryType: string;
  /** Bytes in the socket's queue. */
  readonly bufferedAmount: number;
  onopen: Listener<object> | null;
  onmessage: Listener<{ readonly data: unknown }> | null;
  onclose: Listener<{ readonly code: number }> | null;
  onerror: Listener<object> | null;
  send(data: Data): void;
  close(code?: number): void;
}

/** Not shared memory: a browser cannot send it. */
export type Data = string | Uint8Array<ArrayBuffer>;

export type SocketConstructor = new (url: string) => Socket;

/** Made of a method, so that a listener of a browser's richer events fits. */
type Listener<Event> = { listen(event: Event): void }['listen'];

/** @returns the runtime's own WebSocket; `null`: it has none (Node 20) */
export const ownWebSocket = (): SocketConstructor | null => {
  const found: unknown = (globalThis as { readonly WebSocket?: unknown }).WebSocket;
  return typeof found === 'function' ? (found as SocketConstructor) : null;
};
