import type { Socket } from 'node:net';

/**
 * How many connections a process takes on, and how many of one caller: each costs memory, also while it is silent. Of
 * a caller's one at a time is in use; the others are of other sessions, or have been left and are not closed yet.
 */
export class Seats {
  private taken = 0;
  private readonly ofCallers = new Map<string, number>();

  constructor(
    private readonly most: number,
    private readonly mostOfCaller: number,
  ) {}

  /** Takes one until the connection is closed, whatever becomes of it. @returns whether there was one */
  take(socket: Socket): boolean {
    if (this.taken >= this.most) return false;
    if (socket.closed) return true;
    this.taken += 1;
    socket.once('close', () => (this.taken -= 1));
    return true;
  }

  /** Takes one of the caller's. @returns whether there was one */
  takeAs(subject: string, socket: Socket): boolean {
    const own = this.ofCallers.get(subject) ?? 0;
    if (own >= this.mostOfCaller) return false;
    if (socket.closed) return true;
    this.ofCallers.set(subject, own + 1);
    socket.once('close', () => {
      const left = (this.ofCallers.get(subject) ?? 0) - 1;
      if (left > 0) this.ofCallers.set(subject, left);
      else this.ofCallers.delete(subject);
    });
    return true;
  }
}
