import type { PersonId } from '../../src/core/vault/port.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import { openMongoVault } from '../../src/vault/mongodb/open.js';

/**
 * A process on a vault, for tests between processes. It makes the keys of the named persons and prints them as one line
 * of JSON. At any input it erases these persons and prints that.
 *
 *     node vault-process.js <folder or MongoDB URL> <DATA_KEY> <DATA_KEY_PREVIOUS or -> <person>…
 */
const [place = '', dataKey = '', previous = '-', ...persons] = process.argv.slice(2);
const open = /^mongodb(\+srv)?:/.test(place) ? openMongoVault : openEmbeddedVault;
const vault = await open(
  place,
  Buffer.from(dataKey, 'hex'),
  previous === '-' ? {} : { previousDataKey: Buffer.from(previous, 'hex') },
);
const keys = await Promise.all(persons.map((person) => vault.keys.create(person as PersonId)));
const secret = await vault.secret('shared', () => Buffer.from(String(process.pid)));
const hex = keys.map((key) => (key.kind === 'key' ? key.key.toString('hex') : key.kind));
process.stdout.write(`${JSON.stringify({ keys: hex, secret: secret.toString('hex') })}\n`);
process.stdin.once('data', () => {
  void Promise.all(persons.map((person) => vault.keys.erase(person as PersonId))).then(() => {
    process.stdout.write('erased\n');
  });
});
