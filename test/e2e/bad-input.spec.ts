import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey as Key, exportSPKI, importJWK } from 'jose';
import { createHmac } from 'node:crypto';
import type { Person, Reply } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type FakeIssuer, type SigningPair, signingPair } from '../support/fake-issuer.js';
import { definition, invite, work } from '../support/organisation.js';
import {
  type Failure,
  faultOf,
  openProvider,
  openStage,
  type Provider,
  type Stage,
} from '../support/stage.js';
import { reassemble, unsecured } from '../support/tokens.js';

const UNKNOWN = '01a1ff15-0000-7000-8000-000000000000';
const LATER = '2036-01-01T00:00:00.000Z';

/** A route with a body: its path, and a valid body. */
interface BodyRoute {
  readonly method: string;
  readonly path: () => string;
  readonly body: Readonly<Record<string, unknown>>;
  /** A caller who may use it. */
  readonly by: () => Person;
  /** Fields for which null is a value. */
  readonly nullable?: readonly string[];
  /** Whether unknown fields are allowed. */
  readonly lax?: boolean;
}

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Formats that limit the length of a text. */
const BOUNDED_FORMATS = ['uuid', 'date-time'];

/** The paths at which a schema allows a text or a list of any size. Free objects are limited by the body's size. */
const unboundedIn = (path: string, schema: Schema): string[] => {
  const isBounded =
    schema.enum !== undefined ||
    schema.const !== undefined ||
    schema.maxLength !== undefined ||
    BOUNDED_FORMATS.includes(schema.format ?? '') ||
    /^\^.*\{\d+,\d+\}\$$/.test(schema.pattern ?? '');
  return [
    ...(schema.type === 'string' && !isBounded ? [path] : []),
    ...(schema.type === 'array' && schema.maxItems === undefined ? [path] : []),
    ...(schema.items ? unboundedIn(`${path}[]`, schema.items) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => unboundedIn(path, one)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => unboundedIn(`${path}.${name}`, one)),
  ];
};

const text = (length: number): string => 'é'.repeat(length);
const times = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const dimensionOf = (change: object): object => ({ name: 'A', weight: 1, category: 'process', ...change });

