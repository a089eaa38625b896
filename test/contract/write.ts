import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CLIENT, clientOf } from './client.js';
import { DOCUMENTS, fileOf, formatted, served } from './kept.js';

// `npm run contract:write`: keeps the documents that the built service serves, and generates the client's types from
// them. With --publish, keeps the documents also as those of their version, by which later ones are judged.
const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${file}\n`);
};

const now = await served();
for (const name of DOCUMENTS) {
  const text = await formatted(name, now[name]);
  const { version } = now[name].info as { readonly version: string };
  const versions = process.argv.includes('--publish') ? ['', version] : [''];
  for (const version of versions) write(fileOf(name, version), text);
}
write(CLIENT, await clientOf(now.openapi));
