import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
import { AssayClient } from './client/index.js';

const client = new AssayClient({ baseUrl: 'https://assay.example' });

/** "never" for an answer of type "unknown": the call does not compile if the client has no type for it. */
type Typed<T> = unknown extends T ? never : T;
export const typed = <T>(_answer: Typed<NonNullable<T>>): void => {};
`;

const valueOf = ({ example, schema }: Described['parameters'][number]): unknown =>
  example ?? [schema['examples']].flat()[0] ?? schema['default'];

/** The parameters of path and query; headers are options of a call. */
const parametersOf = ({ parameters }: Described): string => {
  const given = parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map((one) => [one.name, valueOf(one) ?? (one.required ? 'x' : undefined)])
    .filter(([, value]) => value !== undefined);
  return given.length > 0 ? `params: ${JSON.stringify(Object.fromEntries(given))},` : '';
};

/** Writes a function that makes the call and passes its answer as a parameter of the described type. */
const callOf = (operation: Described, body: unknown, isFirst: boolean): string => {
  const { path, success } = operation;
  const method = operation.method.toLowerCase();
  const [type] = Object.keys(success.content);
  const sent = body === undefined ? '' : `body: ${JSON.stringify(body)},`;
  const answers = type === 'application/json' ? Object.values(success.content).flatMap(examplesOf) : [];
  const request = parametersOf(operation) + sent;
  const wrong = (why: string, call: string): string =>
    isFirst ? `\n  // @ts-expect-error ${why}\n  await client.${call};` : '';
  return `async () => {
  const data = await client.${method}('${path}', { ${request} });
  ${
    operation.body === null
      ? wrong('there is no body', `${method}('${path}', { ${request} body: {} })`)
      : wrong('null is no body', `${method}('${path}', { ${request.replace(sent, 'body: null,')} })`)
  }
  ${path.includes('{') ? wrong('the path has parameters', `${method}('${path}', { ${sent} })`) : ''}
  ${wrong('there is no such parameter', `${method}('${path}', { params: { absent: 1 }, ${sent} })`)}
  ${type === undefined ? 'data satisfies undefined;' : 'typed<typeof data>(data);'}
  ${answers.map((answer) => `typed<typeof data>(${JSON.stringify(answer)});`).join('\n  ')}
}`;
};

const bodiesOf = ({ body }: Described): readonly unknown[] => Object.values(body ?? {}).flatMap(examplesOf);

/** Every call, with each example of a body. */
const callsOf = (operation: Described): readonly string[] => {
  const bodies = bodiesOf(operation);
  return (bodies.length > 0 ? bodies : [undefined]).map((body, index) =>
    callOf(operation, body, index === 0),
  );
};

describe('the client’s types', () => {
  let folder: string;
  let document: Document;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-typescript-'));
    const service = await startService();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
    await service.stop();
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    // The package as the build packs it.
    await symlink(resolve('packages/client/dist'), join(folder, 'client'));
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
