import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Api } from '../support/api.js';
import { type Service, startService } from '../support/service.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly requestBody?: Required<Content>;
  readonly operationId: string;
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly object[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** Every object within a value, with the path that leads to it. */
const within = (
  value: unknown,
  path = '',
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, one]) => within(one, `${path}/${key}`));
  return Array.isArray(value) ? below : [[path, value as Readonly<Record<string, unknown>>], ...below];
};

let service: Service;
let api: Api;
let document: Document;
beforeAll(async () => {
  service = await startService();
  api = new Api(service.url);
  document = (await api.send<Document>('GET', '/openapi.json')).body;
});
afterAll(() => service.stop());

describe('the service', () => {
  it('says where it serves and how to sign in', () => {
    expect(service.output()).toContain(`Assay serves at ${service.url}`);
    expect(service.output()).toContain(`${service.url}/docs`);
    expect(service.output()).toContain(`${service.url}/issuer/token-for`);
  });

  it('describes the interview’s socket, at its own address', async () => {
    const { status, headers, body } = await api.send<{ asyncapi: string; servers: object }>(
      'GET',
      '/asyncapi.json',
    );
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(body).toMatchObject({
      asyncapi: '3.0.0',
      servers: { service: { protocol: 'ws', host: new URL(service.url).host } },
    });
    expect((await api.send('GET', '/docs')).text).toContain('href="./asyncapi.json"');
  });

  it('has a page to try it on, all of whose parts are its own', async () => {
    const page = await api.send('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'; /);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part ?? '');
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const part of parts) {
      expect(part).toMatch(/^\.\/(docs\/|asyncapi\.json$)/);
      expect((await api.send('GET', part.slice(1))).status).toBe(200);
    }
    expect(page.text).not.toMatch(/<script>|<style>| style=| on\w+=/);
    expect((await api.send('GET', '/docs/settings.json')).body).toEqual({ tokenFor: '/issuer/token-for' });
    for (const path of [
      '/docs/package.json',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/toString',
    ]) {
      expect((await api.send('GET', path)).status).toBe(404);
    }
  });

  it('lets the sign-in page keep its own policy, and no other beside it', async () => {
    const page = await api.send('GET', '/issuer');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'sha256-/);
    expect(policy.match(/default-src/g)).toHaveLength(1);
  });

  it('is asked for a credential on every route that is not public', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const reply = await api.send<{ error: string }>(method.toUpperCase(), path.replaceAll(/[{}]/g, ''));
        // A public path whose parameter is no existing name is 404.
        if (security?.length === 0) expect(reply.status).toBe(path.includes('{') ? 404 : 200);
        else expect(reply).toMatchObject({ status: 401, body: { error: 'missing bearer token' } });
      }
    }
  });
});

