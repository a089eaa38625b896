import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  type Described,
  type Document,
  examplesOf,
  operationsOf,
  type Parameter,
} from '../contract/document.js';
import { giveUpMails } from '../contract/prepared.js';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { openBeside, RecordedInterview } from '../support/recorded-interview.js';
import { openStage, type Stage } from '../support/stage.js';

type Values = Readonly<Record<string, string>>;

/**
 * Every operation, in an order in which each creates what the next ones need. A step without a dot is no operation: it
 * waits for work of the service, or does what no operation can.
 */
const AS_OWNER = [
  ...['me.read', 'organisations.read', 'organisations.update'],
  ...['organisations.setLogo', 'organisations.removeLogo'],
  ...['members.add', 'members.list', 'members.read', 'members.update', 'members.remove'],
  ...['roles.create', 'roles.list', 'roles.read', 'roles.measures', 'roles.update'],
  ...['roles.listVersions', 'roles.compareVersions', 'roles.readNotice'],
  ...['roles.archive', 'roles.unarchive', 'roles.templates', 'roles.createFromTemplate', 'roles.clone'],
  ...['tickets.create', 'tickets.list', 'tickets.read', 'tickets.update'],
  ...['fileSets.begin', 'fileSets.read', 'fileSets.addPiece', 'fileSets.complete', 'fileSets.readContent'],
  'give the role the ticket',
  ...['apiKeys.create', 'apiKeys.list', 'apiKeys.read', 'apiKeys.revoke'],
  ...['savedViews.create', 'savedViews.list', 'savedViews.read', 'savedViews.change', 'savedViews.remove'],
  ...['webhooks.create', 'webhooks.list', 'webhooks.read', 'webhooks.rotateSecret', 'webhooks.sendTest'],
  ...['deliveries.list', 'deliveries.redeliver'],
  ...[
    'imports.template',
    'imports.check',
    'imports.begin',
    'imports.list',
    'imports.read',
    'applications.inviteMany',
    'applications.invite',
    'applications.list',
    'applications.count',
    'applications.read',
    'applications.mails',
    'applications.timeline',
    'give up a mail',
    'applications.resendMail',
    'applications.remind',
    'applications.extend',
    'applications.setAccommodations',
    'applications.liftSignInLock',
  ],
];
const AS_CANDIDATE = [
  ...[
    'me.read',
    'ownApplications.read',
    'trialSessions.read',
    'trialSessions.readBriefing',
    'trialSessions.readTicket',
    'ownApplications.requestAccommodation',
    'ownApplications.requestErasure',
    'trialSessions.start',
    'trialSessions.readStarter',
    'trialSessions.readStarterFile',
    'trialSessions.readVisibleChecks',
  ],
  ...['handIns.begin', 'handIns.list', 'handIns.read', 'handIns.addPiece', 'handIns.complete'],
  'handIns.readContent',
  ...['trialSessions.recordActivity', 'speak', 'trialSessions.complete', 'trialSessions.readReceipts'],
  'trialSessions.giveFeedback',
];
const AFTER_THE_TRIAL = [
  ...[
    'applications.read',
    'be evaluated',
    'evaluations.list',
    'evaluations.count',
    'evaluations.read',
    'evaluations.explain',
  ],
  ...['evaluations.readPast', 'recordings.read'],
  ...['handIns.listForStaff', 'handIns.readForStaff', 'handIns.readChecks', 'handIns.readFile'],
  'handIns.compare',
  ...['shareLinks.create', 'shareLinks.list'],
  ...[
    'sharedReports.read',
    'sharedReports.readPdf',
    'shareLinks.revoke',
    'evaluations.regenerate',
    'evaluations.listReads',
  ],
  ...['outcomes.record', 'signal.read', 'signal.readPast', 'outcomes.retract', 'applications.invite'],
  'signal.readStages',
  ...['exports.applications', 'exports.evaluations', 'exports.signal'],
];
const AS_INVITED_AGAIN = [
  'find the latest',
  'trialSessions.withdraw',
  'me.export',
  'me.listEvaluations',
  'me.readEvaluation',
  'me.contestEvaluation',
];
const AT_LAST = [
  ...['evaluations.listContests', 'evaluations.answerContest'],
  ...['applications.invite', 'applications.cancel', 'applications.erase', 'webhooks.delete', 'audit.list'],
  ...['evidenceKeys.list', 'health.live', 'health.ready', 'metrics.read', 'openApi.read', 'asyncApi.read'],
];

/** Sends examples, and remembers for each operation the parameters that the last link to it had. */
class Caller {
  readonly #linked = new Map<string, Values>();
  readonly #latest: Record<string, string> = {};
  readonly sent: string[] = [];

  constructor(private readonly operations: readonly Described[]) {}

  linkTo(id: string): Values {
    return this.#linked.get(id) ?? {};
  }

