import { lstatSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, cutOff, interrupt, skip } from '../../src/domain/session/interview-decider.js';
import { openPrepared, type Prepared } from '../contract/prepared.js';
import { tour } from '../contract/tour.js';
import type { Person, Reply } from '../support/api.js';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { playRounds } from '../support/hiring-rounds.js';
import { definition, work } from '../support/organisation.js';
import { openBeside, RecordedInterview } from '../support/recorded-interview.js';
import type { Stage } from '../support/stage.js';

/** A command under an Idempotency-Key, with its answer. */
export interface Sent {
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
  readonly status: number;
  readonly answer: unknown;
}

/** What a test must know of the folder to use it further. */
export interface Made {
  /** When the service was stopped. */
  readonly at: string;
  readonly organisationId: string;
  readonly owner: string;
  readonly candidate: string;
  readonly ids: Prepared['ids'];
  readonly sent: readonly Sent[];
}

/** Replaces the service's address in a text, which differs at each start. */
export const atAnyAddress = (text: string): string =>
  text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://service');

/** Sends commands of staff and candidate that create records, each under a key. */
const sendCommands = async ({ stage, candidate, ids, receiver }: Prepared): Promise<readonly Sent[]> => {
  const { owner } = stage;
  const one = (name: string): string => ids[name]?.[0] ?? '';
  const sent: Sent[] = [];
  const send = async (person: Person, method: 'POST' | 'PUT', path: string, body: unknown): Promise<void> => {
    const key = `key-${sent.length}`;
    const headers = { 'idempotency-key': key };
    const reply: Reply = await (method === 'POST' ? person.post : person.put).call(
      person,
      path,
      body,
      headers,
    );
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    const answer = JSON.parse(atAnyAddress(JSON.stringify(reply.body))) as unknown;
    sent.push({ by: person.email, method, path, body, key, status: reply.status, answer });
  };
  const email = 'sent-again@example.org';
  await send(owner, 'POST', stage.at('/roles'), definition('Sent again'));
  await send(owner, 'POST', stage.at('/tickets'), { title: 'Sent again' });
  await send(owner, 'POST', stage.at('/members'), { email, role: 'reviewer' });
  await send(owner, 'POST', stage.at('/webhooks'), {
    url: `${receiver.url}/again`,
    events: ['trial.started'],
  });
  await send(owner, 'POST', stage.at(`/roles/${one('roleId')}/invitations`), { candidateEmail: email });
  const invitations = ['a', 'b'].map((name) => ({ candidateEmail: `${name}-${email}` }));
  await send(owner, 'POST', stage.at(`/roles/${one('roleId')}/invitations/batch`), { invitations });
  await send(owner, 'POST', stage.at(`/evaluations/${one('evaluationId')}/share-links`), {});
  await send(owner, 'POST', stage.at(`/webhooks/${one('webhookId')}/test`), undefined);
  const outcome = { humanRound: 'passed', disposition: 'hired', reason: 'Sent again.' };
  await send(owner, 'PUT', stage.at(`/trial-sessions/${one('trialSessionId')}/outcome`), outcome);
  candidate.follow(owner);
  const contest = { about: { kind: 'transcript' }, text: 'Sent again.' };
  await send(candidate, 'POST', `/me/evaluations/${one('evaluationId')}/contests`, contest);
  owner.follow(candidate);
  return sent;
};

