import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import openapi, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { startService } from '../support/service.js';
import { type Described, type Document, examplesOf, operationsOf } from './document.js';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

const HEAD = `
import createClient from 'openapi-fetch';
import type { paths } from './assay.js';

const client = createClient<paths>({ baseUrl: 'https://assay.example' });

/** Nothing can be given for it unless the answer has a type of its own. */
type Typed<T> = unknown extends T ? never : T;
export const typed = <T>(_answer: Typed<NonNullable<T>>): void => {};
`;

/** How openapi-fetch reads an answer that is not JSON. */
const READS: Readonly<Record<string, string>> = { 'text/plain': 'text', 'audio/wav': 'blob' };

const valueOf = ({ example, schema }: Described['parameters'][number]): unknown =>
  example ?? [schema['examples']].flat()[0] ?? schema['default'];

const parametersOf = ({ parameters }: Described): string => {
  const all = (['path', 'query', 'header'] as const).flatMap((place) => {
    const given = parameters
      .filter((one) => one.in === place)
      .map((one) => [one.name, valueOf(one) ?? (one.required ? 'x' : undefined)])
      .filter(([, value]) => value !== undefined);
    return given.length > 0 ? [[place, Object.fromEntries(given)]] : [];
  });
  return JSON.stringify(Object.fromEntries(all));
};

/** A function that makes this call, and hands its answer to a parameter of the described type. */
const callOf = (operation: Described, body: unknown): string => {
  const { method, path, success } = operation;
  const [type] = Object.keys(success.content);
  const reads = type !== undefined && READS[type] !== undefined ? `parseAs: '${READS[type]}',` : '';
  const sent = body === undefined ? '' : `body: ${JSON.stringify(body)},`;
  const answers = Object.values(success.content).flatMap(examplesOf);
  const request = `params: ${parametersOf(operation)}, ${sent} ${reads}`;
  const wrong =
    operation.body === null
      ? ''
      : `
  // @ts-expect-error the body has a type, and null is not of it
  await client.${method}('${path}', { ${request.replace(sent, 'body: null,')} });`;
  return `async () => {
  const { data } = await client.${method}('${path}', { ${request} });${wrong}
  ${type === undefined ? '' : 'if (data !== undefined) typed<typeof data>(data);'}
  ${answers.map((answer) => `typed<typeof data>(${JSON.stringify(answer)});`).join('\n  ')}
}`;
};

const bodiesOf = ({ body }: Described): readonly unknown[] => Object.values(body ?? {}).flatMap(examplesOf);

/** Every call, with each example of a body. */
const callsOf = (operation: Described): readonly string[] => {
  const bodies = bodiesOf(operation);
  return (bodies.length > 0 ? bodies : [undefined]).map((body) => callOf(operation, body));
};

describe('the document in TypeScript', () => {
  let folder: string;
  let document: Document;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-typescript-'));
    const service = await startService();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    await service.stop();
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    // It takes the document as JSON or as its own type of it.
    await writeFile(join(folder, 'assay.ts'), astToString(await openapi(JSON.stringify(document))));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compiles a call of each operation with each of its examples', async () => {
    const operations = operationsOf(document);
    expect(operations.length).toBeGreaterThan(50);
    const lacking = operations.filter((one) => one.body && bodiesOf(one).length === 0);
    expect(lacking.map(({ id }) => id)).toEqual([]);
    const calls = operations.flatMap((operation) =>
      callsOf(operation).map(
        (call, index) => `export const ${operation.id.replaceAll('.', '_')}${index} = ${call};`,
      ),
    );
    const file = join(folder, 'calls.ts');
    await writeFile(file, [HEAD, ...calls].join('\n'));
    const program = ts.createProgram([file], OPTIONS);
    const diagnostics = ts.getPreEmitDiagnostics(program);
    expect(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => folder,
        getNewLine: () => '\n',
      }),
    ).toBe('');
  });
});
