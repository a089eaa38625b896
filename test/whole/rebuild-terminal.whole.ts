import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAssay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import type { Program, ProgramEnd } from '../support/program.js';
import { endedWell } from '../support/service.js';
import { expectViewsToEqualAFoldFromZero } from '../support/whole-views.js';
import { leftovers } from './rebuild-phases.js';
import { RebuildPlace } from './rebuild-place.js';

const SIZE = { roles: 3, completed: 20, started: 2, activities: 2_000 };
const VIEW = 'evidence';
const printed = ({ code, out, err }: ProgramEnd): string => `${code} ${out}${err}`;
const BUILT = /^Building /m;

describe('an operator’s terminal that is closed in mid-rebuild', () => {
  let place: RebuildPlace;
  beforeAll(async () => (place = await RebuildPlace.open(SIZE, { apart: false })));
  afterAll(() => place.remove());

  const rebuild = (...args: readonly string[]): Program =>
    startAssay(place.place.dataDir, ['projections', 'rebuild', VIEW, ...args]);
  const live = async () => (await place.stores.readStore.pointers.get(VIEW))?.live.number ?? 0;
  const atRest = async (): Promise<void> => {
    await eventually(async () => (await place.requests.state()).open.size === 0);
  };

  it.each(['SIGHUP', 'SIGKILL', 'SIGINT'] as const)(
    'by %s: the rebuild goes on without it',
    async (signal) => {
      const before = await live();
      const command = rebuild();
      await command.printed(BUILT);
      // The rebuild must not end before the command.
      const builder = place.builder() ?? place.service;
      process.kill(builder, 'SIGSTOP');
      command.process.kill(signal);
      const { code, out, err } = await command.ended();
      process.kill(builder, 'SIGCONT');
      // SIGKILL leaves the command no time to print anything.
      expect(code).toBe(signal === 'SIGKILL' ? null : 130);
      if (code === 130) expect(out + err).toContain('continues without this command');
      await eventually(async () => (await live()) > before);
      await atRest();
    },
  );

  it('and no projector is running: the command does the work, and resumes where a killed one was', async () => {
    const ended = await place.stop();
    expect(ended).toHaveLength(1);
    endedWell(...ended);
    const before = await live();
    const killed = rebuild();
    await killed.printed(BUILT);
    killed.process.kill('SIGKILL');
    expect(printed(await killed.ended())).toMatch(
      /^null.*No projector is running: this command does the work itself/s,
    );
    expect(await live()).toBe(before);
    expect((await place.requests.state()).open.size).toBe(1);
    const begun = (await place.stores.readStore.pointers.get(VIEW))?.next?.generation.name;

    expect(printed(await rebuild().ended())).toMatch(/^0.*this command continues it/s);
    expect((await place.stores.readStore.pointers.get(VIEW))?.live.name).toBe(begun);
    await atRest();

    const interrupted = rebuild('--hold');
    await interrupted.printed(BUILT);
    interrupted.process.kill('SIGINT');
    expect(printed(await interrupted.ended())).toMatch(/^130.*stopped, since no projector/s);
    const cancelled = await startAssay(place.place.dataDir, ['projections', 'cancel', VIEW, '--yes']).ended();
    expect(cancelled).toMatchObject({ code: 0 });
    expect(await leftovers(place, VIEW, { held: false, former: true })).toEqual([]);

    await place.restart();
    await expectViewsToEqualAFoldFromZero(place.settings);
  });
});
