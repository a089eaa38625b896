import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { createRequire } from 'node:module';
import { parseAudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { ERROR_CODES } from '../../../packages/interview-client/src/protocol/codes.js';
import { clientMessages, serverMessages } from '../../../packages/interview-client/src/protocol/messages.js';
import {
  parseClientMessage,
  parseServerMessage,
} from '../../../packages/interview-client/src/protocol/parse.js';
import { checkActivities } from '../../domain/session/activity.js';
import { asyncApiDocument, audioDescriptions } from './document.js';

interface Message {
  readonly payload: { readonly $ref: string };
  readonly examples: readonly { readonly payload: unknown }[];
}

interface Document {
  readonly servers: { readonly service: Readonly<Record<string, unknown>> };
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

const documentAt = (url: string): Document => {
  const sent: unknown = JSON.parse(JSON.stringify(asyncApiDocument(url)));
  return sent as Document;
};
const document = documentAt('https://assay.example.org');
const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object;

/** @param meta whether Ajv brings the schema of schemas itself: the official one has its own inside */
const ajvWith = (meta: boolean): Ajv => {
  const ajv = new Ajv({ strict: false, allErrors: true, meta, validateSchema: meta });
  formats.default(ajv);
  return ajv;
};

/** The target of a reference inside the document. */
const resolve = (reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);

/** Every object within a value, with the path that leads to it. */
const within = (value: unknown, path = ''): readonly (readonly [string, object])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, one]) => within(one, `${path}/${key}`));
  return Array.isArray(value) ? below : [[path, value], ...below];
};

const ofAction = (action: string): readonly string[] =>
  Object.values(document.operations)
    .filter((operation) => operation.action === action)
    .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''))
    .sort();

const examplesOf = (name: string): readonly unknown[] =>
  document.components.messages[name]?.examples.map(({ payload }) => payload) ?? [];

describe('the AsyncAPI document', () => {
  it('is valid by the official schema of AsyncAPI 3.0', () => {
    const validate = ajvWith(false).compile(official);
    expect({ valid: validate(document), errors: validate.errors }).toEqual({ valid: true, errors: null });
    expect(validate({ ...document, channels: { interview: { address: 7 } } })).toBe(false);
  });

  it('refers to nothing that is not there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
    expect(references.length).toBeGreaterThan(40);
    expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  it('leaves no message out, each in its own direction', () => {
    expect(ofAction('receive')).toEqual([...Object.keys(clientMessages), 'audio.candidate'].sort());
    expect(ofAction('send')).toEqual([...Object.keys(serverMessages), 'audio.interviewer'].sort());
  });

  it.each([
    ['clients', clientMessages, parseClientMessage],
    ['the server', serverMessages, parseServerMessage],
  ])('shows messages of %s that are understood as they stand', (_, messages, parse) => {
    for (const type of Object.keys(messages)) {
      const payload = document.components.messages[type]?.payload;
      const validate = ajvWith(true).compile({ ...payload, components: document.components });
      expect(examplesOf(type).length).toBeGreaterThan(0);
      for (const example of examplesOf(type)) {
        expect(parse(JSON.stringify(example))).toEqual({ kind: 'message', message: example });
        expect({ example, valid: validate(example), errors: validate.errors }).toMatchObject({ valid: true });
        expect(validate({ ...(example as object), type: 'another' })).toBe(false);
      }
    }
  });

  it('shows activity that is accepted', () => {
    const { examples } = document.components.messages.activity ?? { examples: [] };
    for (const { payload } of examples as readonly { payload: { events: unknown } }[])
      expect(checkActivities(payload.events)).toMatchObject({ kind: 'valid' });
  });

  it('names each object and each enumeration', () => {
    const { schemas } = document.components;
    const parts = Object.values(schemas).flatMap((schema) => within(schema).slice(1));
    expect(Object.keys(schemas).length).toBeGreaterThan(40);
    expect(
      parts.filter(([path, part]) => 'properties' in part || ('enum' in part && !path.endsWith('/not'))),
    ).toEqual([]);
    const used = JSON.stringify(document);
    expect(Object.keys(schemas).filter((name) => !used.includes(`#/components/schemas/${name}"`))).toEqual(
      [],
    );
  });

  it('shows audio frames that are understood', () => {
    for (const [name, { speaker }] of Object.entries(audioDescriptions))
      for (const example of examplesOf(name))
        expect(parseAudioFrame(Buffer.from(example as string, 'base64'), speaker)).toMatchObject({ speaker });
  });

  it('lays the header of audio frames out without a hole', () => {
    const [layout] = Object.values(document.components.messages)
      .map(
        (message) => (message as unknown as { 'x-layout'?: { type: string; offset: number }[] })['x-layout'],
      )
      .filter((one) => one !== undefined);
    let at = 0;
    for (const { type, offset } of layout ?? []) {
      expect(offset).toBe(at);
      at += Number(type.slice(1)) / 8;
    }
    expect(at).toBe(12);
  });

  it('describes every code', () => {
    const { ErrorCode: codes } = document.components.schemas;
    expect(codes).toMatchObject({ type: 'string', enum: ERROR_CODES });
    for (const one of ERROR_CODES)
      expect(codes).toMatchObject({ description: expect.stringContaining(`\`${one}\`: `) });
  });

  it.each([
    ['https://assay.example.org', { protocol: 'wss', host: 'assay.example.org' }],
    ['http://127.0.0.1:3000', { protocol: 'ws', host: '127.0.0.1:3000' }],
    ['https://example.org/assay', { protocol: 'wss', host: 'example.org', pathname: '/assay' }],
  ])('of a service at %s names its server', (url, expected) => {
    expect(documentAt(url).servers.service).toMatchObject(expected);
    expect(Object.keys(documentAt(url).servers.service)).toHaveLength('pathname' in expected ? 5 : 4);
  });
});
