import { setTimeout as sleep } from 'node:timers/promises';
import { EXERCISE } from './exercise.js';
import { listOf, objectOf, Person, stringOf, Unexpected } from './person.js';
import type { Ledger } from './ledger.js';
import { EXERCISE_TICKET, type PlannedRole } from './plan.js';
import { sendFile } from './send-files.js';
import type { Service } from './service.js';

/** The organisation's people and roles, ready to invite. */
export interface Staff {
  readonly organisationId: string;
  readonly owner: Person;
  /** Several, since each has a rate limit of their own. */
  readonly recruiters: readonly Person[];
  /** In the order of the plan. */
  readonly roleIds: readonly string[];
  /** Of the exercise. */
  readonly ticketId: string;
}

const RECRUITERS = 4;
const SIGN_IN_TIMEOUT_MS = 15_000;

/** Hires the recruiters, attaches the exercise to a ticket, and creates every role as a draft before it is made ready. */
export async function prepareStaff(input: {
  readonly service: Service;
  readonly issuer: Service;
  readonly organisationId: string;
  readonly owner: Person;
  readonly roles: readonly PlannedRole[];
  readonly run: string;
  readonly ledger: Ledger;
}): Promise<Staff> {
  const { service, issuer, organisationId, owner, ledger } = input;
  const base = `/organisations/${organisationId}`;
  const recruiters: Person[] = [];
  for (let n = 1; n <= RECRUITERS; n += 1) {
    const recruiter = new Person(service, issuer, `recruiter.${n}.${input.run}@staff.example`);
    await owner.command(
      'POST',
      `${base}/members`,
      { email: recruiter.email, role: 'recruiter' },
      { status: 201 },
      true,
    );
    await signIn(recruiter, organisationId, owner.lastSeen);
    recruiters.push(recruiter);
  }
  const ticketId = await prepareTicket(owner, base);
  const roleIds: string[] = [];
  for (const planned of input.roles) {
    const role = roleWith(ticketId, planned);
    const draft = { ...role, dimensions: [] };
    const created = await owner.command('POST', `${base}/roles`, draft, { status: 201 }, true);
    const roleId = stringOf(objectOf(created.body, 'The role created'), 'id');
    await owner.command('PATCH', `${base}/roles/${roleId}`, role, { status: 200 });
    ledger.role(roleId, role.name);
    roleIds.push(roleId);
  }
  return { organisationId, owner, recruiters, roleIds, ticketId };
}

/** A planned role as it is sent. */
export const roleWith = (ticketId: string, role: PlannedRole): PlannedRole => ({
  ...role,
  ticketIds: role.ticketIds.map((id) => (id === EXERCISE_TICKET ? ticketId : id)),
});

const prepareTicket = async (owner: Person, base: string): Promise<string> => {
  const created = await owner.command('POST', `${base}/tickets`, EXERCISE.ticket, { status: 201 }, true);
  const ticketId = stringOf(objectOf(created.body, 'The ticket'), 'id');
  const path = `${base}/tickets/${ticketId}`;
  const starter = await sendFile(owner, `${path}/file-sets`, EXERCISE.starter);
  const visible = await sendFile(owner, `${path}/file-sets`, EXERCISE.visible);
  const hidden = await sendFile(owner, `${path}/file-sets`, EXERCISE.hidden);
  const checks = { ...EXERCISE.checks, visible, hidden };
  await owner.command('PATCH', path, { starter, checks }, { status: 200 });
  return ticketId;
};

/** The first sign-in binds an invited member; from then on the organisation knows them. */
export async function signIn(person: Person, organisationId: string, after: string | null): Promise<void> {
  const until = performance.now() + SIGN_IN_TIMEOUT_MS;
  for (;;) {
    const me = objectOf(await person.read('/me', after), '/me');
    const memberships = listOf(me['memberships'], 'memberships').map((item) =>
      objectOf(item, 'A membership'),
    );
    if (memberships.some((membership) => membership['organisationId'] === organisationId)) return;
    if (performance.now() > until)
      throw new Unexpected(
        `The service does not know ${person.email} as a member of the organisation ${organisationId}: ` +
          'run against the DATA_DIR the service uses, or name its organisation by --organisation and --email.',
      );
    await sleep(200);
  }
}
