import { zipSync } from 'fflate';
import { readFile } from 'node:fs/promises';
import type { CreateTicket, UpdateRole } from '../../packages/client/src/index.js';
import { sourceFile } from '../../src/process/installation.js';
import type { HandInKind, SentFile } from '../simulate/exercise.js';
import { type Issuer, Person } from '../simulate/person.js';
import { fileSetsOf, sendFile } from '../simulate/send-files.js';
import type { Service } from '../simulate/service.js';
import { ROLE, signIn, type Staff, TICKET } from '../simulate/staff.js';
import { type DemoRole, MEMBERS, ROLES } from './cast.js';
import { drawLogo } from './logo.js';

/** The company as its people set it up, ready to invite. */
export interface Company extends Staff {
  readonly reviewer: Person;
  readonly roleNames: readonly string[];
  /** Tickets that candidates of a role only mark as started and finished: nothing is handed in for them. */
  readonly ticketsElsewhere: Readonly<Record<DemoRole, readonly string[]>>;
}

const REVIEW = {
  title: 'Review a change',
  description:
    'A colleague asks you to review the linked change, which adds a discount to the till. Write what you would say to them: what has to change, what could, and what is good.',
  links: [{ title: 'The change', url: 'https://code.larkspur.example/till/pull/41' }],
  estimatedMinutes: 20,
};

const CHURN = {
  title: 'Why do customers leave in their first month?',
  description:
    'You get the sign-ups, invoices and activity of 412 customers. Find out how many leave in their first month, what those have in common, and what we should do. Write one page for the head of product.',
  links: [{ title: 'The data', url: 'https://data.larkspur.example/first-month' }],
  estimatedMinutes: 60,
};

/**
 * Signs the company's people in, writes its tickets and makes its roles.
 * @param organisationId made by the operator for the owner
 * @param hasChecker the service can run checks: its tickets have some
 */
export async function setUpCompany(
  service: Service,
  issuer: Issuer,
  organisationId: string,
  hasChecker: boolean,
): Promise<Company> {
  const params = { orgId: organisationId };
  const [owner, recruiter, reviewer] = [MEMBERS.owner, MEMBERS.recruiter, MEMBERS.reviewer].map(
    ({ email }) => new Person(service, issuer, email),
  ) as [Person, Person, Person];
  await signIn(owner, organisationId);
  await owner.command('patch', '/organisations/{orgId}', 200, {
    params,
    body: { candidateResults: 'result_with_explanation', retentionDays: 365, recordAudio: true },
  });
  await owner.command('put', '/organisations/{orgId}/logo', 200, {
    params,
    body: { data: await drawLogo() },
  });
  for (const [person, { role }] of [
    [recruiter, MEMBERS.recruiter],
    [reviewer, MEMBERS.reviewer],
  ] as const) {
    const body = { email: person.email, role };
    await owner.command('post', '/organisations/{orgId}/members', 201, { params, body });
    person.follow(owner);
    await signIn(person, organisationId);
  }
  const till = await writeTill(recruiter, organisationId, hasChecker);
  const write = async (body: CreateTicket): Promise<string> =>
    (await recruiter.command('post', '/organisations/{orgId}/tickets', 201, { params, body })).id;
  const ticketsElsewhere = { backend: [await write(REVIEW)], data: [await write(CHURN)], support: [] };
  const roleIds: string[] = [];
  const roleNames: string[] = [];
  for (const template of ROLES) {
    const role = await recruiter.command('post', '/organisations/{orgId}/role-templates/roles', 201, {
      params,
      body: { template },
    });
    const definition = Object.fromEntries(
      DEFINED.map((field) => [field, role[field]]),
    ) as unknown as UpdateRole;
    const elsewhere = ticketsElsewhere[template];
    await recruiter.command('patch', ROLE, 200, {
      params: { ...params, roleId: role.id },
      body: { ...definition, ticketIds: template === 'backend' ? [till, ...elsewhere] : elsewhere },
    });
    roleIds.push(role.id);
    roleNames.push(role.name);
  }
  return {
    ...{ organisationId, owner, recruiters: [recruiter], reviewer, roleIds, roleNames, ticketId: till },
    ticketsElsewhere,
  };
}

/** The fields that a template sets: a change of a role sends all of them again. */
const DEFINED = [
  'name',
  'overallThreshold',
  'dimensions',
  'questions',
  'instructions',
  'timeFrameMinutes',
] as const;

const EXAMPLE = ['docs', 'examples', 'javascript'];

/** The ticket whose work is handed in: the example that the documentation has. */
const writeTill = async (staff: Person, orgId: string, hasChecker: boolean): Promise<string> => {
  const ticket = JSON.parse((await example('ticket.json')).toString()) as CreateTicket;
  const { id: ticketId } = await staff.command('post', '/organisations/{orgId}/tickets', 201, {
    params: { orgId },
    body: ticket,
  });
  const fileSets = fileSetsOf(staff, orgId, ticketId);
  const content = zipSync({
    'README.md': await example('starter', 'README.md'),
    'main.mjs': await example('starter', 'main.mjs'),
  });
  const starter = await sendFile(fileSets, { name: 'starter.zip', content });
  const checksIn = async (folder: string): Promise<string> => {
    const content = await example(folder, 'till.check.mjs');
    return sendFile(fileSets, { name: 'till.check.mjs', content });
  };
  const checks = hasChecker && {
    checks: {
      ...({ slug: 'till', isolation: 'separate' } as const),
      ...{ visible: await checksIn('visible'), hidden: await checksIn('hidden') },
    },
  };
  const params = { orgId, ticketId };
  await staff.command('patch', TICKET, 200, { params, body: { starter, estimatedMinutes: 45, ...checks } });
  return ticketId;
};

const example = (...parts: readonly string[]): Promise<Buffer> => readFile(sourceFile(...EXAMPLE, ...parts));

/** What candidates hand in for it. */
export const readWorks = async (): Promise<Readonly<Record<HandInKind, readonly SentFile[]>>> => {
  const [half, whole] = await Promise.all(
    ['half', 'solution'].map(async (folder) => ({
      name: 'main.mjs',
      content: await example(folder, 'main.mjs'),
    })),
  );
  if (half === undefined || whole === undefined) throw new Error('The example lacks its solutions.');
  return { right: [half, whole], half: [half], hostile: [half], nothing: [] };
};
