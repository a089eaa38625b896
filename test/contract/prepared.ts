import { randomBytes } from 'node:crypto';
import type { Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { definition, invite, work } from '../support/organisation.js';
import { openReceiver, type Receiver } from '../support/receiver.js';
import { openBeside, RecordedInterview } from '../support/recorded-interview.js';
import { sendFile } from '../support/send-file.js';
import { openStage, type Stage } from '../support/stage.js';

/** Values of path parameters, by the parameter's name, that lead to existing records. */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** A service with an organisation that holds at least one record of each kind and state. */
export interface Prepared {
  readonly stage: Stage;
  /** Takes the organisation's notices. */
  readonly receiver: Receiver;
  /** Owns `ids.trialSessionId` and `ids.applicationId`. */
  readonly candidate: Person;
  readonly ids: Ids;
  /** The application of the mails of `ids.mailId`. The service has abandoned these mails. */
  readonly mailed: string;
  /** The session of the hand-in `ids.handInId`. */
  readonly handedIn: string;
  /** A role for invitations only. Random requests archive the other roles, or turn them back into drafts. */
  readonly inviting: string;
  /** Applications of other candidates, for operations that end or erase an application. */
  readonly expendable: readonly string[];
  close(): Promise<void>;
}

interface Opened {
  readonly applicationId: string;
  readonly sessionId: string;
}

const SORTS: Readonly<Record<string, string>> = { applications: '-roleName', evaluations: '-overallScore' };
const EXPENDABLE = 8;
const STATES = ['invited', 'started', 'withdrawn', 'completed', 'spoken', 'shared'] as const;

/** @param env settings in addition to those of `openStage` */
export const openPrepared = async (env: Readonly<Record<string, string>> = {}): Promise<Prepared> => {
  const receiver = await openReceiver();
  const stage = await openStage({ WEBHOOK_ALLOW_PRIVATE: 'on', ...env });
  const { owner, org } = stage;

  const webhook = await owner.post<{ id: string }>(stage.at('/webhooks'), {
    url: `${receiver.url}/notices`,
    events: ['candidate.invited', 'outcome.recorded', 'evaluation.ready'],
  });
  const keys: string[] = [];
  for (let n = 0; n < 3; n++) {
    const key = { name: `Key ${n}`, scopes: ['roles.read'] };
    keys.push((await owner.post<{ id: string }>(stage.at('/api-keys'), key)).body.id);
  }
  const views: string[] = [];
  for (const list of ['applications', 'evaluations', 'applications']) {
    const view = { list, name: `View ${views.length}`, filter: { sort: SORTS[list] }, shared: true };
    views.push((await owner.post<{ id: string }>(stage.at('/saved-views'), view)).body.id);
  }
  const spare: string[] = [];
  for (const role of ['admin', 'recruiter', 'reviewer']) {
    const member = { email: `${role}@example.org`, role };
    spare.push((await owner.post<{ id: string }>(stage.at('/members'), member)).body.id);
  }

  const { ticket, fileSetId } = await ticketWithWork(stage);
  const draft = await owner.post<{ id: string }>(stage.at('/roles'), {
    ...definition('Draft'),
    dimensions: [],
  });
  const candidate = await stage.signIn('candidate@example.org');
  const opened: Opened[] = [];
  const roleIds: string[] = [];
  for (const state of STATES) {
    const role = { ...definition(`Role ${state}`), ticketIds: [ticket] };
    const roleId = (await owner.post<{ id: string }>(stage.at('/roles'), role)).body.id;
    roleIds.push(roleId);
    const one = await invite(owner, org, roleId, candidate.email);
    opened.push(one);
    candidate.follow(owner);
    await play(stage, candidate, one, state);
  }
  const handedIn = opened[STATES.indexOf('started')]?.sessionId ?? '';
  const handIns = `/trial-sessions/${handedIn}/tickets/${ticket}/hand-ins`;
  const handInId = await sendFile(candidate, handIns, 'answer.md', TEXT);
  owner.follow(candidate);

  const evaluationIds: string[] = [];
  for (const { applicationId } of opened) {
    const { body } = await owner.get<{ trialSessions: { evaluationId: string | null }[] }>(
      stage.at(`/applications/${applicationId}`),
    );
    const evaluationId = body.trialSessions[0]?.evaluationId;
    if (evaluationId) evaluationIds.unshift(evaluationId);
  }
  for (const id of evaluationIds) {
    const path = stage.at(`/evaluations/${id}`);
    await eventually(async () => (await owner.get<{ status: string }>(path)).body.status === 'ready');
  }
  const [shared = ''] = evaluationIds;
  const links: { id: string; token: string }[] = [];
  for (let n = 0; n < 3; n++)
    links.push(
      (await owner.post<{ id: string; token: string }>(stage.at(`/evaluations/${shared}/share-links`))).body,
    );

  candidate.follow(owner);
  const contests: string[] = [];
  for (let n = 0; n < EXPENDABLE; n++) {
    const body = { about: { kind: 'transcript' }, text: `Not so: ${n}.` };
    const path = `/me/evaluations/${shared}/contests`;
    contests.push((await candidate.post<{ id: string }>(path, body)).body.id);
  }
  owner.follow(candidate);

  const expendable: string[] = [];
  for (let n = 0; n < EXPENDABLE; n++)
    expendable.push((await invite(owner, org, roleIds[0]!, `expendable-${n}@example.org`)).applicationId);

  const mailed = (await invite(owner, org, roleIds[0]!, 'mailed@example.org')).applicationId;
  const deliveries = await eventually(async () => {
    const { body } = await owner.get<{ items: { id: string; status: string }[] }>(
      stage.at(`/webhooks/${webhook.body.id}/deliveries`),
    );
    const delivered = body.items.filter(({ status }) => status === 'delivered');
    return delivered.length > 3 && delivered;
  });
  const inviting = await stage.role('Role to invite to');
  const csv = 'candidateEmail\nimported@example.org';
  const imported = await owner.post<{ id: string }>(stage.at(`/roles/${roleIds[0]!}/imports`), { csv });
  const sessions = opened.map(({ sessionId }) => sessionId).reverse();
  return {
    stage,
    receiver,
    candidate,
    ids: {
      orgId: [org],
      memberId: spare,
      ticketId: [ticket],
      fileSetId: [fileSetId],
      handInId: [handInId],
      mailId: await giveUpMails(stage, mailed),
      roleId: [...roleIds, draft.body.id],
      applicationId: opened.map(({ applicationId }) => applicationId).reverse(),
      trialSessionId: sessions,
      evaluationId: evaluationIds,
      contestId: contests,
      shareLinkId: links.map(({ id }) => id),
      token: links.map(({ token }) => token),
      turn: ['1'],
      apiKeyId: keys,
      savedViewId: views,
      importId: [imported.body.id],
      webhookId: [webhook.body.id],
      deliveryId: deliveries.map(({ id }) => id),
    },
    mailed,
    expendable,
    handedIn,
    inviting,
    close: async () => {
      await stage.close();
      await receiver.close();
    },
  };
};

/** Closes the reminders of an application as failed, as an operator does after a restore. @returns the mails' ids */
export const giveUpMails = async (stage: Stage, applicationId: string): Promise<readonly string[]> => {
  const { owner, org, service } = stage;
  const path = stage.at(`/applications/${applicationId}`);
  const { body } = await owner.get<{
    roleId: string;
    candidateId: string;
    trialSessions: { id: string }[];
  }>(path);
  const of = {
    ...{ organisationId: org, applicationId, roleId: body.roleId, candidateId: body.candidateId },
    trialSessionId: body.trialSessions[0]!.id,
  };
  const mails = await owner.get<{ items: { id: string; kind: string }[] }>(`${path}/mails`);
  const ids = mails.body.items.flatMap(({ id, kind }) => (kind === 'reminder' ? [id] : []));
  const beside = await openBeside(service.dataDir);
  for (const id of ids) {
    const [, causedBy, days] = id.split('.');
    const mail = { kind: 'reminder', causedBy: causedBy!, days: Number(days) } as const;
    await beside.closeMail(applicationId, { application: of, mail, result: 'failed' });
  }
  await beside.close();
  await eventually(
    async () => (await owner.get<{ mailProblem: object | null }>(path)).body.mailProblem !== null,
  );
  return ids;
};

/** Brings a trial session into a state. */
const play = async (
  { service }: Stage,
  candidate: Person,
  { sessionId }: Opened,
  state: (typeof STATES)[number],
): Promise<void> => {
  const session = `/trial-sessions/${sessionId}`;
  const must = async (path: string, body?: object): Promise<void> => {
    const { status, text } = await candidate.post(`${session}${path}`, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
  };
  await candidate.get('/me');
  if (state === 'invited') return;
  await must('/start', { consent: true });
  await must('/activity', work());
  if (state === 'started') return;
  if (state === 'withdrawn') return must('/withdraw');
  if (state === 'spoken') {
    const beside = await openBeside(service.dataDir);
    const interview = await RecordedInterview.begin(beside, sessionId);
    await interview.ask();
    await interview.speak(1, randomBytes(32_000));
    await interview.answer(1, true);
    await beside.close();
  }
  await must('/complete');
};

const TEXT = Buffer.from('# Parser');

/** Makes a ticket with files: its starter and its visible checks are the same file set. */
const ticketWithWork = async (stage: Stage): Promise<{ ticket: string; fileSetId: string }> => {
  const { owner } = stage;
  const work = { title: 'Parser', kind: 'files' };
  const { id: ticket } = (await owner.post<{ id: string }>(stage.at('/tickets'), work)).body;
  const fileSetId = await sendFile(owner, stage.at(`/tickets/${ticket}/file-sets`), 'README.md', TEXT);
  const checks = { visible: fileSetId, hidden: fileSetId, slug: 'python', isolation: 'separate' };
  await owner.patch(stage.at(`/tickets/${ticket}`), { starter: fileSetId, checks });
  return { ticket, fileSetId };
};
