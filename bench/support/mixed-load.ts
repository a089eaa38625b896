import { activityBatch, sendingBatch } from './activities.js';
import type { Contender } from './contenders.js';
import { definition } from './hiring.js';
import { answered, keepAliveAgent, type LoopRequest } from './open-loop.js';

const READERS = 8;
const WRITERS = 8;
const CANDIDATES = 2;
/** A session takes no more than 10,000 events. */
const BATCHES_OF_A_SESSION = 90;

/**
 * Reads of the signal, changes of roles, and candidates who send batches of activity, one after another.
 * @returns how many requests were answered, all with success
 */
export const mixedLoad = async (
  { server, organisationId, token, roleIds, startSessions }: Contender,
  seconds: number,
): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  const agent = keepAliveAgent();
  let answers = 0;
  const isOver = (): boolean => performance.now() >= end;
  const send = async (request: LoopRequest): Promise<void> => {
    await answered(agent, request);
    answers++;
  };
  const organisation = `${server.url}/organisations/${organisationId}`;
  const headers = { authorization: `Bearer ${token}` };
  const read = async (): Promise<void> => {
    while (!isOver()) await send({ url: `${organisation}/signal`, headers });
  };
  const change = async (writer: number): Promise<void> => {
    const url = `${organisation}/roles/${roleIds[writer % roleIds.length]}`;
    for (let turn = 0; !isOver(); turn++) {
      const body = JSON.stringify(definition(`Role ${writer} ${turn}`, turn % 101));
      await send({ url, method: 'PATCH', headers, body });
    }
  };
  const work = async (): Promise<void> => {
    while (!isOver()) {
      for (const session of await startSessions(1)) {
        for (let batch = 0; batch < BATCHES_OF_A_SESSION && !isOver(); batch++)
          await send(sendingBatch(server, session, activityBatch(batch)));
      }
    }
  };
  const times = (count: number, one: (index: number) => Promise<void>): Promise<void>[] =>
    Array.from({ length: count }, (_, index) => one(index));
  try {
    await Promise.all([...times(READERS, read), ...times(WRITERS, change), ...times(CANDIDATES, work)]);
  } finally {
    await agent.destroy();
  }
  return answers;
};
