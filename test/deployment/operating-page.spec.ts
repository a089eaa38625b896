import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { views } from '../../projections/index.js';
import { LANGUAGE_VARIABLE } from '../../src/interview/speech/command.js';
import { EXIT_CODES, program } from '../../src/operator/cli/program.js';
import { registrations } from '../../src/operator/commands.js';
import { readConfiguration } from '../../src/process/config.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const assay = program(registrations);
const production = readdirSync(join(root, 'docs/production')).map((name) => `docs/production/${name}`);
const pages = ['docs/operating.md', 'docs/configuration.md', ...production];
/** Every page of the documentation. */
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'test/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const page = read('docs/operating.md');

/** The code on a page: the lines of its blocks, and inline code, which may be broken over lines. */
const codeOf = (text: string): readonly string[] => [
  ...[...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n')),
  ...[...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, piece = '']) =>
    piece.replaceAll(/\s+/g, ' '),
  ),
];

/** Each `assay …` call in the text, as words, up to the end of that command in the shell. */
const callsIn = (text: string): readonly (readonly string[])[] =>
  codeOf(text)
    .filter((line) => !/^\s|^(No projector|"|│)/.test(line))
    .map((line) => line.replace(/^(?=(?:projections|dead-letters|streams|events) [a-z])/, 'assay '))
    .flatMap((line) => [
      ...line.matchAll(/(?:^|[\s"(])(?:assay|dist\/src\/operator\.js) (?:-- )?([a-z-]+ ?.*)$/g),
    ])
    .map(([, rest = '']) => rest.split(/ [|>#]|\s2>|[);]|\.$| +#/)[0] ?? '')
    .map((call) => (call.match(/'[^']*'|"[^"]*"|[^\s"]+/g) ?? []).filter((word) => word !== '[--json]'));

/** @throws if the command or an option does not exist, or if there are too few or too many arguments */
const assertCallable = (words: readonly string[]): void => {
  let command: Command = assay;
  const rest = [...words];
  for (let next; (next = command.commands.find((one) => one.name() === rest[0])); rest.shift())
    command = next;
  if (command.commands.length > 0) {
    if (rest.every((word) => word === '--help')) return;
    throw new Error(`There is no command ${words.join(' ')}.`);
  }
  const given: string[] = [];
  const names = new Set<string>();
  while (rest.length > 0) {
    const word = (rest.shift() ?? '').replaceAll(/^\[|\]$/g, '');
    if (word === '…') continue;
    if (!word.startsWith('-')) {
      given.push(word);
      continue;
    }
    const option = command.options.find(({ short, long }) => short === word || long === word);
    if (option === undefined) throw new Error(`${command.name()} has no option ${word}.`);
    names.add(option.attributeName());
    if ((option.required || option.optional) && rest.shift() === undefined)
      throw new Error(`${word} of ${command.name()} wants a value.`);
  }
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length;
  if (given.length > most) throw new Error(`${command.name()} does not take ${given.join(' ')}.`);
};

const anchorsOf = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

/** Every variable that the configuration reads, for any choice of providers, and those that are read elsewhere. */
const variablesRead = (): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const kind of ['', 'command', 'openai', 'browser']) {
    const chosen: Record<string, string> = { TRANSCRIBER: kind, SYNTHESISER: kind };
    if (kind === 'openai')
      Object.assign(chosen, { INTERVIEWER: kind, OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' });
    if (kind === 'command')
      Object.assign(chosen, {
        TRANSCRIBER_COMMAND: 'true',
        SYNTHESISER_COMMAND: 'true',
        DETECTOR: kind,
        DETECTOR_COMMAND: 'true',
        CHECKER: kind,
        CHECKER_COMMAND: 'true "$@"',
      });
    readConfiguration(
      new Proxy(chosen, {
        get: (values, name) => {
          names.add(String(name));
          return values[String(name)];
        },
      }),
    );
  }
  const others = ['docker-compose.yml', 'docker-compose.production.yml', 'scripts/test-servers.mjs'].map(
    read,
  );
  for (const [name] of others.join('\n').matchAll(/[A-Z]+(?:_[A-Z]+)+/g)) names.add(name);
  return names;
};

describe('the commands and variables on the pages for operators', () => {
  it('is tried against every command there is', () => {
    expect(read('src/operator.ts')).toContain('program(registrations)');
    expect(assay.commands.length).toBe(registrations.length);
  });

  it.each([
    ['docs/operating.md', 40],
    ['docs/production/install.md', 1],
    ['docs/production/backup.md', 5],
    ['docs/production/failures.md', 5],
    ['docs/production/README.md', 1],
  ])('can be called as %s says', (path, least) => {
    const calls = callsIn(read(path));
    expect(calls.length).toBeGreaterThanOrEqual(least);
    const wrong = calls.flatMap((words) => {
      try {
        assertCallable(words);
        return [];
      } catch (error) {
        return [`assay ${words.join(' ')}: ${String(error)}`];
      }
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['projections rebuilt signal', 'no command'],
    ['projections rebuild signal --holding', 'no option --holding'],
    ['projections pause signal roles', 'does not take'],
    ['projections replay roles --document', 'wants a value'],
  ])('would not let pass: assay %s', (call, message) => {
    expect(() => assertCallable(callsIn(`\`assay ${call}\``)[0] ?? [])).toThrow(message);
  });

  it('names every command of views and dead letters on the operator’s page', () => {
    const called = new Set(callsIn(page).map(([group, name]) => `${group} ${name}`));
    const groups = assay.commands.filter((one) => ['projections', 'dead-letters'].includes(one.name()));
    const names = groups.flatMap((group) => group.commands.map((one) => `${group.name()} ${one.name()}`));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !called.has(name))).toEqual([]);
  });

  it.each(pages)('names in %s no variable that nothing reads', (path) => {
    const known = new Set([...variablesRead(), LANGUAGE_VARIABLE]);
    const named = [...read(path).matchAll(/`([A-Z][A-Z]*(?:_[A-Z]+)+|REBUILD|SEGMENTS)(?:=[^`]*)?`/g)];
    expect(named.length).toBeGreaterThan(0);
    const unknown = named.map(([, name = '']) => name).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
  });

  it.each(documents)('points in %s to parts of pages that exist', (path) => {
    const text = read(path);
    for (const [link, file = '', anchor] of text.matchAll(/\]\(([\w./-]*\.md)?(?:#([\w-]+))?\)/g)) {
      const target = file === '' ? text : read(join(path, '..', file));
      if (anchor !== undefined) expect([link, anchorsOf(target).includes(anchor)]).toEqual([link, true]);
    }
  });
});

describe('the operator’s page', () => {
  it('is where the README and the page for production send operators', () => {
    expect(read('README.md')).toContain('(docs/operating.md)');
    expect(read('docs/production/README.md')).toContain('(../operating.md#');
  });

  it('calls what the image holds', () => {
    expect(page).toContain('docker compose exec projector assay ');
    expect(read('Dockerfile')).toMatch(
      /exec node [^']*\/app\/dist\/bin\/operator\.js "\$@".*> \/usr\/local\/bin\/assay/,
    );
  });

  it('lists the exit codes of the program', () => {
    const codes = [...EXIT_CODES.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code);
    const rows = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => code);
    expect(rows).toEqual(codes);
  });

  it('shows tables with the columns that are printed, and every view', () => {
    const columns = (line: string): readonly string[] =>
      line
        .split('│')
        .slice(1, -1)
        .map((cell) => cell.trim());
    const headOf = (path: string): readonly string[] =>
      [...(/\[((?:'[\w: ]+',?\s*){4,})\]/.exec(read(path))?.[1] ?? '').matchAll(/'([\w: ]+)'/g)].map(
        ([, name = '']) => name,
      );
    const heads = [...page.matchAll(/┌.*┐\n(│.*│)\n├/g)].map(([, head = '']) => columns(head));
    const printed = ['listing', 'status'].map((name) =>
      headOf(`src/operator/projections/${name === 'listing' ? 'status' : 'status-text'}.ts`),
    );
    expect(heads.length).toBeGreaterThan(4);
    for (const head of heads) expect(printed).toContainEqual(head);
    const listed = /\$ assay projections list\n([\s\S]*?)\n└/.exec(page)?.[1] ?? '';
    const rows = listed
      .split('\n')
      .slice(3)
      .map((row) => columns(row).slice(0, 2));
    expect(rows).toEqual(views.map(({ name, version }) => [name, `${version}`]));
  });

  it('says what each alert about views asks for', () => {
    const { groups } = parse(read('ops/alerts.yml')) as {
      groups: readonly { name: string; rules: readonly { alert: string }[] }[];
    };
    const about = groups.filter(({ name }) => /-(views|dead-letters|rebuild)$/.test(name));
    const alerts = about.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(alerts.length).toBeGreaterThan(10);
    const rows = [...page.matchAll(/^\| `(Assay\w+)` /gm)].map(([, alert]) => alert);
    expect(rows).toEqual(alerts);
  });
});
