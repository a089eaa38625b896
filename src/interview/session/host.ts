/** A connection that its process vouches for. */
export interface Hosted {
  /** Under which the process stands in the connection's event. */
  readonly host: string;
  /** Nothing of the connection has to be looked after any more. */
  readonly end: () => void;
}

/** This process as the holder of connections: whoever looks sees that it lives. */
export interface Host {
  /**
   * To be awaited before a connection is recorded; never fails.
   * @param onLost this process was taken for dead: the connection is to be closed, for the client to come back
   */
  begin(onLost: () => void): Promise<Hosted>;
}
