import { setTimeout as sleep } from 'node:timers/promises';
import { inFolder } from './support/folder.js';
import { Choir, compareRecording, SOCKETS } from './support/interview/audio.js';
import { type Employer, makeCandidates, makeEmployer } from './support/interview/candidates.js';
import { Interviewee } from './support/interview/interviewee.js';
import { compareLatency } from './support/interview/latency.js';
import { memoryOf } from './support/interview/memory.js';
import { compare, rounded, versions } from './support/measure.js';
import { type Server, startService, startSink, stopAfter } from './support/servers.js';

const PACKAGES = ['ws', 'lmdb', '@nestjs/core'];
/** A client that reads nothing may take no more than this from those that do. */
const STALLED_BAR = 0.9;
/** A few less than a client may send. */
const STALLED_PINGS_PER_SECOND = 80;

/**
 * The interview's socket against bare `ws`: 200 sockets whose frames are sent as fast as they are taken, durable when
 * they are acknowledged here; the same with a client among them that reads nothing; the way from an answer to the next
 * question; and the memory of sockets that are silent.
 */
export const run = (): Promise<void> =>
  inFolder((folder) =>
    stopAfter(async (started) => {
      const pair = async (name: string) => {
        const service = started(await startService(`${folder}/${name}/service`));
        const sink = started(await startSink(`${folder}/${name}/sink`));
        const employer = await makeEmployer(service.url, `${folder}/${name}/service`);
        return { service, sink, employer };
      };
      const audio = await pair('audio');
      const passed = [await atSaturation(audio.employer, audio.sink), await withOneStalled(audio.employer)];
      // Processes of its own: what the load above left in their memory would count.
      const silent = await pair('silent');
      passed.push(await toTheNextQuestion(silent.employer, silent.sink, silent.service));
      if (passed.includes(false)) process.exitCode = 1;
    }),
  );

/** Throws where a frame was lost or out of order, on either side. */
const atSaturation = async (employer: Employer, sink: Server): Promise<boolean> => {
  const bare = await Choir.ofSink(sink.url);
  const invited = await makeCandidates(employer, 'saturation', SOCKETS);
  const ours = await Choir.ofOurs(invited);
  const { passed } = await compare({
    name: `audio frames, ${SOCKETS} sockets at saturation`,
    unit: 'frames/s',
    baseline: 'a bare ws sink',
    bar: 0.8,
    sides: { baseline: () => bare.sing(), ours: () => ours.sing() },
    warmUps: 2,
    packages: PACKAGES,
  });
  for (const [index, candidate] of invited.entries())
    await compareRecording(employer, candidate, ours.saidBy(index, 1 + (index % ours.turns)));
  bare.close();
  ours.close();
  return passed !== false;
};

const withOneStalled = async (employer: Employer): Promise<boolean> => {
  const [invited] = await makeCandidates(employer, 'stalled', 1);
  const choir = await Choir.ofOurs(await makeCandidates(employer, 'beside', SOCKETS));
  const beside = async (): Promise<number> => {
    if (!invited) throw new Error('Nobody was invited.');
    const stalled = await Interviewee.open(invited);
    stalled.client.stall();
    const pings = setInterval(() => stalled.client.send({ type: 'ping' }), 1_000 / STALLED_PINGS_PER_SECOND);
    await sleep(1_000);
    const speed = await choir.sing();
    clearInterval(pings);
    stalled.client.close();
    return speed;
  };
  const { passed } = await compare({
    name: `audio frames, ${SOCKETS} sockets beside one that reads nothing`,
    unit: 'frames/s',
    baseline: 'the same without it',
    bar: STALLED_BAR,
    sides: { baseline: () => choir.sing(), ours: beside },
    packages: PACKAGES,
  });
  choir.close();
  return passed !== false;
};

const toTheNextQuestion = async (employer: Employer, sink: Server, service: Server): Promise<boolean> => {
  const invited = await makeCandidates(employer, 'silent', SOCKETS);
  const opened: { ours?: Choir; bare?: Choir } = {};
  const bareKiB = await memoryOf(sink, SOCKETS, async () => {
    opened.bare = await Choir.ofSink(sink.url);
  });
  const ownKiB = await memoryOf(service, SOCKETS, async () => {
    opened.ours = await Choir.ofOurs(invited);
  });
  const { ours, bare } = opened;
  if (!ours || !bare) throw new Error('No socket was opened.');
  const name = `memory of a silent socket, of ${SOCKETS}`;
  console.log(`\n${name}: ${rounded(ownKiB)} KiB, of bare ws ${rounded(bareKiB)} KiB (no bar)`);
  const memory = { name, unit: 'KiB', baseline: 'bare ws', bar: null, passed: null };
  console.log(
    JSON.stringify({
      ...memory,
      rounds: [{ baseline: bareKiB, ours: ownKiB }],
      versions: versions(PACKAGES),
    }),
  );
  const passed = await compareLatency(ours.sockets, bare.sockets);
  ours.close();
  bare.close();
  return passed;
};
