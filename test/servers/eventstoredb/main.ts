import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { answerAdmin } from './faults/admin.js';
import type { FaultSettings } from './faults/faults.js';
import { Node } from './node.js';

/*
 * A test server with EventStoreDB's protocol over a log in a folder. Not for production: it has no cluster, access is
 * all or nothing, and it can inject faults.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    version: { type: 'string', default: '23.10.2' },
    username: { type: 'string' },
    password: { type: 'string' },
    'tls-key': { type: 'string' },
    'tls-certificate': { type: 'string' },
    /** Settings of `FaultSettings` as JSON. */
    faults: { type: 'string', default: '{}' },
  },
});

const fail = (error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
};

if (values.data === undefined) fail('Usage: main.js --data FOLDER [--port N]');

const { username, password } = values;
const key = values['tls-key'];
const certificate = values['tls-certificate'];
const faults = JSON.parse(values.faults) as Partial<FaultSettings>;
const node = new Node({
  dataDir: values.data ?? '',
  port: Number(values.port),
  host: values.host,
  version: values.version,
  credentials: username !== undefined && password !== undefined ? { username, password } : null,
  tls: key && certificate ? { key: await readFile(key), certificate: await readFile(certificate) } : null,
  faults,
  failed: fail,
});

const stop = (): void => void node.stop().then(() => process.exit(0), fail);
process.once('SIGTERM', stop).once('SIGINT', stop);
await node.start().catch(fail);
answerAdmin(node, faults);
const login = username === undefined ? '' : `${username}:${encodeURIComponent(password ?? '')}@`;
console.log(`EVENTSTORE_URL=esdb://${login}${values.host}:${node.port}?tls=${key !== undefined}`);
