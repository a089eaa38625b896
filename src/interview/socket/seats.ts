import type { Socket } from 'node:net';

/** How many connections a process takes on: each costs memory, also while it is silent. */
export class Seats {
  private taken = 0;

  constructor(private readonly most: number) {}

  /** Takes one until the connection is closed, whatever becomes of it. @returns whether there was one */
  take(socket: Socket): boolean {
    if (this.taken >= this.most) return false;
    if (socket.closed) return true;
    this.taken += 1;
    socket.once('close', () => (this.taken -= 1));
    return true;
  }
}
