import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Candidate, joinStage, type Stage } from '../support/stage.js';

interface Role {
  readonly id: string;
  readonly aiPolicy: string | null;
}
interface Evaluation {
  readonly status: string;
  readonly overallScore: number;
  readonly scores: readonly { readonly score: number }[];
  readonly evidence: {
    readonly events: readonly { readonly payload: { readonly notice?: { readonly text: string } } }[];
  };
  readonly integrity: readonly {
    readonly kind: string;
    readonly severity: string;
    readonly aiPolicy?: string;
    readonly allowedByPolicy?: boolean | null;
  }[];
}

const NOTICE = { version: '7', text: 'Your answers are recorded.' };
const FORBIDDEN = 'You may not use AI assistants';

describe('a role’s AI policy', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await joinStage();
  });
  afterAll(() => stage.close());

  const role = async (fields: object): Promise<string> =>
    (await stage.owner.post<Role>(stage.at('/roles'), { ...definition(), ...fields })).body.id;
  const noticeOf = async ({ person, session }: Pick<Candidate, 'person' | 'session'>) =>
    (await person.get<{ notice: typeof NOTICE }>(`${session}/briefing`)).body.notice;

  /** The evaluation of a candidate who pastes much, under a role with these fields. */
  const evaluated = async (fields: object, beforeStart?: (roleId: string) => Promise<unknown>) => {
    const roleId = await role(fields);
    const { person, session, application } = await stage.candidate(roleId);
    await beforeStart?.(roleId);
    const { version: noticeVersion } = await noticeOf({ person, session });
    await person.post(`${session}/start`, { consent: true, noticeVersion });
    const events = [
      ['clipboard.pasted', { characters: 400, nonBlankCharacters: 400, source: 'prompt' }],
      ['network.changed', {}],
      ['test.run', { passed: 9, failed: 1, durationMs: 800 }],
    ].map(([eventType, payload], second) => ({
      ...{ clientEventId: `c${second}`, eventType, payload },
      occurredAt: new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString(),
    }));
    await person.post(`${session}/activity`, { events });
    await person.post(`${session}/complete`);
    stage.owner.follow(person);
    const { body } = await stage.owner.get<{ trialSessions: { evaluationId: string }[] }>(application);
    const path = stage.at(`/evaluations/${body.trialSessions[0]!.evaluationId}`);
    return eventually(async () => {
      const read = await stage.owner.get<Evaluation>(path);
      return read.body.status === 'ready' && read.body;
    });
  };

  it('is set, kept and taken back with the role, and is none unless it is given', async () => {
    const id = await role({});
    const path = stage.at(`/roles/${id}`);
    const patch = async (fields: object) =>
      (await stage.owner.patch<Role>(path, { ...definition(), ...fields })).body.aiPolicy;
    expect((await stage.owner.get<Role>(path)).body.aiPolicy).toBeNull();
    expect(await patch({ aiPolicy: 'forbidden' })).toBe('forbidden');
    expect(await patch({ name: 'Other' })).toBe('forbidden');
    expect(await patch({ name: 'Other', aiPolicy: null })).toBeNull();
    for (const send of [
      stage.owner.post(stage.at('/roles'), { ...definition(), aiPolicy: 'maybe' }),
      stage.owner.patch(path, { ...definition(), aiPolicy: 'maybe' }),
    ])
      expect(await send).toMatchObject({ status: 400, body: { details: [{ path: 'aiPolicy' }] } });
  });

  it('is in the notice, in the candidate’s language, whoever wrote the notice', async () => {
    const invited = async (fields: object, language: string) => {
      const candidateEmail = `${language}-${Math.random()}@example.org`;
      const path = stage.at(`/roles/${await role(fields)}/invitations`);
      const { body } = await stage.owner.post<{ trialSessions: { id: string }[] }>(path, {
        ...{ candidateEmail, language },
      });
      const person = await stage.signIn(candidateEmail);
      person.follow(stage.owner);
      return { person, session: `/trial-sessions/${body.trialSessions[0]!.id}` };
    };
    const plain = await noticeOf(await invited({}, 'en'));
    const english = await noticeOf(await invited({ aiPolicy: 'forbidden' }, 'en'));
    expect(plain.text).not.toContain('AI assistant');
    expect(english.text).toContain(FORBIDDEN);
    expect(english.version).not.toBe(plain.version);
    const german = await noticeOf(await invited({ aiPolicy: 'allowed' }, 'de'));
    expect(german.text).toContain('In dieser Prüfung dürfen Sie KI-Assistenten verwenden.');
    const own = await noticeOf(await invited({ aiPolicy: 'provided', notice: NOTICE }, 'en'));
    expect(own.version).toMatch(/^7\+[0-9a-f]{12}$/);
    const alone = await noticeOf(await invited({ notice: NOTICE }, 'en'));
    expect(alone).toEqual(NOTICE);
    expect(
      own.text.startsWith(`${NOTICE.text}\n\n**AI assistants.** You may use the AI assistant that`),
    ).toBe(true);
  });

  it('is in the notice that staff can read before anybody is invited, as the candidate then reads it', async () => {
    for (const fields of [{ aiPolicy: 'forbidden' }, { aiPolicy: 'forbidden', notice: NOTICE }, {}]) {
      const roleId = await role(fields);
      const path = stage.at(`/roles/${roleId}/notice`);
      const { body } = await stage.owner.get<typeof NOTICE & { defaultText: string }>(path);
      const { version, text } = await noticeOf(await stage.candidate(roleId));
      expect(body).toMatchObject({ version, text });
      expect(body.defaultText).toContain('What is recorded');
      expect(body.defaultText).not.toContain(FORBIDDEN);
      const german = await stage.owner.get<typeof NOTICE>(`${path}?language=de`);
      expect(german.body.text.includes('KI-Assistenten')).toBe('aiPolicy' in fields);
    }
  });

  it('is agreed to as it was read: once the organisation has another name, the notice is another version', async () => {
    const candidate = await stage.candidate(await role({ aiPolicy: 'provided', notice: NOTICE }));
    const before = await noticeOf(candidate);
    expect((await stage.owner.patch(stage.at(''), { name: 'Renamed plc' })).status).toBe(200);
    candidate.person.follow(stage.owner);
    const start = (noticeVersion: string) =>
      candidate.person.post(`${candidate.session}/start`, { consent: true, noticeVersion });
    expect(await start(before.version)).toMatchObject({ status: 409, body: { code: 'notice_changed' } });
    const after = await noticeOf(candidate);
    expect(after.text).toContain('that Renamed plc provides');
    expect((await start(after.version)).status).toBe(200);
  });

  it('is that of the invitation, also in the evidence and in the findings', async () => {
    const { evidence, integrity } = await evaluated({ aiPolicy: 'forbidden' }, (roleId) =>
      stage.owner.patch(stage.at(`/roles/${roleId}`), { ...definition(), aiPolicy: 'allowed' }),
    );
    expect(evidence.events[0]?.payload.notice?.text).toContain(FORBIDDEN);
    expect(integrity.find(({ kind }) => kind === 'paste_burst')).toMatchObject({
      aiPolicy: 'forbidden',
      allowedByPolicy: false,
    });
  });

  it('is named in the findings that it concerns, hides none and changes no score', async () => {
    const none = await evaluated({});
    const kinds = none.integrity.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['paste_burst', 'prompt_copied', 'network_changed']));
    for (const finding of none.integrity) expect(finding).not.toHaveProperty('allowedByPolicy');
    for (const [aiPolicy, allowedByPolicy] of [
      ['forbidden', false],
      ['allowed', true],
      ['provided', null],
    ] as const) {
      const { integrity, scores, overallScore } = await evaluated({ aiPolicy });
      expect([overallScore, scores.map(({ score }) => score)]).toEqual([
        none.overallScore,
        none.scores.map(({ score }) => score),
      ]);
      expect(integrity.map(({ kind, severity }) => [kind, severity])).toEqual(
        none.integrity.map(({ kind, severity }) => [kind, severity]),
      );
      for (const finding of integrity)
        if (['paste_burst', 'prompt_copied'].includes(finding.kind))
          expect(finding).toMatchObject({ aiPolicy, allowedByPolicy });
        else expect(finding).not.toHaveProperty('aiPolicy');
    }
  });
});
