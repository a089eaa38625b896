import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DOCUMENTS, fileOf, formatted, served } from './kept.js';

// `npm run contract:write`: keeps the documents that the built service serves. With --publish, also as those of their
// version, by which later ones are judged.
const now = await served();
for (const name of DOCUMENTS) {
  const text = await formatted(name, now[name]);
  const { version } = now[name].info as { readonly version: string };
  const versions = process.argv.includes('--publish') ? ['', version] : [''];
  for (const file of versions.map((one) => fileOf(name, one))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${file}\n`);
  }
}
