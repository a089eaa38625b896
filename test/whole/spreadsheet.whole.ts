import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.js';
import { openStage, type Stage } from '../support/stage.js';

const run = promisify(execFile);
const OFFICE = 'soffice';
/** The import settings that LibreOffice's dialogue selects for a byte order mark. */
const READ_AS_UTF8 = '--infilter=CSV:44,34,76,1';
/** Without LibreOffice it is skipped, which `.ci/run` counts as a failure. */
const describeWithOffice =
  spawnSync(OFFICE, ['--headless', '--version']).status === 0 ? describe : describe.skip;

/** Names, and ids of the organisation's own, that a spreadsheet program may change or run. */
const PEOPLE = [
  ['عمر، "الخيام"; 😀', '=1+1'],
  ['王小明', '+49 30 1234'],
  ['O\'Brien "Bob"; Jr.', '-5'],
  ['👩🏽‍🚀 Åsa, Zoe\u0301', '@cmd'],
  ["'quoted'", "'=x"],
  ['שלום', "''=x"],
  ['=SUM(A1;"x")', '=HYPERLINK("http://example.org";"y")'],
  ['+1', '"'],
  ['-', "'"],
  ["d'Arc; Jeanne", 'a;b,c'],
] as const;

interface Person {
  readonly candidateEmail: string;
  readonly candidateName: string | null;
  readonly externalId: string | null;
}

describeWithOffice('a list of candidates', () => {
  let stage: Stage;
  let folder: string;
  let role: string;
  let people: readonly Person[];

  beforeAll(async () => {
    stage = await openStage({});
    folder = await mkdtemp(join(tmpdir(), 'assay-spreadsheet-'));
    const invitations = PEOPLE.map(([candidateName, externalId], at) => ({
      ...{ candidateEmail: `person-${at}@example.org`, candidateName, externalId },
    }));
    role = await stage.role('=Engineer; "senior"');
    const invited = await stage.owner.post(stage.at(`/roles/${role}/invitations/batch`), { invitations });
    expect(invited.text).not.toContain('"error"');
    people = invitations;
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Waits until the list's view has all of them. */
  const exported = (): Promise<Buffer> =>
    eventually(async () => {
      const response = await fetch(stage.api.url + stage.at(`/exports/applications?roleId=${role}`), {
        headers: { authorization: `Bearer ${stage.owner.token}` },
      });
      expect(response.status).toBe(200);
      const csv = Buffer.from(await response.arrayBuffer());
      return people.every(({ candidateEmail }) => csv.includes(candidateEmail)) && csv;
    });

  /** @param options LibreOffice's names of the input and output formats */
  const savedByOffice = async (csv: Buffer, options: readonly string[]): Promise<string> => {
    await writeFile(join(folder, 'list.csv'), csv);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    const out = join(folder, 'saved');
    await run(OFFICE, [profile, '--headless', ...options, '--outdir', out, join(folder, 'list.csv')], {
      timeout: 90_000,
    });
    return readFile(join(out, 'list.csv'), 'utf8');
  };

  it.each([
    ['as it saves it', ['--convert-to', 'csv']],
    [
      'with semicolons and every text in quotes',
      [READ_AS_UTF8, '--convert-to', 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true'],
    ],
  ])('comes back from LibreOffice %s, byte for byte', async (_, options) => {
    const csv = await savedByOffice(await exported(), options);
    const another = await stage.role('Another');
    const { status, text } = await stage.owner.post(stage.at(`/roles/${another}/imports`), { csv });
    expect([status, text]).toEqual([202, expect.stringContaining('rowCount')]);
    const imported = await eventually(async () => {
      const { body } = await stage.owner.get<{ items: readonly Person[] }>(
        stage.at(`/applications?roleId=${another}`),
      );
      return body.items.length === people.length && body.items;
    }, 60_000);
    const shown = imported.map(({ candidateEmail, candidateName, externalId }) => ({
      ...{ candidateEmail, candidateName, externalId },
    }));
    expect(shown.sort((a, b) => (a.candidateEmail < b.candidateEmail ? -1 : 1))).toEqual(people);
  });
});
