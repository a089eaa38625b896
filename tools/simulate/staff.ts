import { setTimeout as sleep } from 'node:timers/promises';
import { EXERCISE } from './exercise.js';
import type { Ledger } from './ledger.js';
import { type Issuer, Person } from './person.js';
import { EXERCISE_TICKET, type PlannedRole } from './plan.js';
import { fileSetsOf, sendFile } from './send-files.js';
import { type Service, Unexpected } from './service.js';

/** The organisation's people and roles, ready to invite. */
export interface Staff {
  readonly organisationId: string;
  readonly owner: Person;
  /** Several, since each has a rate limit of their own. */
  readonly recruiters: readonly Person[];
  /** In the order of the plan. */
  readonly roleIds: readonly string[];
  /** Id of the exercise's ticket. */
  readonly ticketId: string;
}

export const ROLE = '/organisations/{orgId}/roles/{roleId}';
export const TICKET = '/organisations/{orgId}/tickets/{ticketId}';
const RECRUITERS = 4;
const SIGN_IN_TIMEOUT_MS = 15_000;

/** Hires the recruiters, attaches the exercise to a ticket, and creates every role as a draft before it is made ready. */
export async function prepareStaff(input: {
  readonly service: Service;
  readonly issuer: Issuer;
  readonly organisationId: string;
  readonly owner: Person;
  readonly roles: readonly PlannedRole[];
  readonly run: string;
  readonly ledger: Ledger;
}): Promise<Staff> {
  const { service, issuer, organisationId, owner, ledger } = input;
  const params = { orgId: organisationId };
  const recruiters: Person[] = [];
  for (let n = 1; n <= RECRUITERS; n += 1) {
    const recruiter = new Person(service, issuer, `recruiter.${n}.${input.run}@staff.example`);
    const body = { email: recruiter.email, role: 'recruiter' } as const;
    await owner.command('post', '/organisations/{orgId}/members', 201, { params, body });
    recruiter.follow(owner);
    await signIn(recruiter, organisationId);
    recruiters.push(recruiter);
  }
  const ticketId = await prepareTicket(owner, organisationId);
  const roleIds: string[] = [];
  for (const planned of input.roles) {
    const role = roleWith(ticketId, planned);
    const { id: roleId } = await owner.command('post', '/organisations/{orgId}/roles', 201, {
      params,
      body: { ...role, dimensions: [] },
    });
    await owner.command('patch', ROLE, 200, { params: { ...params, roleId }, body: role });
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

const prepareTicket = async (owner: Person, orgId: string): Promise<string> => {
  const { id: ticketId } = await owner.command('post', '/organisations/{orgId}/tickets', 201, {
    params: { orgId },
    body: EXERCISE.ticket,
  });
  const params = { orgId, ticketId };
  const fileSets = fileSetsOf(owner, orgId, ticketId);
  const starter = await sendFile(fileSets, EXERCISE.starter);
  const visible = await sendFile(fileSets, EXERCISE.visible);
  const hidden = await sendFile(fileSets, EXERCISE.hidden);
  const checks = { ...EXERCISE.checks, visible, hidden };
  await owner.command('patch', TICKET, 200, { params, body: { starter, checks } });
  return ticketId;
};

/** The first sign-in binds an invited member to their account; from then on they belong to the organisation. */
export async function signIn(person: Person, organisationId: string): Promise<void> {
  const until = performance.now() + SIGN_IN_TIMEOUT_MS;
  for (;;) {
    const { memberships } = await person.get('/me');
    if (memberships.some((membership) => membership.organisationId === organisationId)) return;
    if (performance.now() > until)
      throw new Unexpected(
        `The service does not know ${person.email} as a member of the organisation ${organisationId}: ` +
          'run against the DATA_DIR the service uses, or name its organisation by --organisation and --email.',
      );
    await sleep(200);
  }
}
