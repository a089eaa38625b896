import { describe, expect, it } from '@jest/globals';
import type { OpenInterviewDocument } from '../../../projections/open-interviews.js';
import { Random } from '../../../test/model/random.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { RESUME_MS } from '../../domain/session/interview-state.js';
import type { PageQuery, ViewReader } from '../../engine/reads/reads.js';
import { AbandonedInterviews, type Held } from './abandoned.js';
import { HostLease } from './host.js';

const SCHEDULES = Number(process.env['MODEL_HOST_SCHEDULES'] ?? 20);
const SECONDS = 400;
/** From a host's death until all that it held is interrupted, by clocks that are 2 % off, with what looking takes. */
const AT_MOST_S = RESUME_MS / 1000 / 0.98 + 12;
/** Seconds that a process may be suspended without being taken for dead. */
const SHORT_S = 3;

interface Process {
  alive: boolean;
  /** Seconds that it sleeps through. */
  asleep: number;
  readonly clock: { now: number; readonly rate: number };
}

interface Host extends Process {
  readonly lease: HostLease;
  slept: boolean;
  /** Has worked since it was last looked at. */
  rested: boolean;
  lost: boolean;
  diedAt: number | null;
}

interface Interview {
  readonly id: string;
  connectionId: string;
  host: Host;
  /** Where its client is connected. */
  socket: Host | null;
  /** What its events say. */
  connected: boolean;
  interrupted: boolean;
  /** On its host's clock; the host's own watch over it. */
  droppedAt: number;
}

class Violation extends Error {
  override readonly name = 'Violation';
}

/**
 * Hosts that come, die and sleep, clients that come, drop and come back, and processes that look after what is
 * abandoned, each on a clock of its own.
 */
class World {
  readonly #random: Random;
  readonly #database = new MemoryDatabase();
  readonly #hosts: Host[] = [];
  readonly #watchers: (Process & { readonly abandoned: AbandonedInterviews })[] = [];
  readonly #interviews: Interview[] = [];
  /** The view as it was at each second. */
  readonly #views: OpenInterviewDocument[][] = [];
  readonly #lag: number;
  #second = 0;
  #connections = 0;
  /** Calls fail, and the store is unavailable at times. */
  #stormy: boolean;
  #unavailable = false;
  #calmSince = 0;
  #violation: Violation | null = null;

  constructor(
    seed: number,
    private readonly calm: boolean,
  ) {
    this.#random = new Random(seed);
    this.#stormy = !calm;
    this.#lag = this.#random.below(3);
    this.#hosts.push(this.#newHost());
    for (let n = 0; n < 6; n++) this.#interviews.push(this.#newInterview(n));
    for (let n = 0; n < 2; n++) this.#watchers.push(this.#newWatcher());
    this.#views.push(this.#view());
  }

