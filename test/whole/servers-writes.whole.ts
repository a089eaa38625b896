import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { evaluations } from '../../projections/evaluations.js';
import { roundsOnServers } from '../servers/rounds-on-servers.js';
import { eventually } from '../support/eventually.js';
import { type CommandFault, failCommand, refuseFurtherDocuments } from '../support/mongodb/faults.js';
import { wrongClock } from '../support/service.js';

const HOUR_MS = 3_600_000;

/** The service's log, a line of JSON each. */
const failedPass = (view: string): string => `A pass of the view \\"${view}\\" failed`;

describe('two API processes and two projectors on EventStoreDB and MongoDB', () => {
  it('MongoDB refuses commands, breaks off, answers late and without a majority; clocks are an hour apart', async () => {
    // An API whose clock is further behind would refuse tokens as issued in the future.
    const clocks = { firstApi: wrongClock(-50_000), firstProjector: wrongClock(HOUR_MS) };
    await roundsOnServers({ candidates: 30, seed: 25, ...clocks }, async ({ direct, projectors }) => {
      const fail = (data: CommandFault) => failCommand(direct.MONGODB_URL!, data, { times: 8 });
      for (const failure of [
        { errorCode: 8000 },
        { closeConnection: true },
        { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
        { blockConnection: true, blockTimeMS: 4_000 },
      ]) {
        for (const command of ['update', 'insert', 'findAndModify']) {
          await fail({ failCommands: [command], ...failure });
          await sleep(400);
        }
      }
      await projectors[0]!.crash();
    });
  });

  it('MongoDB refuses single documents of a page, and checkpoints after their documents', async () => {
    await roundsOnServers({ candidates: 24, seed: 27 }, async ({ direct, output }, playing) => {
      const url = direct.MONGODB_URL!;
      const said = (text: string) => output().split(text).length - 1;
      const others = () => said('failed; it is repeated') - said(failedPass('evaluations'));
      const heal = await refuseFurtherDocuments(url, `view.evaluations.v${evaluations.version}.g1`);
      for (const failure of [{ errorCode: 8000 }, { closeConnection: true }]) {
        const before = others();
        const checkpoints = { failCommands: ['update'], namespace: 'assay.checkpoints', ...failure };
        const end = await failCommand(url, checkpoints);
        await sleep(2_000);
        await end();
        expect(others()).toBeGreaterThan(before);
      }
      await playing.played(6);
      await eventually(async () => said(failedPass('evaluations')) > 2);
      await heal();
    });
  });
});
