import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInterviews } from '../../../projections/open-interviews.js';
import {
  leasesOf,
  startAbandonedInterviews,
  startProjector,
  startReactor,
  takeAway,
} from '../../../test/support/alone.js';
import { eventuallyHolds } from '../../../test/support/eventually.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { markingSealer, plainCodec, record } from '../../../test/support/projection-rig.js';
import { START } from '../../core/event-store.js';
import type { Projector } from '../../engine/feeding/runner.js';
import { createViewReader } from '../../engine/reads/reads.js';
import { isGone, processName } from '../../process/owner.js';
import { openEmbeddedReadStore } from '../../stores/lmdb/views/open.js';
import type { ReadStore } from '../../stores/read-store.js';
import { finishInterviews } from '../session/interview-closer.js';
import type { AbandonedWorkerOptions } from './abandoned.js';
import { InterviewHost, leaseOfHost } from './host.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const deaf = (): void => undefined;
/** Tries end once the view shows what they have done, which a busy machine takes its time for: one more may come first. */
const ended = (tries: readonly unknown[]): Promise<void> =>
  eventuallyHolds(async () => {
    const before = tries.length;
    await pause(100);
    return tries.length === before;
  });
const PAST = '2026-01-01T00:00:00.000Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

describe('On the embedded read store', () => {
  let folder: string;
  let readStore: ReadStore;
  let eventStore: MemoryEventStore;
  let projector: Projector;
  const running: { stop(): Promise<void> }[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interview-watch-'));
    readStore = await openEmbeddedReadStore(folder);
    eventStore = new MemoryEventStore();
    projector = startProjector({
      eventStore,
      readStore,
      codec: plainCodec(),
      sealer: markingSealer,
      views: [openInterviews],
      owner: 'test',
    });
    await projector.ready;
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await projector.stop();
    await readStore.close();
    await rm(folder, { recursive: true });
  });

  const reader = () => createViewReader({ eventStore, readStore, sealer: markingSealer });

  const happened = (type: string, session: string, data: object = {}) =>
    record(eventStore, { type, data: { trialSessionId: session, ...data }, stream: `trial-${session}` });

  const connected = (session: string, connectionId: string, host: string) =>
    happened('interview.connected', session, {
      organisationId: 'o',
      candidateId: 'c',
      applicationId: `of ${session}`,
      roleId: 'r',
      connectionId,
      host,
    });

  function watch(
    interrupt: AbandonedWorkerOptions['ending']['interrupt'],
    resumeMs = 60,
    deadMs = 5000,
  ): void {
    const ending = { interrupt };
    const owner = processName();
    const timings = { pollMs: 20, resumeMs, deadMs, retry: { baseMs: 5, capMs: 20 } };
    running.push(
      startAbandonedInterviews({ readStore, reader: reader(), ending, owner, isGone, ...timings }),
    );
  }

  /** A host whose process is gone: nothing renews its lease. */
  async function killedHost(): Promise<string> {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const owner = `${hostname()}/${pid}`;
    const host = new InterviewHost({ leases: readStore.leases, owner, renewMs: 3_600_000 });
    return (await host.begin(deaf)).host;
  }

  describe('an interview whose process was killed', () => {
    it('is interrupted once its client has had its time, those of living ones are not', async () => {
      const host = new InterviewHost({ leases: readStore.leases, owner: processName(), renewMs: 20 });
      running.push(host);
      const { host: living } = await host.begin(deaf);
      const killed = await killedHost();
      await connected('a', 'a1', killed);
      await connected('b', 'b1', living);
      await connected('c', 'c1', killed);
      const began = performance.now();
      const taken: string[] = [];
      watch(async (session, connectionId) => {
        taken.push(`${session.applicationId}: ${connectionId}`);
        await happened('trial.interrupted', session.trialSessionId, { connectionId });
      }, 1_500);
      // Its client is back in time.
      await connected('c', 'c2', living);
      await eventuallyHolds(() => taken.length > 0);
      expect(performance.now() - began).toBeGreaterThanOrEqual(1_500);
      await ended(taken);
      expect(new Set(taken)).toEqual(new Set(['of a: a1']));
      expect(await readStore.leases.get(leaseOfHost(killed))).toBeNull();
      expect(await readStore.leases.get(leaseOfHost(living))).not.toBeNull();
    });

    it('is tried again until it succeeds, beside the others', async () => {
      const killed = await killedHost();
      const sessions = Array.from({ length: 10 }, (_, n) => `s${n}`);
      for (const session of sessions) await connected(session, `${session}-1`, killed);
      const tries: string[] = [];
      const triesOf = (session: string): number => tries.filter((one) => one === session).length;
      let now = 0;
      let most = 0;
      watch(async ({ trialSessionId }, connectionId) => {
        most = Math.max(most, ++now);
        // The first ones wait until as many as may are at work; had fewer a turn at once, none would end.
        await eventuallyHolds(() => most === 4);
        now--;
        tries.push(trialSessionId);
        if (trialSessionId === 's3' && triesOf('s3') < 4) throw new Error('The log is away.');
        await happened('trial.interrupted', trialSessionId, { connectionId });
      });
      await eventuallyHolds(() => new Set(tries).size === 10 && triesOf('s3') >= 4);
      await ended(tries);
      expect(most).toBe(4);
    });

    it('is left to the process with the lease: what is queued under a lease does not begin once that is lost', async () => {
      const killed = await killedHost();
      for (let n = 0; n < 8; n++) await connected(`s${n}`, `s${n}-1`, killed);
      const leases = leasesOf(readStore, { owner: processName(), isGone });
      const begun: string[] = [];
      let letGo = (): void => undefined;
      const released = new Promise<void>((resolve) => (letGo = resolve));
      const interrupt = async ({ trialSessionId }: { readonly trialSessionId: string }): Promise<void> => {
        begun.push(trialSessionId);
        await released;
      };
      const timings = { pollMs: 20, resumeMs: 60, deadMs: 5_000, retry: { baseMs: 5, capMs: 20 } };
      const options = { readStore, reader: reader(), ending: { interrupt }, isGone, leases, ...timings };
      running.push(startAbandonedInterviews(options));
      // As many as may be at work; the others are queued.
      await eventuallyHolds(() => begun.length === 4);
      const giveBack = await takeAway(readStore.leases, 'abandoned-interviews', leases);
      letGo();
      await pause(200);
      expect(begun).toHaveLength(4);
      await giveBack();
      await eventuallyHolds(() => new Set(begun).size === 8);
    });

    it('is looked after by one process at a time, and by the next when that stops', async () => {
      const killed = await killedHost();
      const taken: string[] = [];
      watch(async (_, connectionId) => void taken.push(`first ${connectionId}`), 20, 200);
      await connected('a', 'a1', killed);
      await eventuallyHolds(() => taken.length > 0);
      watch(async (_, connectionId) => void taken.push(`second ${connectionId}`), 1, 200);
      await pause(100);
      expect(new Set(taken)).toEqual(new Set(['first a1']));
      await running.shift()?.stop();
      await eventuallyHolds(() => taken.includes('second a1'));
    });
  });

  it('an interrupted interview is completed when its time is over, until that has happened', async () => {
    const tries: string[] = [];
    const finishing = finishInterviews({
      finishOverdue: async ({ trialSessionId }) => {
        tries.push(trialSessionId);
        if (tries.length < 3) throw new Error('The log is away.');
        await happened('trial.completed', trialSessionId);
      },
    });
    for (const [session, endsAt] of [
      ['over', PAST],
      ['later', FUTURE],
      ['connected', PAST],
    ] as const) {
      await connected(session, `${session}-1`, 'h');
      await happened('interview.question_asked', session, { endsAt });
      if (session !== 'connected')
        await happened('trial.interrupted', session, { connectionId: `${session}-1` });
    }
    const installedAt = async () => START;
    const common = { installedAt, readStore, reader: reader(), owner: processName() };
    running.push(startReactor({ ...common, ...finishing, pollMs: 10, retry: { baseMs: 5, capMs: 10 } }));
    await eventuallyHolds(() => tries.length >= 3);
    await ended(tries);
    const before = tries.length;
    expect(new Set(tries)).toEqual(new Set(['over']));
    await happened('trial.interrupted', 'connected', { connectionId: 'connected-1' });
    await eventuallyHolds(() => tries.length > before);
    await ended(tries);
    expect(new Set(tries.slice(before))).toEqual(new Set(['connected']));
  });
});