  async run(): Promise<void> {
    for (let n = 0; n < SECONDS; n++) {
      this.#upset();
      await this.#pass();
    }
    this.#stormy = false;
    this.#unavailable = false;
    this.#calmSince = this.#second + 1;
    for (const process of [...this.#hosts, ...this.#watchers]) process.asleep = 0;
    for (let n = 0; n < AT_MOST_S; n++) await this.#pass();
    for (const { socket, interrupted } of this.#interviews) {
      if ((socket === null || !socket.alive) && !interrupted)
        throw new Violation('An interview was never interrupted.');
    }
    for (const interview of this.#interviews) interview.socket = null;
    for (const host of this.#hosts.filter(({ alive }) => alive)) {
      await host.lease.release();
      host.alive = false;
    }
    for (let n = 0; n < 2 * AT_MOST_S; n++) await this.#pass();
    this.#expectNothingLeft();
  }

  #expectNothingLeft(): void {
    for (const { abandoned } of this.#watchers) expect(abandoned.size).toBe(0);
    // A lease that no watcher could read in time is not removed.
    if (!this.calm) return;
    const left = [...this.#database.leases.values()].filter((lease) => lease.at(this.#database.now) !== null);
    expect(left).toEqual([]);
  }

  async #pass(): Promise<void> {
    this.#second++;
    const awake: Process[] = [];
    for (const process of [...this.#hosts, ...this.#watchers]) {
      process.clock.now += 1000 * process.clock.rate;
      if (process.asleep > 0) process.asleep--;
      else if (process.alive) awake.push(process);
    }
    await Promise.all(this.#hosts.filter((host) => awake.includes(host)).map((host) => this.#work(host)));
    await Promise.all(
      this.#watchers
        .filter((watcher) => awake.includes(watcher))
        .map(async ({ abandoned }) => {
          await abandoned.poll().catch(() => undefined);
          await abandoned.settled();
        }),
    );
    this.#views.push(this.#view());
    this.#check(awake);
  }

  async #work(host: Host): Promise<void> {
    host.rested = true;
    await host.lease.renew();
    for (const interview of this.#interviews) {
      if (interview.host !== host || interview.interrupted) continue;
      if (interview.socket === null && interview.connected) {
        interview.connected = false;
        interview.droppedAt = host.clock.now;
      }
      if (!interview.connected && host.clock.now - interview.droppedAt >= RESUME_MS)
        interview.interrupted = true;
    }
  }

  #check(awake: readonly Process[]): void {
    if (this.#violation !== null) throw this.#violation;
    for (const { host, socket, interrupted } of this.#interviews) {
      // Who cannot reach the store cannot know.
      if (
        socket !== null &&
        awake.includes(socket) &&
        interrupted &&
        !this.#stormy &&
        this.#second > this.#calmSince
      )
        throw new Violation('A process that was taken for dead goes on with an interview.');
      const late = host.diedAt !== null && this.#second - host.diedAt > AT_MOST_S;
      if (late && this.calm && !interrupted) throw new Violation('An interview was interrupted too late.');
    }
  }

  #take(connectionId: string): void {
    const interview = this.#interviews.find((one) => one.connectionId === connectionId);
    if (interview === undefined || interview.interrupted) return;
    const { socket } = interview;
    if (socket?.alive === true && !socket.slept)
      this.#violation = new Violation('A connection was taken from a living host.');
    interview.connected = false;
    interview.interrupted = true;
  }

  #upset(): void {
    const random = this.#random;
    const living = this.#hosts.filter(({ alive, lost }) => alive && !lost);
    if (this.#stormy && random.chance(0.05)) this.#unavailable = !this.#unavailable;
    if (living.length < 3 && random.chance(0.2)) {
      const come = this.#newHost();
      this.#hosts.push(come);
      this.#connect(this.#interviews[random.below(this.#interviews.length)]!, come);
      return;
    }
    const host = living[random.below(living.length)];
    if (host !== undefined) {
      if (host.rested && random.chance(0.02)) host.asleep = random.below(SHORT_S);
      host.rested = false;
      if (random.chance(0.01)) {
        host.asleep = SHORT_S + random.below(300);
        host.slept = true;
      }
      if (living.length > 1 && random.chance(0.02)) {
        host.alive = false;
        host.diedAt = this.#second;
      }
    }
    const interview = this.#interviews[random.below(this.#interviews.length)]!;
    if (random.chance(0.05)) interview.socket = null;
    const next = living[random.below(living.length)];
    if (next?.alive === true && next.asleep === 0 && random.chance(0.03)) this.#connect(interview, next);
    if (random.chance(0.02)) {
      const watcher = this.#watchers.pop();
      if (watcher) watcher.alive = false;
      this.#watchers.push(this.#newWatcher());
    }
    // The first watcher lives and looks all the time: what is due by it is due.
    if (random.chance(0.05)) this.#watchers[1]!.asleep = random.below(20);
  }

  #connect(interview: Interview, host: Host): void {
    Object.assign(interview, { host, socket: host, connected: true, interrupted: false });
    interview.connectionId = `c${this.#connections++}`;
  }

  #process(): Process {
    const rate = 0.98 + this.#random.next() * 0.04;
    return { alive: true, asleep: 0, clock: { now: this.#random.below(1e9), rate } };
  }

  #leases(process: Process) {
    const trouble = async (): Promise<void> => {
      if (!process.alive) await new Promise(() => undefined);
      for (let n = this.#random.below(3); n > 0; n--) await Promise.resolve();
      if (this.#unavailable || (this.#stormy && this.#random.chance(0.03)))
        throw new Error('The store is unavailable.');
    };
    return openMemoryReadStore(this.#database, { before: trouble, after: trouble }).leases;
  }

  #newHost(): Host {
    const process = this.#process();
    const onLost = (): void => {
      host.lost = true;
      if (this.calm && !host.slept) this.#violation = new Violation('A living host was taken for dead.');
      for (const interview of this.#interviews) if (interview.socket === host) interview.socket = null;
    };
    const leases = this.#leases(process);
    const lease = new HostLease({ leases, owner: 'm/1', now: () => process.clock.now });
    lease.use(onLost);
    const host: Host = Object.assign(process, {
      lease,
      rested: true,
      slept: false,
      lost: false,
      diedAt: null,
    });
    return host;
  }

  #newInterview(n: number): Interview {
    const host = this.#hosts[0]!;
    const interview = { id: `s${n}`, connectionId: '', host, socket: null, connected: true };
    const made: Interview = { ...interview, interrupted: false, droppedAt: 0 };
    this.#connect(made, host);
    return made;
  }

  #newWatcher() {
    const process = this.#process();
    const page = (_: unknown, query: PageQuery) => this.#page(query.cursor);
    const abandoned = new AbandonedInterviews({
      leases: this.#leases(process),
      reader: { page: page as unknown as ViewReader['page'] },
      ending: {
        interrupt: async (_, connectionId) => {
          if (this.#unavailable || (this.#stormy && this.#random.chance(0.1)))
            throw new Error('The log is unavailable.');
          this.#take(connectionId);
        },
      },
      now: () => process.clock.now,
    });
    return Object.assign(process, { abandoned });
  }

  #view(): OpenInterviewDocument[] {
    return this.#interviews
      .filter(({ interrupted }) => !interrupted)
      .map(({ id: trialSessionId, connectionId, host, connected }) => {
        const held: Held = { connectionId, host: host.lease.host, connected, timeFactor: 1 };
        return { ...held, trialSessionId } as OpenInterviewDocument;
      });
  }

  /** Two at a time, from the view as it was a moment ago. */
  async #page(cursor: string | undefined) {
    const [second, from] = (cursor ?? `${Math.max(0, this.#second - this.#lag - 1)}:0`)
      .split(':')
      .map(Number) as [number, number];
    const all = this.#views[second]!;
    const items = all.slice(from, from + 2).map((document) => ({ id: document.trialSessionId, document }));
    return { items, nextCursor: from + 2 < all.length ? `${second}:${from + 2}` : null };
  }
}

describe('Interviews whose processes come, sleep and die', () => {
  it.each([
    ['on a store that answers', true],
    ['on a store that fails', false],
  ])('are taken from no living one, and never left, %s', async (_, calm) => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      try {
        await new World(seed, calm).run();
      } catch (error) {
        throw new Error(`The schedule with seed ${seed} failed.`, { cause: error });
      }
    }
  });
});
