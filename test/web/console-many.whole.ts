import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import type { Page } from 'playwright-core';
import { CandidateDirectory } from '../../src/application/applications/directory.js';
import {
  InviteCandidate,
  InviteCandidateHandler,
} from '../../src/application/applications/invite-candidate.js';
import { beginRole } from '../../src/application/roles/create-role.js';
import { MailQuota } from '../../src/clients/mail-quota.js';
import { CommandContexts } from '../../src/core/command-context.js';
import { addOrganisation } from '../../src/operator/organisations.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import { Api, type Person } from '../support/api.js';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { type Service, startService } from '../support/service.js';
import { heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeInBrowser } from './scene.js';
import { WAIT_LIMIT_MS } from './support.js';

const APPLICATIONS = 10_000;
/** Enough for the stores to write many with one flush. */
const AT_ONCE = 200;
const MEASUREMENTS = 7;
/** Milliseconds that the page may need in addition to the API's answer, for 50 rows on a busy machine. */
const MAX_RENDERING_MS = 2_000;
/** Pages that are read before the first measurement of the memory, and after it. */
const [FIRST_PAGES, FURTHER_PAGES] = [10, 40];
/** Each page that stayed in memory would add about as many bytes as its rows have. */
const MAX_BYTES_A_PAGE = 20_000;

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

/**
 * Makes an organisation with so many invitations by the service's own commands, before any service runs. Over HTTP it
 * would take minutes, mostly for the mails; a service sends none about earlier events.
 * @returns its id
 */
const filledWith = async (applications: number, dataDir: string): Promise<string> => {
  const stores = await openWriteSide(readConfiguration({ DATA_DIR: dataDir }));
  try {
    const { streams, vault, hasher } = stores;
    const organisationId = await addOrganisation(stores, 'Example', OWNER);
    const contexts = new CommandContexts(hasher);
    const context = () => contexts.forSystem({ type: 'operator', id: 'test' }, organisationId);
    const role = await beginRole(streams, context(), { organisationId, definition: definition() });
    const roleId = role.kind === 'refused' ? null : role.state?.roleId;
    if (!roleId) throw new Error('There is no role.');
    const directory = new CandidateDirectory(vault, hasher);
    const invitations = new InviteCandidateHandler(streams, directory, new MailQuota(vault, hasher, null));
    const invite = async (_: unknown, index: number): Promise<void> => {
      const email = `candidate-${index}@example.org`;
      const naming = { name: `Candidate ${index}` };
      const who = { email, naming, language: 'en', expiresAt: null } as const;
      const command = new InviteCandidate(context(), { organisationId, roleId, ...who });
      expect(await invitations.execute(command)).toMatchObject({ changed: true });
    };
    await pMap(Array.from({ length: applications }), invite, { concurrency: AT_ONCE });
    return organisationId;
  } finally {
    await stores.close();
  }
};

describeInBrowser(`the console with ${APPLICATIONS} applications`, () => {
  let dataDir: string;
  let org: string;
  let service: Service;
  let owner: Person;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'assay-many-'));
    org = await filledWith(APPLICATIONS, dataDir);
    service = await startService({ dataDir, env: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } });
    owner = await new Api(service.url).as(OWNER);
    await eventually(async () => {
      const { body } = await owner.get<{ status?: { invited: number } }>(
        `/organisations/${org}/application-counts`,
      );
      return body.status?.invited === APPLICATIONS;
    }, WAIT_LIMIT_MS);
  });
  afterAll(async () => {
    await (service as Service | undefined)?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  const rows = () => page.getByRole('row');
  const open = async (): Promise<void> => {
    await page.goto(`${service.url}/console/${org}/signal`);
    await signInAs(page, OWNER);
    await heading(page, 'Signal').waitFor();
  };

  it('shows the first rows about as soon as the API answers them', async () => {
    await open();
    const apiMs: number[] = [];
    const pageMs: number[] = [];
    for (let measured = 0; measured < MEASUREMENTS; measured++) {
      let began = performance.now();
      await owner.get(`/organisations/${org}/applications?limit=50`);
      apiMs.push(performance.now() - began);
      began = performance.now();
      await page.getByRole('link', { name: 'Candidates', exact: true }).click();
      await rows().nth(50).waitFor();
      pageMs.push(performance.now() - began);
      await page.getByRole('link', { name: 'Signal', exact: true }).click();
      await heading(page, 'Signal').waitFor();
    }
    expect(median(pageMs)).toBeLessThan(median(apiMs) + MAX_RENDERING_MS);
  });

  it('takes no more memory with each page that is turned', async () => {
    const wrong = troubles(page);
    await open();
    await page.getByRole('link', { name: 'Candidates', exact: true }).click();
    const session = await page.context().newCDPSession(page);
    const usedBytes = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const turn = async (pages: number): Promise<void> => {
      for (let turned = 0; turned < pages; turned++) {
        const first = await rows().nth(1).innerText();
        await page.getByRole('link', { name: 'Next page' }).click();
        await rows()
          .nth(1)
          .filter({ hasNotText: first.split('\n')[0] ?? first })
          .waitFor();
      }
    };
    await rows().nth(50).waitFor();
    await turn(FIRST_PAGES);
    const before = await usedBytes();
    await turn(FURTHER_PAGES);
    expect((await usedBytes()) - before).toBeLessThan(FURTHER_PAGES * MAX_BYTES_A_PAGE);
    expect(wrong).toEqual([]);
  });
});
