import { createHash } from 'node:crypto';
import type { Person, Reply } from '../support/api.js';
import { definition, LOGO } from '../support/organisation.js';
import type { Prepared } from './prepared.js';

interface Calls {
  readonly owner: Person;
  readonly candidate: Person;
  readonly stranger: Person;
}

/**
 * Calls, with success, every operation that a simulated round does not use, and provokes each kind of refusal.
 * @param people callers whose requests pass the recorder
 */
export const tour = async (
  { ids, mailed, expendable, stage, receiver }: Prepared,
  people: Calls,
): Promise<void> => {
  const { owner, candidate, stranger } = people;
  const one = (name: string): string => {
    const [first] = ids[name] ?? [];
    if (first === undefined) throw new Error(`Nothing is prepared for ${name}.`);
    return first;
  };
  const at = (path = ''): string => stage.at(path);
  const must = async <B>(reply: Promise<Reply<B>>): Promise<B> => {
    const { status, body, text } = await reply;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return body;
  };
  const now = encodeURIComponent(new Date().toISOString());
  const evaluation = at(`/evaluations/${one('evaluationId')}`);
  const hook = at(`/webhooks/${one('webhookId')}`);
  const spoken = ids['trialSessionId']?.[1] ?? '';

  for (const path of [
    '',
    '/members',
    `/members/${one('memberId')}`,
    '/roles',
    `/roles/${one('roleId')}`,
    `/roles/${one('roleId')}/measures`,
    `/roles/${one('roleId')}/notice`,
    '/applications',
    '/application-counts',
    `/applications/${one('applicationId')}`,
    `/applications/${one('applicationId')}/mails`,
    `/applications/${one('applicationId')}/timeline`,
    '/evaluations',
    '/evaluation-counts',
    '/signal',
    `/signal/history?at=${now}`,
    '/signal/stages',
    '/audit',
    '/exports/applications',
    '/exports/evaluations',
    '/exports/signal',
    '/webhooks',
    '/api-keys',
    `/api-keys/${one('apiKeyId')}`,
    '/saved-views',
    `/saved-views/${one('savedViewId')}`,
  ])
    await must(owner.get(at(path)));
  for (const path of ['', '/explanation', `/history?at=${now}`, '/share-links', '/reads'])
    await must(owner.get(`${evaluation}${path}`));
  for (const path of ['', '/deliveries']) await must(owner.get(`${hook}${path}`));
  const audio = at(`/trial-sessions/${spoken}/audio/1`);
  await must(owner.get(audio));
  await must(owner.get(audio, { range: 'bytes=0-99' }));
  for (const path of [
    '/me',
    `/applications/${one('applicationId')}`,
    `/trial-sessions/${one('trialSessionId')}`,
    `/shared/reports/${one('token')}`,
    `/shared/reports/${one('token')}/report.pdf`,
    '/.well-known/evidence-keys.json',
    '/health/live',
    '/health/ready',
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
  ])
    await must(candidate.get(path));

  const content = { title: 'Fix the parser', description: 'It drops the last line.' };
  const ticket = await must(owner.post<{ id: string }>(at('/tickets'), content));
  await must(owner.get(at('/tickets')));
  await must(owner.get(at(`/tickets/${ticket.id}`)));
  await must(owner.patch(at(`/tickets/${ticket.id}`), content));
  const announcedSet = { name: 'README.md', bytes: 8, sha256: 'a'.repeat(64) };
  await must(owner.post(at(`/tickets/${ticket.id}/file-sets`), announcedSet));
  const starter = at(`/tickets/${one('ticketId')}/file-sets/${one('fileSetId')}`);
  for (const path of ['', '/content']) await must(owner.get(`${starter}${path}`));
  await must(owner.post(`${starter}/pieces`, { offset: 0, data: 'IyBQYXJzZXI=' }));
  await must(owner.post(`${starter}/complete`));
  const invitations = [{ candidateEmail: 'one-of-many@example.org' }];
  await must(owner.post(at(`/roles/${one('roleId')}/invitations/batch`), { invitations }));
  const csv = 'candidateEmail;candidateName\none-of-a-file@example.org;"Hopper; Grace"\n';
  await must(owner.post(at('/import-checks'), { csv }));
  const imported = await must(owner.post<{ id: string }>(at(`/roles/${one('roleId')}/imports`), { csv }));
  for (const path of ['/imports', `/imports/${imported.id}`, '/import-template'])
    await must(owner.get(at(path)));
  for (const path of ['/versions', '/difference?from=1&to=1', '?version=1'])
    await must(owner.get(at(`/roles/${one('roleId')}${path}`)));
  await must(owner.get(at('/role-templates?language=de')));
  await must(owner.post(at('/role-templates/roles'), { template: 'support' }));
  await must(owner.post(at(`/roles/${one('roleId')}/clone`)));
  await must(owner.post(at(`/roles/${one('roleId')}/archive`)));
  await must(owner.get(at('/roles?archived=true')));
  await must(owner.delete(at(`/roles/${one('roleId')}/archive`)));
  const session = `/trial-sessions/${one('trialSessionId')}`;
  const { tickets } = await must(candidate.get<{ tickets: { id: string }[] }>(`${session}/briefing`));
  const text = Buffer.from('The loop ends one line too early.');
  const handIns = `/trial-sessions/${ids['trialSessionId']?.at(-2) ?? ''}/tickets/${one('ticketId')}/hand-ins`;
  const announced = {
    ...{ name: 'answer.md', bytes: text.length },
    sha256: createHash('sha256').update(text).digest('hex'),
  };
  const handIn = `${handIns}/${(await must(candidate.post<{ id: string }>(handIns, announced))).id}`;
  await must(candidate.post(`${handIn}/pieces`, { offset: 0, data: text.toString('base64') }));
  await must(candidate.post(`${handIn}/complete`));
  for (const path of [handIns, handIn, `${handIn}/content`]) await must(candidate.get(path));
  owner.follow(candidate);
  const read = at(`/trial-sessions/${ids['trialSessionId']?.at(-2) ?? ''}/hand-ins`);
  const shown = `${read}/${handIn.split('/').at(-1) ?? ''}`;
  for (const path of [
    read,
    shown,
    `${shown}/checks`,
    `${shown}/file?path=answer.md`,
    `${shown}/difference?from=${handIn.split('/').at(-1) ?? ''}`,
  ])
    await must(owner.get(path));
  const given = `${session}/tickets/${tickets[0]?.id ?? ''}`;
  for (const path of ['', '/starter', '/starter/files?path=README.md', '/visible-checks'])
    await must(candidate.get(`${given}${path}`));
  await must(candidate.get(`${session}/receipts?id=a1&id=a2`));
  await must(owner.post(at(`/applications/${mailed}/mails/${one('mailId')}/resend`)));
  const open = ids['applicationId']?.at(-1) ?? '';
  await must(candidate.post(`/applications/${open}/accommodation-requests`, { text: 'More time.' }));
  await must(candidate.post(`/applications/${open}/erasure-requests`));
  const granted = { timeFactor: 1.5, typedOnly: false, captions: true };
  await must(owner.put(at(`/applications/${open}/accommodations`), granted));
  await must(owner.post(at(`/applications/${open}/remind`)));
  await must(owner.delete(at(`/applications/${open}/sign-in-lock`)));

  await must(owner.patch(at(), { retentionDays: 400 }));
  await must(owner.put(at('/logo'), { data: LOGO }));
  await must(owner.delete(at('/logo')));
  const added = { email: 'added@example.org', role: 'reviewer' };
  const member = at(`/members/${(await must(owner.post<{ id: string }>(at('/members'), added))).id}`);
  await must(owner.patch(member, { role: 'recruiter' }));
  await must(owner.delete(member));
  await must(owner.patch(at(`/applications/${expendable[0]}`), { expiresAt: later(20) }));
  await must(owner.post(at(`/applications/${expendable[0]}/cancel`)));
  await must(owner.post(at(`/applications/${expendable[1]}/erasure`)));
  const outcome = at(`/trial-sessions/${one('trialSessionId')}/outcome`);
  await must(owner.put(outcome, { humanRound: 'passed', disposition: 'hired', reason: 'Clear tests.' }));
  await must(
    candidate.post(`/trial-sessions/${one('trialSessionId')}/feedback`, { ease: 4, text: 'Clear.' }),
  );
  await must(candidate.get('/me/export'));
  await must(owner.patch(at(), { candidateResults: 'result_with_explanation' }));
  await must(candidate.get('/me/evaluations'));
  const own = `/me/evaluations/${one('evaluationId')}`;
  await must(candidate.get(own));
  const contested = { about: { kind: 'transcript' }, text: 'I said something else.' };
  const contest = await must(candidate.post<{ id: string }>(`${own}/contests`, contested));
  await must(owner.get(`${evaluation}/contests`));
  await must(owner.post(`${evaluation}/contests/${contest.id}/answer`, { text: 'We corrected it.' }));
  await must(owner.delete(outcome));
  const link = await must(owner.post<{ id: string }>(`${evaluation}/share-links`));
  await must(owner.delete(`${evaluation}/share-links/${link.id}`));
  await must(owner.post(`${hook}/deliveries/${one('deliveryId')}/redeliver`));
  await must(owner.post(`${hook}/test`));
  await must(owner.post(`${hook}/rotate-secret`, { formerSecretValidHours: 1 }));
  const further = { url: `${receiver.url}/further`, events: ['candidate.erased'] };
  const created = await must(owner.post<{ id: string }>(at('/webhooks'), further));
  await must(owner.delete(at(`/webhooks/${created.id}`)));
  const key = { name: 'Applicant tracking', scopes: ['roles.read'] };
  const made = await must(owner.post<{ id: string }>(at('/api-keys'), key));
  await must(owner.delete(at(`/api-keys/${made.id}`)));
  const view = {
    ...{ list: 'applications', name: 'One person', shared: true },
    filter: { roleId: one('roleId'), text: 'candidate@example.org' },
  };
  const saved = at(`/saved-views/${(await must(owner.post<{ id: string }>(at('/saved-views'), view))).id}`);
  await must(owner.patch(saved, { name: 'Scores', filter: { sort: '-invitedAt' } }));
  await must(owner.delete(saved));
  await must(owner.post(`${evaluation}/regenerations`));

  // An erased application is still readable, without its personal part.
  await must(owner.get(at(`/applications/${expendable[1]}`)));
  await must(owner.get(at('/applications')));
  for (const [status, reply] of [
    [400, owner.post(at('/roles'), {})],
    [400, owner.get(at('/applications?cursor=none'))],
    [403, stranger.get(at('/roles'))],
    [404, owner.get(at('/roles/none'))],
    [404, stranger.get('/shared/reports/none')],
    [
      409,
      owner.post(at(`/roles/${one('roleId')}/invitations`), { candidateEmail: 'expendable-2@example.org' }),
    ],
    [410, owner.patch(at(`/applications/${expendable[1]}`), { expiresAt: later(20) })],
    [412, owner.patch(at(`/roles/${one('roleId')}`), definition(), { 'if-match': '"999"' })],
    [416, owner.get(audio, { range: 'bytes=999999-' })],
  ] as const)
    if ((await reply).status !== status) throw new Error(`Not ${status}: ${(await reply).text}`);
};

const later = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
