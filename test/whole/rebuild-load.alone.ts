import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { views } from '../../projections/index.js';
import type { Outcome } from '../../tools/simulate/plan.js';
import { Random } from '../../tools/simulate/random.js';
import { Api } from '../support/api.js';
import { startAssay } from '../support/assay.js';
import { makePlace } from '../support/place.js';
import { KnownOrganisation } from './rebuild-organisation.js';
import { CheckedReader } from './rebuild-readers.js';

interface LoadReport {
  readonly requests: number;
  readonly reads: number;
  readonly writes: number;
  /** Requests per second over the whole time. */
  readonly rate: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** A sentence for each request that failed or was answered wrongly. */
  readonly faults: readonly string[];
}

const TICK_MS = 5;
/** The share of writes; the others are reads. */
const WRITES = 0.15;

const OUTCOMES: readonly Outcome[] = [
  { humanRound: 'passed' },
  { humanRound: 'failed' },
  { disposition: 'hired' },
  { humanRound: 'failed', disposition: 'declined' },
];

/** One organisation's requests: writes in sequence, reads at any time. */
class OrganisationLoad {
  readonly reader: CheckedReader;
  readonly faults: string[] = [];
  readonly #organisation: KnownOrganisation;
  readonly #random: Random;
  readonly #reads = new Set<Promise<void>>();
  #writing = Promise.resolve();
  writes = 0;

  constructor(organisation: KnownOrganisation, seed: number) {
    this.#organisation = organisation;
    this.#random = new Random(seed);
    this.reader = new CheckedReader(organisation);
  }

  /** @returns the number of requests */
  begin(): number {
    if (this.#random.chance(WRITES)) {
      this.#writing = this.#writing.then(() => this.#write());
      return 3;
    }
    const what = this.#random.weighted([['signal', 5] as const, ['roles', 2] as const, ['role', 1] as const]);
    const read = this.reader.read(what, this.#random.chance(0.3), this.#random.between(0, 1_000));
    this.#reads.add(read);
    void read.finally(() => this.#reads.delete(read));
    return 1;
  }

  async end(): Promise<void> {
    await this.#writing;
    await Promise.all(this.#reads);
  }

  /** Reads the write at once: the organisation has no other open write then. */
  async #write(): Promise<void> {
    const number = ++this.writes;
    try {
      await this.#change(number);
    } catch (error) {
      this.faults.push(`write ${number}: ${String(error)}`);
      return;
    }
    await this.reader.read('signal', true);
    await this.reader.read('roles', true);
  }

  async #change(number: number): Promise<void> {
    const organisation = this.#organisation;
    const what = this.#random.weighted([
      ['rename', 5] as const,
      ['decide', 4] as const,
      ['complete', 1] as const,
    ]);
    if (what === 'complete' && (await organisation.completeOne())) return;
    const trial = this.#random.pick(organisation.completed);
    const standing = organisation.outcomeOf(trial);
    const outcome = standing !== null && this.#random.chance(0.3) ? null : this.#random.pick(OUTCOMES);
    if (what === 'decide' && standing !== outcome) await organisation.decide(trial, outcome);
    else await organisation.rename(this.#random.pick(organisation.roles), `Role ${1_000 + number}`);
  }
}

/**
 * Requests of several organisations' staff at a steady rate, sent when they are due, whether or not former ones were
 * answered. Every answer is compared with the state that the organisation's only writer has made.
 */
class CheckedLoad {
  readonly #loads: readonly OrganisationLoad[];
  readonly #running: Promise<void>;
  readonly #started = performance.now();
  #over = false;
  #requests = 0;
  #report: Promise<LoadReport> | null = null;

  /** @param rate requests per second of all organisations together */
  constructor(organisations: readonly KnownOrganisation[], rate: number, seed: number) {
    this.#loads = organisations.map((organisation, n) => new OrganisationLoad(organisation, seed + n));
    this.#running = this.#run(rate);
  }

  /** Requests that were refused or answered wrongly so far. */
  get faults(): readonly string[] {
    return this.#loads.flatMap(({ reader, faults }) => [...faults, ...reader.counted.faults]);
  }