describe('bad input', () => {
  let provider: Provider;
  let issuer: FakeIssuer;
  let org: string;
  let keys: SigningPair;
  let stage: Stage;
  let owner: Person;
  let foreigner: Person;
  let foreignOrg: string;
  let carol: Person;
  let dave: Person;
  const ids = { role: '', application: '', session: '', draft: '', davesSession: '' };

  const person = (name: string): Promise<Person> => stage.signIn(`${name}@example.org`);

  beforeAll(async () => {
    provider = await openProvider();
    stage = await openStage({}, provider);
    ({ owner, org } = stage);
    ({ issuer, keys } = provider);
    foreignOrg = await stage.organisation('Other', 'foreigner@example.org');
    foreigner = await person('foreigner');
    await foreigner.get('/me');
    ids.role = await stage.role();
    const draft = { ...definition(), dimensions: [] };
    ids.draft = (await owner.post<{ id: string }>(stage.at('/roles'), draft)).body.id;
    const carols = await invite(owner, org, ids.role, 'carol@example.org');
    [ids.application, ids.session] = [carols.applicationId, carols.sessionId];
    ids.davesSession = (await invite(owner, org, ids.role, 'dave@example.org')).sessionId;
    [carol, dave] = [await person('carol'), await person('dave')];
    for (const candidate of [carol, dave]) {
      candidate.follow(owner);
      await candidate.get('/me');
    }
    await carol.post(`/trial-sessions/${ids.session}/start`, { consent: true });
    await owner.post(stage.at('/members'), { email: 'rita@example.org', role: 'reviewer' });
    owner.follow(carol);
  });
  afterAll(async () => {
    await stage.close();
    await issuer.close();
  });

  /** Expects a refusal with this status and code, in our words, and no new event. @returns the offending paths */
  const refused = async (
    send: () => Promise<Reply>,
    status: number,
    code: string,
  ): Promise<readonly string[]> => {
    const before = await stage.head();
    const reply = (await send()) as Reply<Failure>;
    expect({ status: reply.status, code: reply.body.code }).toEqual({ status, code });
    expect(faultOf(reply)).toBeNull();
    expect(await stage.head()).toBe(before);
    return (reply.body.details ?? []).map(({ path }) => path);
  };
  const asOwner = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    stage.api.send(method, path, { token: owner.token, ...(body !== undefined && { body }), headers });

  const ROUTES: Readonly<Record<string, BodyRoute>> = {
    'a new role': {
      method: 'POST',
      path: () => stage.at('/roles'),
      body: { ...definition(), questions: [] },
      by: () => owner,
      lax: true,
    },
    'a role’s definition': {
      method: 'PATCH',
      path: () => stage.at(`/roles/${ids.role}`),
      body: { ...definition(), questions: [] },
      by: () => owner,
    },
    'the organisation': {
      method: 'PATCH',
      path: () => stage.at(),
      body: { name: 'Example', recordAudio: false, retentionDays: 30 },
      by: () => owner,
      nullable: ['retentionDays'],
    },
    'a new member': {
      method: 'POST',
      path: () => stage.at('/members'),
      body: { email: 'new@example.org', role: 'admin' },
      by: () => owner,
    },
    'a member’s role': {
      method: 'PATCH',
      path: () => stage.at('/members/rita%40example.org'),
      body: { role: 'admin' },
      by: () => owner,
    },
    'an invitation': {
      method: 'POST',
      path: () => stage.at(`/roles/${ids.role}/invitations`),
      body: {
        ...{ candidateEmail: 'new@example.org', expiresAt: LATER },
        ...{ candidateName: 'Nell', externalId: 'ats-7', language: 'de' },
      },
      by: () => owner,
    },
    'an application': {
      method: 'PATCH',
      path: () => stage.at(`/applications/${ids.application}`),
      body: { expiresAt: LATER },
      by: () => owner,
    },
    'an outcome': {
      method: 'PUT',
      path: () => stage.at(`/trial-sessions/${ids.session}/outcome`),
      body: { humanRound: 'passed', disposition: 'hired', reason: 'Clear.' },
      nullable: ['humanRound', 'disposition', 'reason'],
      by: () => owner,
    },
    'a start': {
      method: 'POST',
      path: () => `/trial-sessions/${ids.davesSession}/start`,
      body: { consent: true },
      by: () => dave,
    },
    activity: {
      method: 'POST',
      path: () => `/trial-sessions/${ids.session}/activity`,
      body: work(),
      by: () => carol,
    },
  };
  const named = Object.entries(ROUTES);
  const send = ({ method, path, by }: BodyRoute, body?: unknown, headers: Record<string, string> = {}) =>
    stage.api.send(method, path(), { token: by().token, ...(body !== undefined && { body }), headers });

  describe.each(named)('as %s', (_, route) => {
    it('must be a JSON object', async () => {
      expect(await refused(() => send(route), 400, 'validation_failed')).toEqual(['']);
      expect(await refused(() => send(route, ''), 400, 'validation_failed')).toEqual(['']);
      for (const body of [[], [route.body], '"text"', 'null', '7'])
        expect(await refused(() => send(route, body), 400, 'validation_failed')).toEqual(['']);
      for (const broken of ['{', '{"name":', "{'name':1}", '{"a":1}}', '\u0000'])
        expect(await refused(() => send(route, broken), 400, 'malformed_json')).toEqual([]);
      await refused(
        () => send(route, '[1]', { 'content-type': 'text/plain' }),
        415,
        'unsupported_media_type',
      );
      await refused(
        () => send(route, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
        415,
        'unsupported_media_type',
      );
    });

    it('must be neither too large nor too deep', async () => {
      const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      await refused(() => send(route, '['.repeat(100_000)), 400, 'malformed_json');
      await refused(() => send(route, { ...route.body, padding: 'x'.repeat(300 * 1024) }), 413, 'too_large');
      await refused(() => send(route, deep), 413, 'too_large');
    });

    it('has no null, list or object where a plain value is due', async () => {
      for (const [field, value] of Object.entries(route.body)) {
        const wrong = [
          ...(route.nullable?.includes(field) ? [] : [null]),
          Array.isArray(value) ? {} : [value],
          { $ne: 1 },
        ];
        for (const one of wrong) {
          const body = { ...route.body, [field]: one };
          expect(await refused(() => send(route, body), 400, 'validation_failed')).toEqual([field]);
        }
      }
    });

    if (!route.lax)
      it('has no field of another name', async () => {
        const open = JSON.stringify(route.body).slice(0, -1);
        const names = {
          unheardOf: 'unheardOf',
          __proto__: '__proto__',
          constructor: 'constructor',
          $where: '$where',
          'a.b': '["a.b"]',
        };
        for (const [name, path] of Object.entries({ ...names, ['__proto__']: '__proto__' }))
          expect(
            await refused(
              () => send(route, `${open},${JSON.stringify(name)}:{"role":"owner"}}`),
              400,
              'validation_failed',
            ),
          ).toEqual([path]);
      });
  });

  it.each(['cancel', 'complete', 'withdraw', 'regenerations'])(
    'a body that %s has no use for must be JSON all the same',
    async (name) => {
      const path = {
        cancel: stage.at(`/applications/${ids.application}/cancel`),
        complete: `/trial-sessions/${ids.session}/complete`,
        withdraw: `/trial-sessions/${ids.session}/withdraw`,
        regenerations: stage.at(`/evaluations/${UNKNOWN}/regenerations`),
      }[name]!;
      const { token } = name === 'cancel' || name === 'regenerations' ? owner : carol;
      await refused(() => stage.api.send('POST', path, { token, body: '{' }), 400, 'malformed_json');
    },
  );

  describe('in a role', () => {
    const create = (body: unknown) => asOwner('POST', stage.at('/roles'), body);
    const update = (body: unknown) => asOwner('PATCH', stage.at(`/roles/${ids.role}`), body);
    const dimension = (change: object) => ({
      ...definition(),
      dimensions: [definition().dimensions[0], { ...definition().dimensions[1], ...change }],
    });

    it.each([1.5, '70', 2 ** 53, -(2 ** 53), true])(
      '%j is no whole number, to create and update',
      async (value) => {
        for (const send of [create, update]) {
          const threshold = { ...definition(), overallThreshold: value };
          expect(await refused(() => send(threshold), 400, 'validation_failed')).toEqual([
            'overallThreshold',
          ]);
          for (const field of ['weight', 'threshold'])
            expect(
              await refused(() => send(dimension({ [field]: value })), 400, 'validation_failed'),
            ).toEqual([`dimensions[1].${field}`]);
        }
      },
    );

    it.each([101, -1, 2 ** 53 - 1])(
      '%j is out of range on update, and makes a draft on create',
      async (value) => {
        const threshold = { ...definition(), overallThreshold: value };
        expect(await refused(() => update(threshold), 400, 'validation_failed')).toEqual([
          'overallThreshold',
        ]);
        expect(await create(threshold)).toMatchObject({ status: 201, body: { status: 'draft' } });
        for (const field of ['weight', 'threshold']) {
          const body = dimension({ [field]: value });
          expect(await refused(() => update(body), 400, 'validation_failed')).toEqual([
            `dimensions[1].${field}`,
          ]);
          const created = await create(body);
          expect(created).toMatchObject({ status: 201, body: { status: 'draft' } });
          expect(created.body).toMatchObject({ dimensions: [{}, { [field]: value }] });
        }
      },
    );

    it.each(['Win at https://evil.example', 'Engin\u202eeer'])(
      'the name %j, which goes into mails, is told when it is set',
      async (name) => {
        for (const set of [update, create])
          expect(await refused(() => set({ ...definition(), name }), 400, 'validation_failed')).toEqual([
            'name',
          ]);
        const invitation = { candidateEmail: 'new@example.org', candidateName: name };
        const path = stage.at(`/roles/${ids.role}/invitations`);
        expect(await refused(() => asOwner('POST', path, invitation), 400, 'validation_failed')).toEqual([
          'candidateName',
        ]);
      },
    );

    it.each(['', ' ', '\t\n', '\u00a0\u3000\ufeff'])('the name %j is blank', async (name) => {
      expect(await refused(() => update({ ...definition(), name }), 400, 'validation_failed')).toEqual([
        'name',
      ]);
      expect(await refused(() => update(dimension({ name })), 400, 'validation_failed')).toEqual([
        'dimensions[1].name',
      ]);
      for (const body of [{ ...definition(), name }, dimension({ name })])
        expect(await create(body)).toMatchObject({ status: 201, body: { status: 'draft' } });
    });

    it('an update knows two categories and at least one dimension, a creation takes any', async () => {
      for (const category of ['speed', 'Process', ''])
        expect(await refused(() => update(dimension({ category })), 400, 'validation_failed')).toEqual([
          'dimensions[1].category',
        ]);
      const empty = { ...definition(), dimensions: [] };
      expect(await refused(() => update(empty), 400, 'validation_failed')).toEqual(['dimensions']);
      for (const body of [dimension({ category: 'speed' }), empty])
        expect(await create(body)).toMatchObject({ status: 201, body: { status: 'draft' } });
    });

    it('every offending field is named, in lists too', async () => {
      const wrong = {
        name: ' ',
        overallThreshold: 101,
        dimensions: [
          { name: null, weight: '1', category: 'speed', threshold: 1.5, rubric: 7, colour: 'red' },
          null,
          [],
        ],
        ticketIds: [1],
        questions: [{ dimensionName: 7 }, 'why?'],
        status: 'ready',
      };
      expect(await refused(() => update(wrong), 400, 'validation_failed')).toEqual([
        'name',
        'overallThreshold',
        'dimensions[0].name',
        'dimensions[0].weight',
        'dimensions[0].category',
        'dimensions[0].threshold',
        'dimensions[0].rubric',
        'dimensions[0].colour',
        'dimensions[1]',
        'dimensions[2]',
        'ticketIds',
        'questions[0].text',
        'questions[0].dimensionName',
        'questions[1]',
        'status',
      ]);
      expect(await refused(() => create({}), 400, 'validation_failed')).toEqual([
        'name',
        'overallThreshold',
        'dimensions',
      ]);
      expect(
        await refused(() => create({ ...definition(), dimensions: [{}] }), 400, 'validation_failed'),
      ).toEqual(['dimensions[0].name', 'dimensions[0].weight', 'dimensions[0].category']);
    });

    it('a creation ignores what it does not know', async () => {
      const open = JSON.stringify(definition()).slice(0, -1);
      const created = await create(
        `${open},"id":"mine","status":"erased","__proto__":{"version":9},"$where":"1"}`,
      );
      expect(created).toMatchObject({ status: 201, body: { status: 'ready', version: 1 } });
      expect(created.body).not.toMatchObject({ id: 'mine' });
      expect(created.text).not.toContain('$where');
    });

    it.each<[string, string, (count: number) => object, number]>([
      ['name', 'name', (n) => ({ name: text(n) }), 200],
      [
        'dimensions',
        'dimensions',
        (n) => ({ dimensions: times(n, (i) => dimensionOf({ name: `D${i}` })) }),
        100,
      ],
      [
        'a dimension’s name',
        'dimensions[0].name',
        (n) => ({ dimensions: [dimensionOf({ name: text(n) })] }),
        200,
      ],
      [
        'a rubric',
        'dimensions[0].rubric',
        (n) => ({ dimensions: [dimensionOf({ rubric: text(n) })] }),
        4_000,
      ],
      ['ticketIds', 'ticketIds', (n) => ({ ticketIds: times(n, (i) => `T-${i}`) }), 200],
      ['a ticket’s id', 'ticketIds', (n) => ({ ticketIds: [text(n)] }), 200],
      ['questions', 'questions', (n) => ({ questions: times(n, () => ({ text: 'Why?' })) }), 100],
      ['a question', 'questions[0].text', (n) => ({ questions: [{ text: text(n) }] }), 2_000],
      [
        'a question’s dimension',
        'questions[0].dimensionName',
        (n) => ({ questions: [{ text: 'Why?', dimensionName: text(n) }] }),
        200,
      ],
      ['the instructions', 'instructions', (n) => ({ instructions: text(n) }), 8_000],
      [
        'a notice’s version',
        'notice.version',
        (n) => ({ notice: { version: text(n), text: 'It is recorded.' } }),
        50,
      ],
      ['a notice', 'notice.text', (n) => ({ notice: { version: '1', text: text(n) } }), 8_000],
    ])('%s is bounded, on creation too', async (_, path, sized, most) => {
      const fits = { ...definition(), ...sized(most) };
      const tooMuch = { ...definition(), ...sized(most + 1) };
      const created = await create(fits);
      expect(created).toMatchObject({ status: 201, body: { status: 'ready' } });
      const { id } = created.body as { id: string };
      const change = (body: object) => asOwner('PATCH', stage.at(`/roles/${id}`), body);
      expect((await change({ ...fits, overallThreshold: 1 })).status).toBe(200);
      for (const write of [create, change]) {
        expect(await refused(() => write(tooMuch), 400, 'validation_failed')).toEqual([path]);
        expect(((await write(tooMuch)).body as Failure).error).toContain(`at most ${most} `);
      }
    });

    it('the definition as a whole is bounded, on creation too', async () => {
      const sized = (length: number) => ({
        ...definition(),
        dimensions: times(20, () => dimensionOf({ rubric: 'x'.repeat(length) })),
      });
      const created = await create(sized(3_000));
      expect(created).toMatchObject({ status: 201, body: { status: 'ready' } });
      const { id } = created.body as { id: string };
      for (const write of [create, (body: object) => asOwner('PATCH', stage.at(`/roles/${id}`), body)]) {
        expect(await refused(() => write(sized(3_300)), 400, 'validation_failed')).toEqual(['']);
        expect(((await write(sized(3_300))).body as Failure).error).toBe(
          'The definition must have at most 65536 bytes as JSON.',
        );
      }
    });

    it('a time frame has a range on update, and creation takes any as a draft', async () => {
      for (const timeFrameMinutes of [0, 10_081]) {
        const body = { ...definition(), timeFrameMinutes };
        expect(await create(body)).toMatchObject({
          status: 201,
          body: { status: 'draft', timeFrameMinutes },
        });
        expect(await refused(() => update(body), 400, 'validation_failed')).toEqual(['timeFrameMinutes']);
      }
      for (const timeFrameMinutes of ['90', 1.5])
        for (const write of [create, update])
          expect(
            await refused(() => write({ ...definition(), timeFrameMinutes }), 400, 'validation_failed'),
          ).toEqual(['timeFrameMinutes']);
    });

    it('the pause that ends an answer has a range on update, and creation takes any as a draft', async () => {
      expect((await create(definition())).body).toMatchObject({ answerPauseMs: 2_500 });
      for (const answerPauseMs of [499, 10_001]) {
        const body = { ...definition(), answerPauseMs };
        expect(await create(body)).toMatchObject({ status: 201, body: { status: 'draft', answerPauseMs } });
        expect(await refused(() => update(body), 400, 'validation_failed')).toEqual(['answerPauseMs']);
      }
      for (const answerPauseMs of ['2500', 2_500.5])
        for (const write of [create, update])
          expect(
            await refused(() => write({ ...definition(), answerPauseMs }), 400, 'validation_failed'),
          ).toEqual(['answerPauseMs']);
      for (const answerPauseMs of [500, 10_000]) {
        const body = { ...definition(), answerPauseMs };
        expect(await create(body)).toMatchObject({ status: 201, body: { answerPauseMs } });
        expect(await update(body)).toMatchObject({ status: 200, body: { answerPauseMs } });
      }
      expect((await update(definition())).body).toMatchObject({ answerPauseMs: 10_000 });
    });

    it('a category is bounded on creation, and nothing else is asked of it', async () => {
      const category = (count: number) => dimension({ category: text(count) });
      expect(await create(category(100))).toMatchObject({ status: 201, body: { status: 'draft' } });
      expect(await refused(() => create(category(101)), 400, 'validation_failed')).toEqual([
        'dimensions[1].category',
      ]);
    });

    it('a dimension’s id must be the role’s own, once', async () => {
      const { body } = await asOwner('GET', stage.at(`/roles/${ids.role}`));
      const own = (body as { dimensions: { id: string }[] }).dimensions[0]!.id;
      const twice = {
        ...definition(),
        dimensions: definition().dimensions.map((one) => ({ ...one, id: own })),
      };
      expect(await refused(() => update(twice), 400, 'validation_failed')).toEqual(['dimensions[1].id']);
      for (const id of [UNKNOWN, 'x', own.slice(1), ids.role])
        expect(await refused(() => update(dimension({ id })), 400, 'validation_failed')).toEqual([
          'dimensions[1].id',
        ]);
    });
  });

  it('every text and every list that a body may hold has a largest size in the interface’s description', async () => {
    const { body } = await stage.api.send<{
      paths: Record<string, Record<string, { requestBody?: unknown }>>;
      components: { schemas: Record<string, Schema> };
    }>('GET', '/openapi.json');
    const bodies = Object.values(body.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody]));
    const json = JSON.stringify(bodies);
    const names = new Set([...json.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name!));
    expect(names.size).toBeGreaterThan(8);
    for (const name of names)
      for (const [, inner] of JSON.stringify(body.components.schemas[name]).matchAll(/schemas\/(\w+)/g))
        names.add(inner!);
    const unbounded = [...names].flatMap((name) => unboundedIn(name, body.components.schemas[name]!));
    expect(unbounded).toEqual([]);
  });

  describe('in other bodies', () => {
    it.each(['', 'x', 'a@', '@b.de', 'a@b@c.de', 'a b@c.de', `${'x'.repeat(65)}@example.org`])(
      '%j is no e-mail address',
      async (address) => {
        const invitation = { candidateEmail: address };
        const invited = () => send(ROUTES['an invitation']!, invitation);
        expect(await refused(invited, 400, 'validation_failed')).toEqual(['candidateEmail']);
        const added = () => send(ROUTES['a new member']!, { email: address, role: 'admin' });
        expect(await refused(added, 400, 'validation_failed')).toEqual(['email']);
      },
    );

    it.each([
      'soon',
      '',
      '2036-01-01',
      '2036-02-30T00:00:00Z',
      '2036-01-01T00:00:00',
      '2020-01-01T00:00:00Z',
      '99999-01-01T00:00:00Z',
    ])('%j is no time at which something could expire', async (expiresAt) => {
      const invited = () => send(ROUTES['an invitation']!, { candidateEmail: 'new@example.org', expiresAt });
      expect(await refused(invited, 400, 'validation_failed')).toEqual(['expiresAt']);
      const extended = () => send(ROUTES['an application']!, { expiresAt });
      expect(await refused(extended, 400, 'validation_failed')).toEqual(['expiresAt']);
    });

    it('a session cannot expire within the second', async () => {
      const expiresAt = new Date(Date.now() + 700).toISOString();
      const invited = () => send(ROUTES['an invitation']!, { candidateEmail: 'new@example.org', expiresAt });
      expect(await refused(invited, 400, 'validation_failed')).toEqual(['expiresAt']);
    });

    it('a member has one name and one of four roles', async () => {
      const add = (body: object) => () => send(ROUTES['a new member']!, body);
      expect(await refused(add({ role: 'admin' }), 400, 'validation_failed')).toEqual(['email', 'subject']);
      const both = { role: 'admin', email: 'new@example.org', subject: 'new' };
      expect(await refused(add(both), 400, 'validation_failed')).toEqual(['email', 'subject']);
      for (const subject of ['', ' ', 'x'.repeat(256), null, 7])
        expect(await refused(add({ role: 'admin', subject }), 400, 'validation_failed')).toEqual(['subject']);
      for (const role of ['Owner', '', 'candidate'])
        expect(await refused(add({ role, subject: 'new' }), 400, 'validation_failed')).toEqual(['role']);
    });

    it('an outcome holds one of its two values, spelt right', async () => {
      const put = (body: object) => () => send(ROUTES['an outcome']!, body);
      for (const body of [{}, { reason: 'Because.' }])
        expect(await refused(put(body), 400, 'validation_failed')).toEqual(['humanRound', 'disposition']);
      const misspelt = { humanRound: 'Passed', disposition: 'rejected', reason: 7 };
      expect(await refused(put(misspelt), 400, 'validation_failed')).toEqual([
        'humanRound',
        'disposition',
        'reason',
      ]);
      await refused(put({ humanRound: 'passed' }), 409, 'trial_not_completed');
      await refused(() => asOwner('DELETE', ROUTES['an outcome']!.path()), 409, 'trial_not_completed');
    });

    it('settings keep their bounds', async () => {
      const patch = (body: object) => () => send(ROUTES['the organisation']!, body);
      for (const retentionDays of [0, -1, 1.5, '30', 2 ** 53])
        expect(await refused(patch({ retentionDays }), 400, 'validation_failed')).toEqual(['retentionDays']);
      for (const name of ['', ' ', 'x'.repeat(201), 'Go to evil.com'])
        expect(await refused(patch({ name }), 400, 'validation_failed')).toEqual(['name']);
      for (const senderName of ['x'.repeat(201), 'Go to evil.com', 'a\nb', 7])
        expect(await refused(patch({ senderName }), 400, 'validation_failed')).toEqual(['senderName']);
      for (const timeZone of ['', ' ', 'Mars/Olympus', '+02:00', 'UTC '.repeat(20), null])
        expect(await refused(patch({ timeZone }), 400, 'validation_failed')).toEqual(['timeZone']);
      expect(await refused(patch({ recordAudio: 'yes' }), 400, 'validation_failed')).toEqual(['recordAudio']);
    });

    it('a trial starts with consent alone, and nobody is invited to a draft', async () => {
      for (const consent of [false, 'true', 1])
        expect(await refused(() => send(ROUTES['a start']!, { consent }), 400, 'validation_failed')).toEqual([
          'consent',
        ]);
      const invitations = stage.at(`/roles/${ids.draft}/invitations`);
      await refused(
        () => asOwner('POST', invitations, { candidateEmail: 'new@example.org' }),
        409,
        'role_draft',
      );
    });
  });

  it('half of a surrogate pair is refused in a name or id, and kept where any string is allowed', async () => {
    const half = 'half \ud83d';
    const named: readonly (readonly [method: string, path: string, body: object])[] = [
      ['PATCH', stage.at(), { name: half }],
      ['POST', stage.at('/members'), { subject: half, role: 'admin' }],
      ['POST', stage.at('/webhooks'), { url: `https://example.org/${half}`, events: ['evaluation.ready'] }],
      ['PATCH', stage.at(`/roles/${ids.role}`), definition(half)],
    ];
    for (const [method, path, body] of named)
      await refused(() => asOwner(method, path, body), 400, 'validation_failed');
    const created = await owner.post<{ id: string }>(stage.at('/roles'), definition(half));
    expect(created).toMatchObject({ status: 201, body: { name: half } });
    expect((await owner.get(stage.at(`/roles/${created.body.id}`))).body).toMatchObject({ name: half });
    for (const query of ['cursor=%ED%A0%BD', 'limit=%ED%A0%BD'])
      expect((await owner.get(stage.at(`/roles?${query}`))).status).toBe(400);
  });

  it('payload keys come back exactly as they were sent, and harm nothing', async () => {
    const erin = await person('erin');
    const { sessionId } = await invite(owner, stage.org, ids.role, 'erin@example.org');
    erin.follow(owner);
    await erin.post(`/trial-sessions/${sessionId}/start`, { consent: true });
    const payload =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"$where":"sleep(1)",' +
      '"a.b":[{"$ne":null}],"":0,"$set":{"status":"ready"},"toString":null,"hasOwnProperty":1,"length":-1,' +
      '"\\u0000":"\\u0000","\\ud800":"\\udfff","é":"e\\u0301","deep":[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]}';
    const events = `{"events":[{"clientEventId":"__proto__","eventType":"custom.keys","occurredAt":"2026-01-05T09:00:00Z","payload":${payload}}]}`;
    const sent = await stage.api.send('POST', `/trial-sessions/${sessionId}/activity`, {
      token: erin.token,
      body: events,
    });
    expect(sent).toMatchObject({ status: 202, body: { accepted: 1, lastSequenceNumber: 2 } });
    await erin.post(`/trial-sessions/${sessionId}/complete`);
    owner.follow(erin);
    const list = await owner.get<{ items: { id: string; trialSessionId: string }[] }>(
      stage.at('/evaluations'),
    );
    const { id } = list.body.items.find((one) => one.trialSessionId === sessionId)!;
    const read = () => owner.get<Evaluation>(stage.at(`/evaluations/${id}`));
    const ready = await eventually(async () => {
      const reply = await read();
      return reply.body.status === 'ready' && reply;
    });
    expect(ready.text).toContain(`"payload":${JSON.stringify(JSON.parse(payload))}`);
    expect(JSON.stringify(ready.body.evidence.events[1]!.payload)).toBe(JSON.stringify(JSON.parse(payload)));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await stage.api.send('GET', '/health/ready')).text).not.toContain('polluted');
  });

  const NO_IDS = [
    'x',
    'a.b',
    '$where',
    '__proto__',
    'constructor',
    '%C2%A7',
    '%00',
    '..%2F..',
    '%2e%2e%2f',
    'a%20b',
    '-',
    'x'.repeat(300),
    '%E2%82%AC'.repeat(300),
    UNKNOWN,
    UNKNOWN.toUpperCase(),
    '{}',
  ];

  it.each(NO_IDS.map((id) => [id.slice(0, 40), id]))(
    '%s is an unknown id wherever one is due',
    async (_, id) => {
      const staff: [string, string, unknown?][] = [
        ['GET', `/roles/${id}`],
        ['PATCH', `/roles/${id}`, definition()],
        ['POST', `/roles/${id}/invitations`, { candidateEmail: 'new@example.org' }],
        ['GET', `/members/${id}`],
        ['PATCH', `/members/${id}`, { role: 'admin' }],
        ['DELETE', `/members/${id}`],
        ['GET', `/applications/${id}`],
        ['PATCH', `/applications/${id}`, { expiresAt: LATER }],
        ['POST', `/applications/${id}/cancel`],
        ['PUT', `/trial-sessions/${id}/outcome`, { humanRound: 'passed' }],
        ['DELETE', `/trial-sessions/${id}/outcome`],
        ['GET', `/evaluations/${id}`],
        ['POST', `/evaluations/${id}/regenerations`],
      ];
      const own: [string, string, unknown?][] = [
        ['GET', `/applications/${id}`],
        ['GET', `/trial-sessions/${id}`],
        ['POST', `/trial-sessions/${id}/start`, { consent: true }],
        ['POST', `/trial-sessions/${id}/activity`, work()],
        ['POST', `/trial-sessions/${id}/complete`],
        ['POST', `/trial-sessions/${id}/withdraw`],
      ];
      for (const [method, path, body] of staff)
        await refused(() => asOwner(method, stage.at(path), body), 404, 'not_found');
      for (const [method, path, body] of own)
        await refused(() => asOwner(method, path, body), 404, 'not_found');
      const list = await asOwner('GET', stage.at(`/evaluations?roleId=${id}`));
      expect(list).toMatchObject({ status: 200, body: { items: [] } });
      await refused(() => asOwner('GET', `/organisations/${id}/signal`), 403, 'forbidden');
    },
  );

  it('another organisation’s records are unknown ids', async () => {
    const below = (path: string) => `/organisations/${foreignOrg}${path}`;
    const calls: [string, string, unknown?][] = [
      ['GET', `/roles/${ids.role}`],
      ['PATCH', `/roles/${ids.role}`, definition('Taken over')],
      ['POST', `/roles/${ids.role}/invitations`, { candidateEmail: 'new@example.org' }],
      ['GET', `/applications/${ids.application}`],
      ['PATCH', `/applications/${ids.application}`, { expiresAt: LATER }],
      ['POST', `/applications/${ids.application}/cancel`],
      ['PUT', `/trial-sessions/${ids.session}/outcome`, { humanRound: 'passed' }],
      ['DELETE', `/trial-sessions/${ids.session}/outcome`],
      ['GET', '/members/sub-owner'],
      ['DELETE', '/members/sub-owner'],
    ];
    const { token } = foreigner;
    for (const [method, path, body] of calls) {
      await refused(() => stage.api.send(method, below(path), { token, body }), 404, 'not_found');
      await refused(() => stage.api.send(method, stage.at(path), { token, body }), 403, 'forbidden');
    }
    expect((await stage.api.send<object>('GET', below('/evaluations'), { token })).body).toMatchObject({
      items: [],
    });
  });

  it('another candidate’s session is an unknown id', async () => {
    const { token } = dave;
    for (const [name, body] of [
      ['start', { consent: true }],
      ['activity', work()],
      ['complete'],
      ['withdraw'],
    ] as const) {
      const path = `/trial-sessions/${ids.session}/${name}`;
      await refused(() => stage.api.send('POST', path, { token, body }), 404, 'not_found');
    }
  });

  describe('as a credential', () => {
    const create = (authorization?: string) =>
      stage.api.send('POST', stage.at('/roles'), {
        body: definition(),
        ...(authorization !== undefined && { headers: { authorization } }),
      });
    const claims = { sub: 'sub-owner', email: 'owner@example.org', email_verified: true };
    const now = () => Math.floor(Date.now() / 1000);

    it.each([
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic b3duZXI6eA==',
      'Bearer a.b',
      'Bearer a.b.c.d',
      'Bearer a.b.ä',
      'Token a.b.c',
      'a.b.c',
    ])('%j is missing or malformed', async (authorization) => {
      const before = await stage.head();
      const reply = await create(authorization);
      expect(reply).toMatchObject({
        status: 401,
        body: { error: 'missing bearer token', code: 'missing_token' },
      });
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      expect(await stage.head()).toBe(before);
    });

    it('an invalid token opens nothing', async () => {
      const pem = await exportSPKI((await importJWK(keys.publicJwk, 'RS256')) as Key);
      const attacker = await signingPair('RS256', 'first');
      const elliptic = await signingPair('ES256', 'elliptic');
      const good = await issuer.token(keys, claims);
      const hmac = (secret: string) => {
        const signed = reassemble(good, { header: { alg: 'HS256', typ: 'JWT', kid: 'first' } })
          .split('.')
          .slice(0, 2)
          .join('.');
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      };
      const attacks: Record<string, string> = {
        expired: await issuer.token(keys, { ...claims, iat: now() - 4000, exp: now() - 61 }),
        'for ever': await issuer.token(keys, { ...claims, exp: undefined }),
        'not yet': await issuer.token(keys, { ...claims, nbf: now() + 120 }),
        unsecured: unsecured(good),
        'HS256 with the public key': hmac(pem),
        'HS256 with the public key, trimmed': hmac(pem.trim()),
        'HS256 with the JWK': hmac(JSON.stringify(keys.publicJwk)),
        'another’s key under the known kid': await issuer.token(attacker, claims),
        'another’s key brought along': await issuer.token(attacker, claims, {
          jwk: attacker.publicJwk,
          jku: `${issuer.url}/jwks`,
        }),
        'an unknown kid': await issuer.token(elliptic, claims),
        'another audience': await issuer.token(keys, { ...claims, aud: 'another' }),
        'another issuer': await issuer.token(keys, { ...claims, iss: 'https://elsewhere.example.org' }),
        'without subject': await issuer.token(keys, { ...claims, sub: undefined }),
        'changed payload': reassemble(good, { payload: { sub: 'sub-foreigner' } }),
        'without signature': reassemble(good, { signature: '' }),
        'no JSON': 'a.b.c',
      };
      for (const [name, token] of Object.entries(attacks)) {
        const before = await stage.head();
        const reply = (await create(`Bearer ${token}`)) as Reply<Failure>;
        expect({ name, status: reply.status, code: reply.body.code }).toEqual({
          name,
          status: 401,
          code: 'invalid_token',
        });
        expect(faultOf(reply)).toBeNull();
        expect(await stage.head()).toBe(before);
      }
      const before = await stage.head();
      const oversized = await issuer.token(keys, { ...claims, padding: 'x'.repeat(20_000) });
      const refused = (await create(`Bearer ${oversized}`)) as Reply<Failure>;
      expect([refused.status, refused.body.code]).toEqual([413, 'too_large']);
      expect(refused.body.error).toMatch(/ID token.*groups/);
      expect(await stage.head()).toBe(before);
      // A member may have many groups: a token may be as long as the limit of a request's headers.
      const long = await issuer.token(keys, { ...claims, padding: 'x'.repeat(9_000) });
      expect((await create(`Bearer ${long}`)).status).toBe(201);
      expect((await create(`bEaReR ${good}`)).status).toBe(201);
      const almost = await issuer.token(keys, { ...claims, exp: now() - 30 });
      expect((await create(`Bearer ${almost}`)).status).toBe(201);
    });
  });

  it('of ten updates at once with one ETag, exactly one is made', async () => {
    const path = stage.at(`/roles/${await stage.role()}`);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        asOwner('PATCH', path, definition(`Name ${index}`), { 'if-match': '"1"' }),
      ),
    );
    const codes = replies.map(({ status, body }) => (status === 200 ? 200 : (body as Failure).code)).sort();
    expect(codes).toEqual([200, ...Array.from({ length: 9 }, () => 'version_mismatch')]);
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(9);
    const won = replies.find(({ status }) => status === 200)!;
    owner.follow(owner);
    const { body } = await asOwner('GET', path, undefined, {
      'consistency-token': won.headers.get('consistency-token')!,
    });
    expect(body).toEqual(won.body);
    expect(body).toMatchObject({ version: 2 });
    await refused(
      () => asOwner('PATCH', path, definition('Late'), { 'if-match': '"1"' }),
      412,
      'version_mismatch',
    );
  });

  it('an Idempotency-Key with another body makes nothing', async () => {
    const key = { 'idempotency-key': 'bad-input-1' };
    expect((await asOwner('POST', stage.at('/roles'), definition(), key)).status).toBe(201);
    const other = definition('Another one');
    await refused(() => asOwner('POST', stage.at('/roles'), other, key), 409, 'idempotency_key_reused');
    for (const wrong of ['', 'é', 'x'.repeat(256)]) {
      const header = { 'idempotency-key': wrong };
      expect(
        await refused(() => asOwner('POST', stage.at('/roles'), other, header), 400, 'validation_failed'),
      ).toEqual(['Idempotency-Key']);
    }
  });

  it('the service is as well as before', async () => {
    expect(stage.service.output()).not.toMatch(/"level":"(error|fatal)"/);
    expect((await stage.api.send('GET', '/health/ready')).status).toBe(200);
  });
});

interface Evaluation {
  readonly status: string;
  readonly evidence: { readonly events: readonly { readonly payload: unknown }[] };
}
