import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPLICATION_STATUSES, applicationStatus, OUTCOME_STATUSES } from '../../projections/applications.js';
import {
  addressOf,
  CANDIDATES,
  COMPANY,
  type DemoCandidate,
  type Extra,
  MEMBERS,
  ROLES,
  storyOf,
  VISITOR,
} from '../../tools/demo/cast.js';
import { assay } from '../support/assay.js';
import { browserPath, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService, spawnService } from '../support/service.js';
import { as, tokenFor } from '../support/tokens.js';

const WAIT_LIMIT_MS = 240_000;
const DAY_MS = 86_400_000;

interface Application {
  readonly id: string;
  readonly candidateName: string | null;
  readonly status: string;
  readonly invitedAt: string;
  readonly trialSessions: readonly { readonly startedAt: string | null; readonly endedAt: string | null }[];
}
interface Evaluation {
  readonly id: string;
  readonly status: string;
  readonly overallScore: number | null;
  readonly applicationId: string;
}
interface Page<T> {
  readonly items: readonly T[];
}

describe('the demo', () => {
  let folder: string;
  let demo: Service;
  let organisation: string;
  const start = (...more: readonly string[]) => ({
    entry: 'bin/demo.js',
    // The demo's folder is --folder, whatever the environment names.
    dataDir: join(folder, '..', 'other'),
    args: ['--folder', folder, ...more],
  });

  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'assay-demo-')), 'data');
    demo = await startService({ ...start(), patienceMs: WAIT_LIMIT_MS });
    await eventually(async () => demo.output().includes('npm start'));
    organisation = /console\/([^/#\s]+)/.exec(link('as recruiter'))?.[1] ?? '';
  });
  afterAll(async () => {
    await demo.kill();
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  const link = (name: string): string => {
    const found = new RegExp(`^  ${name}: +(\\S+)`, 'm').exec(demo.output())?.[1];
    if (found === undefined) throw new Error(`The demo prints no link "${name}":\n${demo.output()}`);
    return found;
  };
  const get = async <T>(path: string, email: string = MEMBERS.owner.email): Promise<T> => {
    const response = await fetch(`${demo.url}${path}`, { headers: as(await tokenFor(demo.url, email)) });
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as T;
  };
  const ofCompany = <T>(path: string): Promise<T> => get(`/organisations/${organisation}/${path}`);
  const told = (holds: (candidate: DemoCandidate) => boolean): number => CANDIDATES.filter(holds).length;
  const having = (extra: Extra): number =>
    told((candidate) => storyOf(candidate).extras?.includes(extra) ?? false);

  it('has a page behind each link', async () => {
    for (const [name, { email, role }] of Object.entries(MEMBERS)) {
      const shown = link(`as ${name}`);
      expect(new URL(shown).hash).toBe(`#as=${encodeURIComponent(email)}`);
      const page = await fetch(shown, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const { memberships } = await get<{ memberships: readonly object[] }>('/me', email);
      expect(memberships).toMatchObject([{ organisationId: organisation, organisationName: COMPANY, role }]);
    }
    const invitation = link('as candidate');
    expect((await fetch(invitation)).status).toBe(200);
    const applicationId = invitation.split('/').at(-1) ?? '';
    const own = await get<Application>(`/applications/${applicationId}`, addressOf(VISITOR));
    expect(own).toMatchObject({ id: applicationId, status: 'invited' });
    const report = await fetch(link('shared report'), { headers: { accept: 'text/html' } });
    expect(report.status).toBe(200);
    expect(await report.text()).toContain(COMPANY);
  });

  it('has every state that it describes', async () => {
    const statusOf = (candidate: DemoCandidate): string => {
      const { ending, extras } = storyOf(candidate);
      if (extras?.includes('is_erased')) return 'erased';
      if (ending === 'started' || ending === 'in_interview') return applicationStatus('started', false);
      if (ending === 'cancelled') return 'withdrawn';
      return ending.replace('_before_start', '');
    };
    const outcomeOf = (candidate: DemoCandidate): string | null => {
      if (statusOf(candidate) !== 'completed') return null;
      const outcome = storyOf(candidate).outcomes?.at(-1);
      return outcome?.disposition ?? outcome?.humanRound ?? 'none';
    };
    const counts = (names: readonly string[], of: (one: DemoCandidate) => string | null) =>
      Object.fromEntries(names.map((name) => [name, told((candidate) => of(candidate) === name)]));
    const expected = {
      status: counts(APPLICATION_STATUSES, statusOf),
      outcome: counts(OUTCOME_STATUSES, outcomeOf),
      waiting: {
        outcome: told((candidate) => outcomeOf(candidate) === 'none'),
        accommodation: having('asks_for_accommodation') - having('is_accommodated'),
        erasure: having('asks_for_erasure'),
        expiring: having('expires_soon'),
      },
    };
    for (const all of [expected.status, expected.outcome]) expect(Object.values(all)).not.toContain(0);
    // An erasure shows a moment later.
    await eventually(
      async () => (await ofCompany<typeof expected>('application-counts')).status['erased'] ?? 0,
    );
    expect(await ofCompany('application-counts')).toMatchObject(expected);
    const { items: roles } = await ofCompany<Page<object>>('roles');
    expect(roles).toHaveLength(ROLES.length);
    expect(CANDIDATES).toHaveLength(40);
  });

  it('has evaluations with interviews, contests and a failure', async () => {
    const { items } = await ofCompany<Page<Evaluation>>('evaluations?limit=100');
    const failed = items.filter(({ status }) => status === 'failed');
    const ready = items.filter(({ status }) => status === 'ready');
    expect(failed).toHaveLength(having('scorer_is_unavailable'));
    expect(new Set(ready.map(({ overallScore }) => overallScore)).size).toBeGreaterThan(5);
    const contests = await Promise.all(
      items.map(({ id }) =>
        ofCompany<Page<{ readonly answer: object | null }>>(`evaluations/${id}/contests`).catch(() => ({
          items: [],
        })),
      ),
    );
    const contested = contests.flatMap((one) => one.items);
    expect(contested).toHaveLength(having('contests'));
    expect(contested.filter(({ answer }) => answer !== null)).toHaveLength(having('is_answered'));
    const [one] = ready;
    const evaluation = await ofCompany<{ readonly questions: readonly { answers: readonly object[] }[] }>(
      `evaluations/${one?.id ?? ''}`,
    );
    expect(JSON.stringify(evaluation)).toContain('"speech"');
  });

  it('has spoken lines that play, and checks where this machine can run them', async () => {
    const evaluationId = link('as reviewer').split('/').at(-1)?.split('#')[0] ?? '';
    const { trialSessionId, evidence } = await ofCompany<{
      readonly trialSessionId: string;
      readonly evidence: {
        readonly questions: readonly { readonly turn: number; readonly source: string | null }[];
        readonly events: readonly { readonly eventType: string }[];
      };
    }>(`evaluations/${evaluationId}`);
    const turns = evidence.questions.filter(({ source }) => source === 'transcribed').map(({ turn }) => turn);
    expect(turns).toHaveLength(2);
    for (const turn of turns) {
      const path = `/organisations/${organisation}/trial-sessions/${trialSessionId}/audio/${turn}`;
      const audio = await fetch(`${demo.url}${path}`, {
        headers: as(await tokenFor(demo.url, MEMBERS.recruiter.email)),
      });
      expect([audio.status, audio.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      // Six seconds of PCM, and more.
      expect((await audio.arrayBuffer()).byteLength).toBeGreaterThan(6 * 32_000);
    }
    for (const checked of evidence.events.filter(({ eventType }) => eventType.endsWith('work_checked')))
      expect(JSON.stringify(checked)).not.toContain('"error"');
  });

  it('has two weeks of history, all of it in the past, and continues in the present', async () => {
    const now = Date.now();
    const { items } = await ofCompany<Page<Application>>('applications?limit=100&sort=invitedAt');
    const times = items.flatMap(({ invitedAt, trialSessions }) =>
      [invitedAt, ...trialSessions.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])].filter(
        (time) => time !== null,
      ),
    );
    const past = times.map((time) => now - Date.parse(time));
    expect(Math.min(...past)).toBeGreaterThan(0);
    expect(Math.round(Math.max(...past) / DAY_MS)).toBeGreaterThanOrEqual(13);
    const days = new Set(items.map(({ invitedAt }) => invitedAt.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(13);
    expect(await makeRole(demo.url)).toBeLessThan(60_000);
  });

  /** Makes a role. @returns how far its creation time is from this process's clock, in milliseconds */
  const makeRole = async (url: string): Promise<number> => {
    const response = await fetch(`${url}/organisations/${organisation}/role-templates/roles`, {
      method: 'POST',
      headers: { ...as(await tokenFor(url, MEMBERS.recruiter.email)), 'content-type': 'application/json' },
      body: JSON.stringify({ template: 'frontend' }),
    });
    const { createdAt } = (await response.json()) as { createdAt: string };
    return Math.abs(Date.now() - Date.parse(createdAt));
  };

  (browserPath === undefined ? it.skip : it)(
    'signs in as whom a link names, without a question',
    async () => {
      const browser = await openBrowser(WAIT_LIMIT_MS);
      try {
        const page = await browser.context.newPage();
        const shared = CANDIDATES.find((one) => storyOf(one).extras?.includes('is_shared'))?.name ?? '';
        for (const [name, title] of [
          ['recruiter', 'Home'],
          ['reviewer', shared],
        ] as const) {
          await page.goto(link(`as ${name}`));
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          await page.getByText(MEMBERS[name].email).first().waitFor();
          expect(page.url()).not.toContain('#');
        }
      } finally {
        await browser.close();
      }
    },
  );

  it('leaves other data as it is', async () => {
    const beside = spawnService(folder, start());
    expect(await beside.ended).toMatchObject({ code: 1 });
    expect(beside.output()).toMatch(
      /^The process \d+ serves .*: stop it, or name another folder by --folder/,
    );
    const full = join(folder, '..');
    await writeFile(join(full, 'mine.txt'), 'mine');
    const refused = spawnService(folder, { ...start(), args: ['--folder', full] });
    expect(await refused.ended).toMatchObject({ code: 1 });
    expect(refused.output()).toContain('has data that no demo has made: nothing was removed');
    expect(await readdir(full)).toContain('mine.txt');
  });

  it('is operated as it prints, ends at once, and can be served by the service afterwards', async () => {
    const listed = await assay({ DATA_DIR: folder }, 'organisations', 'list', '--json');
    expect(JSON.parse(listed.out)).toMatchObject([{ id: organisation, name: COMPANY }]);
    // By the process that the demo starts for it.
    const rebuilt = await assay({ DATA_DIR: folder }, 'projections', 'rebuild', 'roles', '--json');
    expect(JSON.parse(rebuilt.out)).toMatchObject({ result: 'done' });
    expect(await readdir(join(folder, '..'))).not.toContain('other');
    process.kill(demo.pid, 'SIGINT');
    expect(await demo.ended()).toMatchObject({ code: 0, signal: null });
    const service = await startService({ dataDir: folder });
    expect(await makeRole(service.url)).toBeLessThan(60_000);
    expect(await service.stop()).toMatchObject({ code: 0 });
  });
});