// As the built service serves it: a bundler may rename the classes from which the document takes names.
describe('the OpenAPI document', () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
    );
  const errorsOf = (id: string): readonly string[] => {
    const { responses } = operations().find(({ operationId }) => operationId === id)!;
    return Object.keys(responses).filter((status) => !/^[23]/.test(status));
  };

  it('is valid OpenAPI 3.1, whose references lead to components', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const { valid, errors } = await new Validator().validate({ ...document });
    expect({ valid, errors }).toMatchObject({ valid: true });
    for (const [path, { $ref: reference }] of within(document)) {
      if (typeof reference !== 'string') continue;
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(reference) ?? [];
      expect([path, reference, document.components[kind]?.[name]]).toEqual([
        path,
        reference,
        expect.anything(),
      ]);
    }
  });

  it('names operations by resource and verb, and schemas by what they describe', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id))).toEqual([]);
    const names = Object.keys(document.components.schemas!);
    expect(names.filter((name) => !/^[A-Z][A-Za-z]*$/.test(name) || /(Dto|Record)$/.test(name))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['roles.create', 'trialSessions.recordActivity']));
    expect(names).toEqual(expect.arrayContaining(['Role', 'CreateRole', 'AddMember', 'Error']));
  });

  it('has the errors of each operation that can come', () => {
    for (const { operationId, method, path, security, responses } of operations()) {
      const all = [
        ...['400', '413', '500', '503'],
        ...(security ? [] : ['401', '429']),
        ...(path.startsWith('/organisations/') ? ['403'] : []),
        ...(/\{(?!orgId)/.test(path) ? ['404'] : []),
        ...(method === 'get' ? [] : ['409', '415']),
      ];
      const missing = 'default' in responses ? [] : all.filter((status) => !(status in responses));
      expect([operationId, missing]).toEqual([operationId, []]);
    }
    expect(errorsOf('sharedReports.read')).toContain('429');
    expect(errorsOf('roles.update')).toContain('412');
    expect(errorsOf('trialSessions.recordActivity')).toEqual([
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
  });

  it('has as many error responses for an evaluation and the signal as the interface says', () => {
    expect(errorsOf('evaluations.read')).toEqual(['401', '403', '404', '410', 'default']);
    expect(errorsOf('signal.read')).toEqual(['401', '403', 'default']);
  });

  it('describes each name in a path, with an example', () => {
    const { parameters = {} } = document.components;
    for (const { operationId, path, parameters: own = [] } of operations()) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      const references = names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
      expect([operationId, own.slice(0, names.length)]).toEqual([operationId, references]);
      for (const name of names)
        expect(parameters[name]).toMatchObject({
          ...{ name, in: 'path', required: true },
          ...{ description: expect.any(String), example: expect.anything() },
        });
    }
  });

  it('links what creates a record to what it can be used for', () => {
    const all = operations();
    const links = within(document.paths).flatMap(([path, part]) =>
      /\/responses\/\w+\/links\/[\w.]+$/.test(path)
        ? [part as { operationId: string; parameters: Record<string, string> }]
        : [],
    );
    for (const { operationId, parameters } of links) {
      const to = all.find((one) => one.operationId === operationId);
      const names = [...(to?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(parameters).filter((name) => !name.startsWith('header.'))).toEqual(names);
    }
    expect(all.find(({ operationId }) => operationId === 'roles.create')?.responses['201']).toMatchObject({
      links: {
        'roles.read': {
          parameters: {
            orgId: '$request.path.orgId',
            roleId: '$response.body#/id',
            'header.Consistency-Token': '$response.header.Consistency-Token',
          },
        },
      },
    });
  });

  it('takes each `null` of a record in what replaces that record', () => {
    const resolved = (part: Schema): Schema => {
      const name = part.$ref?.split('/').at(-1);
      return name === undefined ? part : resolved(document.components.schemas![name] as Schema);
    };
    /** The alternatives of a schema. */
    const kinds = (part: Schema): readonly Schema[] => {
      const { anyOf, oneOf, ...whole } = resolved(part);
      return (anyOf ?? oneOf)?.flatMap(kinds) ?? [whole];
    };
    const mayBeNull = (part: Schema) => kinds(part).some(({ type }) => [type].flat().includes('null'));
    /** The schema of a property or of the items, in each alternative that has it. */
    const partsOf = (whole: Schema, part: (kind: Schema) => Schema | undefined): Schema => ({
      anyOf: kinds(whole).flatMap((kind) => part(kind) ?? []),
    });
    const refused = (path: string, body: Schema, record: Schema): readonly string[] => {
      const below = (name: string, part: (kind: Schema) => Schema | undefined) => {
        const [taken, shown] = [partsOf(body, part), partsOf(record, part)];
        return taken.anyOf?.length && shown.anyOf?.length ? refused(path + name, taken, shown) : [];
      };
      const names = new Set(kinds(body).flatMap(({ properties = {} }) => Object.keys(properties)));
      return [
        ...(mayBeNull(record) && !mayBeNull(body) ? [path] : []),
        ...[...names].flatMap((name) => below(`.${name}`, ({ properties }) => properties?.[name])),
        ...below('[]', ({ items }) => items),
      ];
    };
    const looked = operations().flatMap(({ operationId, method, requestBody, responses }) => {
      const body = requestBody?.content['application/json']?.schema;
      const { content } = (responses['200'] ?? {}) as Content;
      const record = content?.['application/json']?.schema;
      if ((method !== 'patch' && method !== 'put') || !body || !record) return [];
      expect(refused(operationId, body, record)).toEqual([]);
      return [operationId];
    });
    expect(looked).toEqual(expect.arrayContaining(['roles.update', 'tickets.update', 'outcomes.record']));
  });

  it('names each object and each enumeration, so that generated clients do', () => {
    const schemas = Object.values(document.components.schemas!).flatMap((schema) => within(schema).slice(1));
    const nameless = [...schemas, ...within(document.paths)].filter(
      ([path, part]) =>
        typeof part.properties === 'object' || (Array.isArray(part.enum) && !path.endsWith('/not')),
    );
    expect(nameless).toEqual([]);
  });
});
