/**
 * The rooms of the house, from the lowest: a file imports from its own room and from those below. `src/*.ts` are the
 * roots, the programs that are started.
 */
export const ROOMS = [
  [
    'packages',
    'what others may install: the API’s client with its types and limits, the interview client with the protocol of its socket, the program for candidates',
  ],
  ['src/languages', 'what candidates read and hear, a folder a language'],
  ['src/core', 'the event-sourcing kernel: events, deciders, command loop, codec, hash chain, ports'],
  ['src/stores', 'where events and views are kept: LMDB, EventStoreDB, MongoDB'],
  ['src/vault', 'keys of persons, look-ups, secrets, audio'],
  ['src/engine', 'how views are fed, rebuilt and read'],
  ['src/domain', 'one folder a kind of stream: its events and its rules'],
  ['projections', 'one file a view'],
  ['src/process', 'what a process is made of: configuration, log, metrics, opened stores'],
  ['src/clients', 'services and programs outside: OpenAI, commands'],
  ['src/work', 'the work that is handed in: archives, trees of files, differences, fingerprints'],
  ['src/scoring', 'from evidence to scores and findings'],
  ['src/application', 'what can be asked of the service: a folder a resource, a file a use case'],
  [
    'src/http',
    'what several rooms need of HTTP: edge, limits, identity and access, errors, declarations for OpenAPI',
  ],
  ['src/api', 'what comes in over HTTP: a folder a resource'],
  ['src/issuers', 'OpenID providers: for candidates, by e-mailed codes, and for development'],
  ['src/interview', 'what lives while a socket does'],
  ['src/reactors', 'what the log asks for and a process does'],
  ['src/operator', 'the operator’s command'],
  ['src/wiring', 'which parts a service has'],
  ['src', 'the roots'],
];

/** The programs. */
export const ROOTS = ['main', 'projector', 'operator', 'build-worker'].map((name) => `src/${name}.ts`);

/** The room of a file below the repository's root: `src` for the roots, `null` for what is in none. */
export const roomOf = (path) => {
  const [top, room, inside] = path.split('/');
  if (top === 'src') return inside === undefined ? 'src' : `src/${room}`;
  return ROOMS.some(([name]) => name === top) ? top : null;
};

export const levelOf = (path) => ROOMS.findIndex(([name]) => name === roomOf(path));
