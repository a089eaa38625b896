import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorRequests } from '../../src/operator/cli/requests.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';
import type { Pointer } from '../../src/stores/read-store.js';
import { eventuallyHolds } from '../support/eventually.js';
import { added, record } from '../support/projection-rig.js';
import type { Answer, Question, VersionPlan } from './versioned-projector.js';

const PROGRAM = resolve('dist/test/faults/versioned-projector.js');

/** A process of one version of the service. */
class Version {
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  private constructor(readonly child: ChildProcess) {
    child.on('message', (message: Answer | 'ready') => {
      if (message !== 'ready') this.#answers.get(message.id)?.(message);
    });
  }

  static async start(plan: VersionPlan): Promise<Version> {
    const child = fork(PROGRAM, [JSON.stringify(plan)], { env: { PATH: process.env['PATH'] }, execArgv: [] });
    const version = new Version(child);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The process has ended.')));
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return version;
  }

  ask(read: Question['read']): Promise<Answer> {
    const question: Question = { id: ++this.#asked, read };
    const answered = new Promise<Answer>((settle) => this.#answers.set(question.id, settle));
    this.child.send(question);
    return answered;
  }

  async total(document: string): Promise<number | null | undefined> {
    return (await this.ask({ document, token: null })).total;
  }

  async end(signal: 'SIGKILL' | null = null): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'exit');
    if (signal === null) this.child.disconnect();
    else this.child.kill(signal);
    await closed;
  }
}

describe('An older and a newer version of the service on the same stores', () => {
  let dataDir: string;
  let stores: Stores;
  let requests: OperatorRequests;
  const running: Version[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-versions-'));
    stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
    requests = new OperatorRequests(stores.streams);
  });

  afterEach(async () => {
    for (const version of running.splice(0)) await version.end('SIGKILL');
    await stores.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (version: 1 | 2, automatic = true): Promise<Version> => {
    const started = await Version.start({ dataDir, version, automatic });
    running.push(started);
    return started;
  };
  const pointer = async (): Promise<Pointer> => (await stores.readStore.pointers.get('accounts'))!;
  const append = async (amount: number) => (await record(stores.eventStore, added('a', amount)))[0]!;
  const carriedOut = async (kind: 'rollback' | 'rebuild') => {
    const id = randomUUID();
    await requests.ask(
      kind === 'rebuild'
        ? { kind, id, view: 'accounts', segments: null, hold: false }
        : { kind, id, view: 'accounts' },
    );
    await eventuallyHolds(async () => (await requests.outcome(id)) !== null, 40_000);
    return await requests.outcome(id);
  };

  it('the newer one rebuilds by itself, also after a kill; the older one feeds its own generation, and rolls back', async () => {
    const older = await start(1);
    await record(stores.eventStore, ...Array.from({ length: 200 }, (_, n) => added(`b${n % 40}`, 1)));
    await append(1);
    await eventuallyHolds(async () => (await older.total('a')) === 1);
    // Killed as soon as the rebuild has begun, and started again.
    const dying = await start(2);
    await eventuallyHolds(
      async () => (await pointer()).next !== null || (await pointer()).live.version === 2,
    );
    await dying.end('SIGKILL');
    const newer = await start(2);
    await eventuallyHolds(async () => (await pointer()).live.version === 2, 60_000);
    await append(2);
    await eventuallyHolds(async () => expect(await newer.total('a')).toBe(6));
    await eventuallyHolds(async () => expect(await older.total('a')).toBe(6));

    // After a restart, the older one begins no rebuild; both generations are fed.
    await older.end();
    const again = await start(1);
    await append(3);
    await eventuallyHolds(async () => expect(await again.total('a')).toBe(12));
    await sleep(1_000);
    expect(await pointer()).toMatchObject({
      live: { version: 2 },
      former: { generation: { version: 1 } },
      next: null,
    });

    // Alone it cannot feed the live generation: it reports that, and refuses at once reads that need later events.
    await newer.end();
    const token = await append(4);
    await eventuallyHolds(async () => {
      const { error, ms } = await again.ask({ document: 'a', token });
      expect(error).toBe('ReadModelBehind');
      expect(ms).toBeLessThan(1_000);
    }, 30_000);
    expect(await again.total('a')).toBe(12);
    const { notices } = await again.ask(null);
    expect(notices).toContainEqual(
      expect.stringMatching(/^No running code folds accounts\.v2\.g\d+, which is live/),
    );

    expect(await carriedOut('rollback')).toMatchObject({ result: 'done' });
    expect(await again.ask({ document: 'a', token })).toMatchObject({ total: 10 });
    // After an operator's rollback, the newer code does not rebuild again by itself.
    await start(2);
    await sleep(1_500);
    expect(await pointer()).toMatchObject({ live: { version: 1 }, next: null });
  });

  it('with REBUILD=manual the newer one serves the existing generation until a rebuild is requested', async () => {
    const older = await start(1);
    await append(1);
    await eventuallyHolds(async () => (await older.total('a')) === 1);
    await older.end();
    const newer = await start(2, false);
    const token = await append(2);
    expect(await newer.ask({ document: 'a', token })).toMatchObject({ total: 3 });
    expect((await newer.ask(null)).notices).toContainEqual(
      expect.stringContaining('The code folds version 2 of accounts, but version 1 is live'),
    );
    expect(await pointer()).toMatchObject({ live: { version: 1 }, next: null });
    expect(await carriedOut('rebuild')).toMatchObject({ result: 'done' });
    expect(await newer.ask({ document: 'a', token })).toMatchObject({ total: 6 });
  });
});
