import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { views } from '../../projections/index.js';
import { CommandContexts, type RequestContext } from '../../src/core/command-context.js';
import { KeyedHasher } from '../../src/core/keyed-hash.js';
import { eventRegistry } from '../../src/domain/event-registry.js';

/**
 * Every name that is stored, or hashed into what is stored. None may change: a reactor by another name would send every
 * mail again, a command by another id would be carried out twice. A new one is added here: `GOLDEN=write npm run
 * test:jest test/golden` writes the file.
 */
const FILE = join(process.cwd(), 'test', 'golden', 'names.json');

const sources = new Map(
  ['src', 'projections'].flatMap((room) =>
    readdirSync(join(process.cwd(), room), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(spec|whole|alone)\.ts$/.test(path))
      .map((path) => [join(room, path), readFileSync(join(room, path), 'utf8')] as const),
  ),
);

/** What replaces a pattern's `@`: a literal, or the name of something that holds one. */
const WORD = String.raw`\s*('[^']*'|\x60[^\x60]*\x60|[\w.]+)`;

/** The text of a word in a file, what is put into it as `{}`; `null`: it is a parameter, whose texts are found elsewhere. */
const textOf = (path: string, word: string): string | null => {
  if (/^['`]/.test(word)) return word.slice(1, -1).replaceAll(/\$\{[^}]*(?:\}|$)/g, '{}');
  const source = sources.get(path) ?? '';
  const own = new RegExp(`(?:const|readonly) ${word}(?:: string)? = '([^']*)'`).exec(source);
  if (own?.[1] !== undefined) return own[1];
  const imported = new RegExp(String.raw`(?:(\w+) as )?\b${word}\b[^}]*\} from '(\.[^']+)\.js'`).exec(source);
  if (imported?.[2] === undefined || !/^[A-Z_]+$/.test(word)) return null;
  return textOf(join(dirname(path), `${imported[2]}.ts`), imported[1] ?? word);
};

/** The names that the code gives at what the patterns match. */
const namesAt = (patterns: readonly string[], places = /./): readonly string[] => {
  const names = new Set<string>();
  for (const pattern of patterns)
    for (const [path, source] of sources)
      if (places.test(path))
        for (const [, word = ''] of source.matchAll(new RegExp(pattern.replace('@', WORD), 'g'))) {
          const name = textOf(path, word);
          if (name !== null && name !== '') names.add(name);
        }
  return [...names].sort();
};

/** Ids and hashes that are made of fixed input under a fixed secret. */
const madeOf = (hasher: KeyedHasher) => {
  const contexts = new CommandContexts(hasher, () => new Date(0));
  const idsOf = ({ commandId, requestHash, causationId, actor, ...context }: RequestContext) => ({
    ...{ commandId, requestHash, causationId, actor },
    newId: context.newId('role'),
    newRecordId: context.newRecordId('role'),
  });
  const grace = { type: 'staff', id: 'grace' } as const;
  const sent = {
    correlationId: 'correlation-1',
    idempotencyKey: 'key-1',
    ifMatch: 3,
    method: 'POST',
    path: '/organisations/o1/roles?dry=1',
    body: { name: 'Engineer', ticketIds: [] },
    isGone: () => false,
  };
  return {
    request: idsOf(contexts.forRequest(sent, 'grace', grace)),
    requestWithoutBody: idsOf(contexts.forRequest({ ...sent, body: undefined }, 'grace', grace)),
    candidatesRequest: idsOf(contexts.forRequest(sent, 'ada', { type: 'candidate', id: 'person-1' })),
    reaction: idsOf(contexts.forReaction('expire-trial', 'event-1', 'correlation-1')),
    identity: hasher.identityHash('o1', 'Ada@Example.org'),
    email: hasher.emailHash('Ada@Example.org'),
    subject: hasher.subjectHash('ada'),
  };
};

const names = {
  events: [...eventRegistry.keys()].sort(),
  streams: namesAt([String.raw`\bstreamName\(@`, String.raw`\bkind:@,\s+initial\b`]),
  views: views.map(({ name }) => name).sort(),
  reactors: namesAt([
    String.raw`\bforReaction\(@`,
    String.raw`\btype: 'system', id:@`,
    String.raw`\bname:@,\s+view\b`,
    String.raw`\bREACTORS = \[[^\]]*?('[^']*')`,
  ]),
  purposesOfIds: namesAt([String.raw`\bnewId\(@`]),
  purposesOfRecordIds: namesAt([String.raw`\bnewRecordId\(@`]),
  labelsOfHashes: namesAt([String.raw`\b(?:hmac|uuidV8)\(@`, String.raw`\bcreateHmac\([^)]*\)\.update\(@`]),
  secrets: namesAt([String.raw`\bsecret\(@`, String.raw`\bderivedToken\(this\.vault,@`]),
  shortLivedRecords: namesAt([String.raw`records\s*\.(?:get|put|update|remove)(?:<[^(]*>)?\(@`]),
  sweeps: namesAt([String.raw`\breadonly name =@;\s+readonly warning\b`]),
  leases: namesAt([String.raw`\b(?:lease|LEASE)(?: =|:)@`]),
  collections: namesAt(
    [String.raw`\.collection(?:<\w+>)?\(@`, String.raw`\bPREFIX =@`],
    /^src\/(?:stores|vault)/,
  ),
  keysOfTheVault: namesAt(
    [String.raw`\bkind:@,\s+(?:\.\.\.|encode)`, String.raw`(?<![\w\]])\[@[,\]]`, String.raw`\bkind\(@`],
    /^src\/vault\/lmdb/,
  ),
  made: madeOf(new KeyedHasher(Buffer.alloc(32, 7))),
};

if (process.env['GOLDEN'] === 'write') writeFileSync(FILE, `${JSON.stringify(names, null, 2)}\n`);

describe('every name that is stored or hashed', () => {
  const golden = JSON.parse(readFileSync(FILE, 'utf8')) as typeof names;

  it.each(Object.keys(names) as (keyof typeof names)[])(
    '%s: as in names.json, none more, none less',
    (of) => {
      expect(names[of]).toEqual(golden[of]);
    },
  );
});