/** Plays sessions of three more candidates: with a token of unverified address, with a cut interview, and erased. */
const playFurther = async ({ stage, ids }: Prepared): Promise<void> => {
  const { owner, service } = stage;
  const [role = ''] = ids['roleId'] ?? [];
  const must = async (reply: Promise<Reply>): Promise<void> => {
    const { status, text } = await reply;
    if (status >= 300) throw new Error(text);
  };
  const doubted = await stage.started(role);
  const unverified = await stage.api.as(doubted.email, false);
  await must(unverified.post(`${doubted.session}/activity`, work('doubted')));

  const { sessionId } = await stage.started(role);
  const beside = await openBeside(service.dataDir);
  const interview = await RecordedInterview.begin(beside, sessionId);
  await interview.ask();
  const on = { connectionId: 'one', turn: 1 };
  const heard = { lastAudioSeq: 0, voice: null, elapsedMs: 2_000 };
  await beside.record(sessionId, (state) =>
    cutOff(state, { ...on, playedMs: 300, sentMs: 900, messageId: 'cut-off' }),
  );
  await beside.record(sessionId, (state) => skip(state, { ...on, ...heard, messageId: 'skipped' }));
  await beside.record(sessionId, (state) => interrupt(state, on));
  const again = { connectionId: 'two', host: 'test', identity: 'verified', recorded: true } as const;
  await beside.record(sessionId, (state) =>
    connect(state, { ...again, deviceId: null, now: new Date().toISOString() }),
  );
  await beside.close();

  const erased = await stage.started(role);
  await must(erased.person.post(`${erased.session}/activity`, work('erased')));
  await must(erased.person.post(`${erased.session}/complete`));
  owner.follow(erased.person);
  await noneGenerating(stage);
  await must(owner.post(`${erased.application}/erasure`));
  await eventually(
    async () => (await owner.get<{ status: string }>(erased.application)).body.status === 'erased',
  );
};

const noneGenerating = (stage: Stage): Promise<unknown> =>
  eventually(async () => {
    const path = stage.at('/evaluations?status=generating');
    return (await stage.owner.get<{ items: unknown[] }>(path)).body.items.length === 0;
  });

/** Resolves once nothing is appended any more: all background work is done. */
const settled = async (stage: Stage): Promise<void> => {
  let former: string | null = null;
  for (;;) {
    const head = await stage.head();
    if (head === former) return;
    former = head;
    await pause(3_000);
  }
};

/** Makes requests of an operator, and waits until each is done. */
const operate = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  for (const args of [
    ['projections', 'pause', 'tickets'],
    ['projections', 'resume', 'tickets'],
    ['projections', 'rebuild', 'tickets'],
    ['projections', 'rollback', 'tickets', '--yes'],
    ['projections', 'rebuild', 'contests', '--hold'],
    ['projections', 'promote', 'contests', '--yes'],
    ['projections', 'rebuild', 'contests', '--hold'],
    ['projections', 'cancel', 'contests', '--yes'],
  ]) {
    const { code, err } = await assay(settings, ...args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
  }
};

/**
 * Starts a service and uses all of it: records of each kind and state, every operation once, and hiring rounds with
 * interviews.
 * @param folder target of the copy of the data folder, which is made once the service has ended
 */
export const makeFolder = async (folder: string): Promise<Made> => {
  const prepared = await openPrepared();
  try {
    const { stage, candidate, ids } = prepared;
    const { service, owner } = stage;
    const stranger = await stage.signIn('stranger@example.org');
    await tour(prepared, { owner, candidate, stranger });
    const sent = await sendCommands(prepared);
    const renamed = { title: 'Parser, second part' };
    await owner.patch(stage.at(`/tickets/${ids['ticketId']?.[0] ?? ''}`), renamed);
    await playFurther(prepared);
    const rounds = await playRounds(service, 3, 3).ended();
    if (rounds.code !== 0) throw new Error(rounds.output);
    await operate({ DATA_DIR: service.dataDir });
    await noneGenerating(stage);
    await settled(stage);
    process.kill(service.pid, 'SIGTERM');
    await service.ended();
    // Sockets belong to processes and hold no data.
    const filter = (path: string): boolean => !lstatSync(path).isSocket();
    await cp(service.dataDir, folder, { recursive: true, filter });
    const { org: organisationId } = stage;
    const at = new Date().toISOString();
    return { at, organisationId, owner: owner.email, candidate: candidate.email, ids, sent };
  } finally {
    await prepared.close();
  }
};