  link(id: string, values: Values): void {
    this.#linked.set(id, values);
    Object.assign(this.#latest, values);
  }

  /** Sends the example of an operation, also with each optional query parameter that has one. */
  async send(id: string, person: Person): Promise<void> {
    const operation = this.operations.find((one) => one.id === id);
    if (!operation) throw new Error(`There is no operation ${id}.`);
    this.sent.push(id);
    const path = this.pathOf(operation);
    const required = operation.parameters.filter((one) => one.in === 'query' && one.required);
    const optional = operation.parameters.filter((one) => one.in === 'query' && !one.required);
    const reply = await this.call(operation, person, path, required);
    for (const one of optional)
      if (one.example !== undefined) await this.call(operation, person, path, [...required, one]);
    // A list's links lead to any record, not to what the examples made.
    if (!id.endsWith('.list')) this.keepLinks(operation, path, reply);
  }

  private pathOf({ id, parameters }: Described): Values {
    const inPath = parameters.filter((one) => one.in === 'path');
    const isRecord = ({ schema }: Parameter): boolean => schema['format'] === 'uuid';
    // No answer links to a path with an example in it, such as a member or a turn: use the latest records.
    const linked = inPath.every(isRecord) || this.#linked.has(id) ? this.linkTo(id) : this.#latest;
    return Object.fromEntries(
      inPath.map((one) => {
        const value = linked[one.name] ?? (isRecord(one) ? undefined : one.example);
        if (value === undefined) throw new Error(`No answer leads to ${id} with its ${one.name}.`);
        return [one.name, `${value as string | number}`];
      }),
    );
  }

  private async call(
    { id, method, path, body, success }: Described,
    person: Person,
    inPath: Values,
    query: readonly Parameter[],
  ): Promise<Reply> {
    const bodies = Object.values(body ?? {}).flatMap(examplesOf);
    const search = new URLSearchParams(
      query.map(({ name, example }): [string, string] => [name, String(example)]),
    ).toString();
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
    // `send` adds the Consistency-Token of the last command: later than that of the link.
    const reply = await person.send(method, search === '' ? at : `${at}?${search}`, bodies[0], {});
    const expected = { id, search, status: success.status, bodies: body ? 1 : 0 };
    const { status, text } = reply;
    expect({ id, search, status, bodies: bodies.length, text }).toEqual({ ...expected, text });
    return reply;
  }

  private keepLinks({ success }: Described, inPath: Values, { body, headers }: Reply): void {
    const valueOf = (expression: string): unknown => {
      const [, place, key = ''] =
        /^\$(request\.path\.|response\.header\.|response\.body#)(.+)$/.exec(expression) ?? [];
      if (place === 'request.path.') return inPath[key];
      return place === 'response.body#' ? at(body, key) : headers.get(key);
    };
    for (const { operationId, parameters } of Object.values(success.links)) {
      const values = Object.entries(parameters).flatMap(([name, expression]) => {
        const value = valueOf(expression);
        return typeof value === 'string' ? [[name, value] as const] : [];
      });
      // There is no such record yet.
      if (values.length < Object.keys(parameters).length) continue;
      this.link(operationId, Object.fromEntries(values));
    }
  }
}

/** By JSON pointer. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], value);

describe('the examples of the OpenAPI document', () => {
  let stage: Stage;
  let candidate: Person;
  let operations: readonly Described[];
  let caller: Caller;

  beforeAll(async () => {
    stage = await openStage();
    const { body } = await stage.api.send<Document>('GET', '/openapi.json');
    operations = operationsOf(body);
    caller = new Caller(operations);
    const [invited] = Object.values(
      operations.find(({ id }) => id === 'applications.invite')?.body ?? {},
    ).flatMap(examplesOf) as readonly { candidateEmail: string }[];
    candidate = await stage.signIn(invited!.candidateEmail);
    // The operator's command made the organisation: there is no token to wait for.
    await eventually(async () => {
      const me = await stage.owner.get<{ memberships: object[] }>('/me');
      return me.body.memberships.length > 0;
    });
  });
  afterAll(() => stage.close());

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    speak: async () => {
      const beside = await openBeside(stage.service.dataDir);
      const interview = await RecordedInterview.begin(
        beside,
        caller.linkTo('trialSessions.complete')['trialSessionId']!,
      );
      await interview.ask();
      await interview.speak(1, randomBytes(32_000));
      await interview.answer(1, true);
      await beside.close();
    },
    'give the role the ticket': async () => {
      const { orgId, ticketId, fileSetId } = caller.linkTo('fileSets.readContent');
      const { roleId } = caller.linkTo('roles.update');
      const checks = { visible: fileSetId, slug: 'python', isolation: 'separate' };
      const at = `/organisations/${orgId}`;
      await stage.owner.patch(`${at}/tickets/${ticketId}`, { kind: 'files', starter: fileSetId, checks });
      const update = operations.find(({ id }) => id === 'roles.update');
      const [role] = Object.values(update?.body ?? {}).flatMap(examplesOf) as readonly object[];
      const given = await stage.owner.patch(`${at}/roles/${roleId}`, { ...role, ticketIds: [ticketId] });
      expect(given.status).toBe(200);
    },
    'give up a mail': async () => {
      const { orgId, applicationId } = caller.linkTo('applications.mails');
      const [mailId] = await giveUpMails(stage, applicationId!);
      caller.link('applications.resendMail', {
        orgId: orgId!,
        applicationId: applicationId!,
        mailId: mailId!,
      });
    },
    // The links of `me.read` lead to the oldest application.
    'find the latest': () => {
      caller.link('trialSessions.withdraw', caller.linkTo('outcomes.record'));
      return Promise.resolve();
    },
    'be evaluated': async () => {
      const { orgId, id } = caller.linkTo('evaluations.read');
      const path = `/organisations/${orgId}/evaluations/${id}`;
      await eventually(async () => (await stage.owner.get<{ status: string }>(path)).body.status === 'ready');
    },
  };

  it('work when they are sent, one after the other, by way of the links', async () => {
    const { owner } = stage;
    for (const [person, ids] of [
      [owner, AS_OWNER],
      [candidate, AS_CANDIDATE],
      [owner, AFTER_THE_TRIAL],
      [candidate, AS_INVITED_AGAIN],
      [owner, AT_LAST],
    ] as const) {
      person.follow(person === owner ? candidate : owner);
      for (const id of ids) await (steps[id] ? steps[id]() : caller.send(id, person));
    }
    expect([...new Set(caller.sent)].sort()).toEqual(operations.map(({ id }) => id).sort());
  });
});