  /** Ends the load, and waits for the open requests. A second call gets the first result. */
  end(): Promise<LoadReport> {
    this.#over = true;
    return (this.#report ??= this.#end());
  }

  async #end(): Promise<LoadReport> {
    await this.#running;
    await Promise.all(this.#loads.map((load) => load.end()));
    const seconds = (performance.now() - this.#started) / 1_000;
    const counted = this.#loads.map(({ reader }) => reader.counted);
    const took = counted.flatMap((one) => one.took).sort((a, b) => a - b);
    const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? 0;
    return {
      requests: this.#requests,
      reads: took.length,
      writes: this.#loads.reduce((sum, { writes }) => sum + writes, 0),
      rate: this.#requests / seconds,
      medianMs: at(0.5),
      p99Ms: at(0.99),
      faults: this.faults,
    };
  }

  async #run(rate: number): Promise<void> {
    for (let turn = 0; !this.#over;) {
      const due = ((performance.now() - this.#started) / 1_000) * rate;
      for (; this.#requests < due; turn++) {
        const load = this.#loads[turn % this.#loads.length];
        this.#requests += load?.begin() ?? 0;
      }
      await sleep(TICK_MS);
    }
  }
}

const ORGANISATIONS = ['north', 'east', 'south', 'west', 'centre'];
const SIZE = { roles: 6, completed: 24, started: 12, activities: 110 };
const RATE = 200;
/** Fewer promotions give too few moments at which a reader could see a wrong answer. */
const ROUNDS = 2;

/** An operator's actions on a view that is being read, each with the generation that is live afterwards. */
const ROUND: readonly (readonly string[])[] = [
  ['rebuild', 'signal'],
  ['rebuild', 'signal', '--hold', '--segments', '3'],
  ['diff', 'signal'],
  ['verify', 'signal', '--all', '--generation', 'next'],
  ['promote', 'signal', '--yes'],
  ['rollback', 'signal', '--yes'],
  ['diff', 'signal'],
  ['rebuild', 'roles'],
  ['rollback', 'roles', '--yes'],
];

/** Compares the views with the log: nothing may differ. */
const AT_LAST: readonly (readonly string[])[] = [
  ['diff', 'signal'],
  ['diff', 'roles'],
  ['verify', 'signal', '--all'],
  ['verify', 'roles', '--all'],
  ['verify', 'applications', '--all'],
];

it('rebuilds, promotions and rollbacks under 200 requests a second: not one of them fails or is answered wrongly', async () => {
  const place = await makePlace();
  const service = await place.start();
  try {
    const api = new Api(service.url);
    const organisations: KnownOrganisation[] = [];
    for (const name of ORGANISATIONS)
      organisations.push(await KnownOrganisation.create(api, place.dataDir, name));
    await Promise.all(organisations.map((organisation) => organisation.fill(SIZE)));

    const load = new CheckedLoad(organisations, RATE, 8);
    let switched = 0;
    const operate = async (args: readonly string[]): Promise<void> => {
      const { code, out, err } = await startAssay(place.dataDir, ['projections', ...args]).ended();
      expect({ args, code, out, err, faults: load.faults.slice(0, 3) }).toMatchObject({
        code: 0,
        faults: [],
      });
      if (args[0] !== 'diff' && args[0] !== 'verify' && !args.includes('--hold'))
        switched += args.includes('--all') ? views.length : 1;
    };
    try {
      for (let round = 0; round < ROUNDS; round++) for (const args of ROUND) await operate(args);
      // Among them the views that decide who may read.
      await operate(['rebuild', '--all']);
    } finally {
      await load.end();
    }
    const { faults, ...figures } = await load.end();
    console.log(`${switched} times another generation served: ${JSON.stringify(figures)}`);
    expect(faults).toEqual([]);
    expect(figures.rate).toBeGreaterThan(RATE * 0.95);
    for (const args of AT_LAST) await operate(args);
    const output = service.output();
    await service.stop();
    expect(output).not.toMatch(/"level":"?(error|fatal|50|60)/);
  } finally {
    await service.kill();
    await place.remove();
  }
});
