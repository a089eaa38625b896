import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { startService } from '../support/service.js';
import type { Part } from './schemas.js';

/** The documents from which clients are generated. */
export const DOCUMENTS = ['openapi', 'asyncapi'] as const;
type DocumentName = (typeof DOCUMENTS)[number];

/** Holds the current documents, and a folder with the published documents of each version. */
const FOLDER = 'docs/contract';

/** The path of a document: the current one, or that of a published version. */
export const fileOf = (name: DocumentName, version = ''): string => join(FOLDER, version, `${name}.json`);

/** Reads a document: the current one, or that of a published version. */
export const kept = (name: DocumentName, version?: string): Part =>
  JSON.parse(readFileSync(fileOf(name, version), 'utf8')) as Part;

/** The latest version whose documents were published. */
export const lastPublished = (): string => {
  const versions = readdirSync(FOLDER).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  const last = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (last === undefined) throw new Error(`No version is published in ${FOLDER}.`);
  return last;
};

/** The documents as the built service serves them at its default address. */
export const served = async (): Promise<Readonly<Record<DocumentName, Part>>> => {
  const service = await startService({ env: { PUBLIC_URL: 'http://127.0.0.1:3000' } });
  try {
    const read = async (name: DocumentName) =>
      (await (await fetch(`${service.url}/${name}.json`)).json()) as Part;
    return { openapi: await read('openapi'), asyncapi: await read('asyncapi') };
  } finally {
    await service.stop();
  }
};

/** A document as the text of its file. */
export const formatted = async (name: DocumentName, document: Part): Promise<string> => {
  const filepath = fileOf(name);
  return format(JSON.stringify(document), { ...(await resolveConfig(filepath)), filepath });
};
