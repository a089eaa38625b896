import { createHash } from 'node:crypto';
import type { Contest, NewShareLink } from '../../packages/client/src/index.js';
import type { Reply } from '../support/api.js';
import { Interviewee } from '../support/interviewee.js';
import { definition, work } from '../support/organisation.js';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import type { Candidate, Stage } from '../support/stage.js';

/** A text that would run if a page rendered it as HTML. */
export const HOSTILE = `<img src="x" onerror="hostile=1">"'></script><script>hostile=1</script>`;
/** For texts longer than a name: with control characters, marks of direction and Markdown. */
const FREE = `${HOSTILE}\n\n[press](javascript:hostile=1) ![x](x) \u0007\u202e\u2066\u2028 </textarea></title><svg onload=hostile=1>\${hostile=1}{{hostile=1}}`;
/** For the name of a file, which allows fewer characters. */
const FILE_NAME = `' onerror='hostile=1' &lt;script&gt;\${hostile=1}{{hostile=1}}.md`;
/** For the address of a page. */
const URL_END = `?q="'><script>hostile=1</script>`.replaceAll(' ', '+');

/** The candidate who is invited under a hostile name. */
export const HOSTILE_ADDRESS = 'hostile@example.org';

/** The records that were made with such texts. */
export interface Hostile {
  readonly role: string;
  /** An incomplete role, whose categories are texts of its author. */
  readonly draft: string;
  readonly ticket: string;
  readonly view: string;
  readonly importId: string;
  readonly webhook: string;
  readonly done: Evaluated;
  readonly atWork: Candidate;
  readonly report: string;
}

/** The created record. @throws it was refused: then the texts would be on no page */
const made = async <T>(reply: Promise<Reply<T>>): Promise<T> => {
  const { status, text, body } = await reply;
  if (status >= 300) throw new Error(`Not made: ${status} ${text}`);
  return body;
};

/** Everything that staff and candidates can type, filled with hostile texts by the API. */
export const hostileTexts = async (stage: Stage): Promise<Hostile> => {
  const { owner } = stage;
  await made(
    owner.patch(stage.at(), {
      ...{ name: HOSTILE, senderName: HOSTILE, candidateResults: 'result_with_explanation' },
    }),
  );
  await made(owner.post(stage.at('/members'), { subject: HOSTILE, role: 'reviewer' }));
  const ticket = await made(
    owner.post<{ id: string }>(stage.at('/tickets'), {
      ...{ title: HOSTILE, description: FREE, kind: 'text' },
      links: [{ title: HOSTILE, url: `https://example.org/${URL_END}` }],
    }),
  );
  const role = await made(owner.post<{ id: string }>(stage.at('/roles'), definition('Before')));
  const dimensions = [
    { name: HOSTILE, weight: 60, category: 'correctness', threshold: 50, rubric: FREE },
    { name: 'How did it go?', weight: 40, category: 'process' },
  ];
  await made(
    owner.patch(stage.at(`/roles/${role.id}`), {
      ...{ ...definition(`Keeper ${HOSTILE}`), dimensions, instructions: FREE, ticketIds: [ticket.id] },
      questions: [{ text: FREE, dimensionName: HOSTILE }],
      notice: { version: HOSTILE.slice(0, 50), text: FREE },
    }),
  );
  const draft = await made(
    owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition(HOSTILE),
      dimensions: [{ name: HOSTILE, weight: 999, category: HOSTILE.slice(0, 60) }],
    }),
  );
  await made(
    owner.post(stage.at(`/roles/${role.id}/invitations`), {
      ...{ candidateEmail: HOSTILE_ADDRESS, candidateName: HOSTILE, externalId: FREE.slice(0, 200) },
    }),
  );
  const cell = `"${HOSTILE.replaceAll('"', '""')}"`;
  const csv = `candidateEmail;candidateName;externalId\nrow@example.org;${cell};${cell}\n`;
  const { id: importId } = await made(
    owner.post<{ id: string }>(stage.at(`/roles/${role.id}/imports`), { csv }),
  );
  const done = await evaluated(stage, role.id, async (candidate) => {
    await worked(candidate, ticket.id);
    await answered(stage, candidate);
  });
  await made(
    owner.put(stage.at(`/trial-sessions/${done.sessionId}/outcome`), {
      ...{ humanRound: 'passed', reason: FREE },
    }),
  );
  await contested(stage, done);
  const [link] = await Promise.all([
    made(owner.post<NewShareLink>(`${done.evaluation}/share-links`, { label: HOSTILE })),
    made(owner.post(stage.at('/api-keys'), { name: HOSTILE, scopes: ['roles.read'] })),
  ]);
  const webhook = await made(
    owner.post<{ id: string }>(stage.at('/webhooks'), {
      ...{ url: `https://example.org/${URL_END}`, events: ['candidate.erased'] },
    }),
  );
  const view = await made(
    owner.post<{ id: string }>(stage.at('/saved-views'), {
      ...{ list: 'applications', name: HOSTILE, filter: { text: HOSTILE }, shared: true },
    }),
  );
  return {
    ...{ role: role.id, draft: draft.id, ticket: ticket.id, view: view.id, importId, webhook: webhook.id },
    ...{ done, atWork: await stage.started(role.id), report: link.url },
  };
};

/** What a candidate writes at work: words to an assistant, a file and its name, and what is asked of staff. */
const worked = async ({ person, session, applicationId }: Candidate, ticketId: string): Promise<void> => {
  const [first] = work().events;
  const said = { ...first, clientEventId: 'hostile', eventType: 'message.sent' };
  await made(
    person.post(`${session}/activity`, { events: [{ ...said, payload: { text: FREE, to: 'assistant' } }] }),
  );
  const content = Buffer.from(FREE);
  const handIns = `${session}/tickets/${ticketId}/hand-ins`;
  const { id } = await made(
    person.post<{ id: string }>(handIns, {
      ...{ name: FILE_NAME, bytes: content.length },
      sha256: createHash('sha256').update(content).digest('hex'),
    }),
  );
  await made(person.post(`${handIns}/${id}/pieces`, { offset: 0, data: content.toString('base64') }));
  await made(person.post(`${handIns}/${id}/complete`));
  await made(person.post(`/applications/${applicationId}/accommodation-requests`, { text: FREE }));
};

/** What a candidate answers in the interview. */
const answered = async ({ service }: Stage, { person, sessionId }: Candidate): Promise<void> => {
  const address = `${service.url.replace('http', 'ws')}/interrogation/${sessionId}/socket?token=${person.token}`;
  const interviewee = new Interviewee(() => address);
  try {
    await interviewee.question(1);
    const { acknowledged } = await interviewee.client.answer(FREE, { turn: 1 });
    if (!acknowledged) throw new Error('The answer was not recorded.');
  } finally {
    interviewee.client.close();
  }
};

/** Texts about an evaluation, of the candidate and of staff. */
const contested = async (stage: Stage, { person, evaluationId, evaluation, session }: Evaluated) => {
  await made(person.post(`${session}/feedback`, { ease: 4, text: FREE }));
  const own = `/me/evaluations/${evaluationId}/contests`;
  person.follow(stage.owner);
  const kinds = ['transcript', 'score'] as const;
  const [answered] = await Promise.all(
    kinds.map((kind) => made(person.post<Contest>(own, { about: { kind, reference: HOSTILE }, text: FREE }))),
  );
  stage.owner.follow(person);
  await made(stage.owner.post(`${evaluation}/contests/${answered?.id ?? ''}/answer`, { text: FREE }));
};
