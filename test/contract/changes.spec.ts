import { describe, expect, it } from '@jest/globals';
import { asyncApiBreaks, mayBreak, openApiBreaks } from './changes.js';
import type { Part } from './schemas.js';

const thing = (name: string) => ({
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    kind: { type: 'string', enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 0, maximum: 9 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    within: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
    free: { type: 'object', additionalProperties: true },
    by: {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    },
  },
});
/** What clients send, and what they get. */
const SCHEMAS = { NewThing: thing('NewThing'), Thing: thing('Thing') };

const openApi = {
  security: [{ idToken: [] }],
  paths: {
    '/things/{thingId}': {
      put: {
        operationId: 'things.replace',
        parameters: [
          { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'dry', in: 'query', schema: { type: 'boolean' } },
        ],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewThing' } } },
        },
        responses: {
          '200': {
            headers: { ETag: { schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '404': { $ref: '#/components/responses/NotFound' },
        },
      },
    },
  },
  webhooks: {
    'thing.made': {
      post: {
        operationId: 'notices.thingMade',
        parameters: [{ name: 'webhook-id', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { '2XX': { description: 'Taken.' } },
      },
    },
  },
  components: {
    schemas: SCHEMAS,
    responses: { NotFound: { content: { 'application/json': { schema: { type: 'object' } } } } },
  },
};

const asyncApi = {
  channels: { interview: { address: '/socket' } },
  operations: {
    fromClient: { action: 'receive', messages: [{ $ref: '#/channels/interview/messages/taken' }] },
    fromServer: { action: 'send', messages: [{ $ref: '#/channels/interview/messages/given' }] },
  },
  components: {
    messages: {
      taken: { contentType: 'application/json', payload: { $ref: '#/components/schemas/NewThing' } },
      given: { contentType: 'application/json', payload: { $ref: '#/components/schemas/Thing' } },
    },
    schemas: SCHEMAS,
  },
};

/** A copy with the value at a path replaced, or removed if it is `undefined`; keys are separated by blanks. */
const changed = (document: object, path: string, value: unknown): Part => {
  const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const keys = path.split(' ');
  const last = keys.pop()!;
  let at = copy;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1);
  else if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  return copy;
};

const PUT = 'paths /things/{thingId} put';
const BODY = 'components schemas NewThing';
const ANSWER = 'components schemas Thing';
const NOTICE = 'webhooks thing.made post';

type Change = readonly [what: string, path: string, value: unknown];

const BREAKING: readonly Change[] = [
  ['an operation is gone', PUT, undefined],
  ['a path is renamed', 'paths', { '/things/{id}': openApi.paths['/things/{thingId}'] }],
  ['an operation has another id', `${PUT} operationId`, 'things.put'],
  ['an operation needs another credential', `${PUT} security`, [{ key: [] }]],
  ['every operation needs another credential', 'security', [{ key: [] }]],
  ['a parameter is gone', `${PUT} parameters 1`, undefined],
  ['a parameter is required', `${PUT} parameters 1 required`, true],
  ['a further parameter is required', `${PUT} parameters 2`, { name: 'x', in: 'query', required: true }],
  ['a parameter is narrower', `${PUT} parameters 1 schema`, { const: true }],
  ['a body is required', `${PUT} requestBody required`, true],
  ['a body has another media type', `${PUT} requestBody content`, { 'text/plain': {} }],
  ['a field sent is required', `${BODY} required`, ['id', 'kind', 'count']],
  ['a further field sent is required', BODY, { ...thing('NewThing'), required: ['id', 'kind', 'x'] }],
  ['a field sent is gone', `${BODY} properties count`, undefined],
  ['a field sent has another type', `${BODY} properties count type`, 'string'],
  ['a field sent is not null any more', `${BODY} properties note`, { type: 'string' }],
  ['a value sent is gone', `${BODY} properties kind enum`, ['a']],
  ['a number sent has a smaller maximum', `${BODY} properties count maximum`, 8],
  ['a number sent has a larger minimum', `${BODY} properties count minimum`, 1],
  ['a text sent has a largest length', `${BODY} properties id maxLength`, 9],
  ['a text sent has another format', `${BODY} properties id format`, 'email'],
  ['a text sent has a pattern', `${BODY} properties id pattern`, 'a'],
  ['further fields are refused', `${BODY} additionalProperties`, false],
  ['a free object is closed', `${BODY} properties free additionalProperties`, false],
  ['one of several fields sent is gone', `${BODY} properties by properties name`, undefined],
  ['one of several fields sent has another type', `${BODY} properties by properties name type`, 'integer'],
  ['one of several fields sent may not be alone', `${BODY} properties by anyOf 1`, undefined],
  ['several fields are required, in place of one', `${BODY} properties by anyOf 1 required`, ['id', 'name']],
  ['a field sent has another default', `${BODY} properties count default`, 3],
  ['an answer is gone', `${PUT} responses 404`, undefined],
  ['an answer has another media type', `${PUT} responses 200 content`, { 'text/plain': {} }],
  ['an answer has no body', `${PUT} responses 200 content`, undefined],
  ['an answer loses a header', `${PUT} responses 200 headers ETag`, undefined],
  [
    'a shared answer has another body',
    'components responses NotFound content application/json schema',
    { type: 'string' },
  ],
  ['a field answered may be absent', `${ANSWER} required`, ['id']],
  ['an optional field answered is gone', `${ANSWER} properties count`, undefined],
  ['a field answered has another type', `${ANSWER} properties id type`, 'integer'],
  ['a field answered may be null', `${ANSWER} properties id type`, ['string', 'null']],
  ['a field answered loses its format', `${ANSWER} properties id format`, undefined],
  ['a value answered is gone', `${ANSWER} properties kind enum`, ['a']],
  ['a further value is answered', `${ANSWER} properties kind enum`, ['a', 'b', 'c']],
  ['any value is answered', `${ANSWER} properties kind enum`, undefined],
  ['a number answered has a larger maximum', `${ANSWER} properties count maximum`, 10],
  ['a number answered has no minimum', `${ANSWER} properties count minimum`, undefined],
  ['one of several fields answered is gone', `${ANSWER} properties by properties name`, undefined],
  ['all of several fields answered may be absent', `${ANSWER} properties by anyOf`, undefined],
  ['an answer has a further form', `${ANSWER} properties note anyOf 2`, { type: 'integer' }],
  ['a webhook is gone', NOTICE, undefined],
  ['a notice loses a header', `${NOTICE} parameters 0`, undefined],
  ['a notice may lack a header', `${NOTICE} parameters 0 required`, false],
  ['a notice is another', `${NOTICE} requestBody content application/json schema`, { type: 'object' }],
  ['an answer to a notice is gone', `${NOTICE} responses 2XX`, undefined],
];

const HARMLESS: readonly Change[] = [
  ['an operation is added', 'paths /others get', { operationId: 'others.list', responses: {} }],
  ['a text is reworded', `${PUT} description`, 'Another.'],
  ['a field is described', `${ANSWER} properties id description`, 'Another.'],
  ['an optional parameter is added', `${PUT} parameters 2`, { name: 'x', in: 'query' }],
  ['an optional field sent is added', `${BODY} properties x`, { type: 'string' }],
  ['a field sent becomes optional', `${BODY} required`, ['id']],
  ['a further value may be sent', `${BODY} properties kind enum`, ['a', 'b', 'c']],
  ['a number sent has a larger maximum', `${BODY} properties count maximum`, 10],
  ['a text sent loses its format', `${BODY} properties id format`, undefined],
  ['a field sent may be null', `${BODY} properties id type`, ['string', 'null']],
  ['one of several fields sent is enough', `${BODY} properties by anyOf`, undefined],
  ['one of several fields sent is added', `${BODY} properties by properties x`, { type: 'string' }],
  ['a field is answered in addition', `${ANSWER} properties x`, { type: 'string' }],
  ['a field answered is always there', `${ANSWER} required`, ['id', 'kind', 'count']],
  ['a field answered is never null', `${ANSWER} properties note anyOf 1`, undefined],
  ['a number answered has a smaller maximum', `${ANSWER} properties count maximum`, 8],
  ['a text answered has a largest length', `${ANSWER} properties id maxLength`, 36],
  ['an answer is added', `${PUT} responses 409`, { description: 'No.' }],
  ['a header is answered in addition', `${PUT} responses 200 headers Location`, { schema: {} }],
  ['a webhook is added', 'webhooks thing.gone post', { operationId: 'notices.thingGone' }],
  ['a named schema is added', 'components schemas More', { type: 'object' }],
];

describe('a change of the OpenAPI document', () => {
  it.each(BREAKING)('breaks clients if %s', (_, path, value) => {
    expect(openApiBreaks(openApi, changed(openApi, path, value))).not.toEqual([]);
  });

  it('breaks generated clients if a named schema is gone', () => {
    const more = changed(openApi, 'components schemas More', { type: 'object' });
    expect(openApiBreaks(more, openApi)).toEqual(['schema More: is gone']);
  });

  it.each(HARMLESS)('breaks no client if %s', (_, path, value) => {
    expect(openApiBreaks(openApi, changed(openApi, path, value))).toEqual([]);
  });

  it('is none if there is none', () => {
    expect(openApiBreaks(openApi, changed(openApi, 'info', {}))).toEqual([]);
  });

  it('is reported with its place in the document', () => {
    expect(openApiBreaks(openApi, changed(openApi, `${BODY} properties count maximum`, 8))).toEqual([
      'PUT /things/{thingId} body application/json.count: maximum was 9, is 8',
    ]);
    expect(openApiBreaks(openApi, changed(openApi, `${ANSWER} properties count`, undefined))).toEqual([
      'PUT /things/{thingId} 200 application/json.count: is gone',
      'webhook POST thing.made body application/json.count: is gone',
    ]);
  });
});

describe('a change of the AsyncAPI document', () => {
  it.each<Change>([
    ['the channel has another address', 'channels interview address', '/other'],
    ['the channel is gone', 'channels interview', undefined],
    ['a message is gone', 'operations fromServer messages 0', undefined],
    ['a message changes its direction', 'operations fromServer action', 'receive'],
    ['a message has another content type', 'components messages given contentType', 'text/plain'],
    ['a field sent is required', 'components schemas NewThing required', ['id', 'kind', 'count']],
    ['a value sent is gone', 'components schemas NewThing properties kind enum', ['a']],
    ['a further value comes', 'components schemas Thing properties kind enum', ['a', 'b', 'c']],
    ['a field that comes is gone', 'components schemas Thing properties note', undefined],
  ])('breaks clients if %s', (_, path, value) => {
    expect(asyncApiBreaks(asyncApi, changed(asyncApi, path, value))).not.toEqual([]);
  });

  it.each<Change>([
    [
      'a message is added',
      'operations fromServer messages 1',
      { $ref: '#/channels/interview/messages/taken' },
    ],
    ['a further value may be sent', 'components schemas NewThing properties kind enum', ['a', 'b', 'c']],
    ['a field that comes is added', 'components schemas Thing properties x', { type: 'string' }],
  ])('breaks nobody if %s', (_, path, value) => {
    expect(asyncApiBreaks(asyncApi, changed(asyncApi, path, value))).toEqual([]);
  });
});

describe('a version', () => {
  it.each([
    ['0.1.0', '0.1.0', false],
    ['0.1.0', '0.1.9', false],
    ['0.1.0', '0.2.0', true],
    ['0.9.0', '0.10.0', true],
    ['0.2.0', '0.1.0', false],
    ['0.1.0', '1.0.0', true],
    ['1.1.0', '1.2.0', false],
    ['1.1.0', '2.0.0', true],
    ['2.0.0', '1.9.0', false],
  ])('after %s, %s may break: %p', (from, version, expected) => {
    expect(mayBreak(from, version)).toBe(expected);
  });
});
