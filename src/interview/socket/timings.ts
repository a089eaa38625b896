/** How long a connection waits for what, in milliseconds. */
export interface Timings {
  /** From the opening to `client.ready`. */
  readonly readyMs: number;
  readonly pingMs: number;
  /** Without a frame or a pong. */
  readonly idleMs: number;
  /** From a token's expiry to the closing. */
  readonly farewellMs: number;
  /** From our closing to the client's. */
  readonly closeMs: number;
  /** Without anything read of what was sent. */
  readonly stalledMs: number;
  /** Held back for longer, a client is told. */
  readonly flowMs: number;
}

export const TIMINGS: Timings = {
  readyMs: 10_000,
  pingMs: 15_000,
  idleMs: 45_000,
  farewellMs: 60_000,
  closeMs: 2_000,
  stalledMs: 20_000,
  flowMs: 250,
};
