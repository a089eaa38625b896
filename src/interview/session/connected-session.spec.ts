import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import { START } from '../../core/event-store.js';
import type { Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { EMPTY_IDS } from '../../domain/session/id-set.js';
import type { Trial, TrialState } from '../../domain/session/state.js';
import { ConnectedSession, type InterviewServices } from './connected-session.js';
import type { AdmittedCaller, ClientChannel } from './port.js';

const CONFLICT: Handled<TrialState> = {
  kind: 'refused',
  refusal: { code: 'conflict', message: 'Others keep changing this record.' },
};

/** A session on a connection, whose stream is read as `stored` has it. */
const given = () => {
  let stored: Trial | null = null;
  let reads = 0;
  let over = 0;
  const closings: number[] = [];
  const commands = {
    read: async () => {
      reads += 1;
      return { state: stored, position: START };
    },
  };
  const ids = {
    applicationId: randomUUID(),
    trialSessionId: randomUUID(),
    candidateId: randomUUID() as PersonId,
  };
  const session = new ConnectedSession(
    { commands } as unknown as InterviewServices,
    { session: ids, ids: { correlationId: 'c' } } as unknown as AdmittedCaller,
    { close: (code: number) => void closings.push(code) } as unknown as ClientChannel,
    0,
    { onMoved: () => undefined, onOver: () => void (over += 1) },
  );
  /** What the stream has, in place of what it had. */
  const holds = (status: string, isConnected: boolean): void => {
    const connection = { connectionId: session.connectionId, open: isConnected };
    const interview = { connection, connectionIds: EMPTY_IDS, facts: [] };
    stored = { status, lastSequenceNumber: reads, interview } as unknown as Trial;
  };
  return { session, holds, closings, counts: () => ({ reads, over }) };
};

describe('a step that other writers keep in conflict', () => {
  it('is refused after five tries', async () => {
    const { session, holds } = given();
    holds('started', true);
    let tries = 0;
    expect(await session.carryOut(async () => (tries++, CONFLICT))).toMatchObject({ code: 'conflict' });
    expect(tries).toBe(5);
  });

  it('is no refusal if they have ended the session, as the read after the last try shows', async () => {
    const { session, holds, closings } = given();
    holds('started', true);
    let tries = 0;
    const step = async () => {
      if (++tries === 5) holds('withdrawn', true);
      return CONFLICT;
    };
    expect(await session.carryOut(step)).toBeNull();
    expect([tries, session.isOver, closings.length]).toEqual([5, true, 1]);
  });
});

describe('a connection whose end is recorded', () => {
  it('is closed for the client to connect again, if another process has taken it for dead', async () => {
    const { session, holds, closings, counts } = given();
    holds('started', false);
    await session.refresh();
    expect([session.isOver, closings, counts().over]).toEqual([true, [CLOSE.restart], 1]);
  });

  it('still records what came on it, if it has ended here', async () => {
    const { session, holds, closings } = given();
    holds('started', false);
    session.leave();
    await session.refresh();
    expect([session.isOver, closings]).toEqual([false, []]);
    let recorded = 0;
    await session.carryOut(async () => {
      recorded += 1;
      return { kind: 'refused', refusal: { code: 'not_found', message: 'No.' } };
    });
    expect(recorded).toBe(1);
  });
});
