import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the candidate's page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** The candidate's page as it was built: each part has its content's hash in its name. */
export interface PageFiles {
  /** The names of the parts that the HTML refers to. */
  readonly names: {
    readonly script: string;
    readonly style: string;
    readonly worklet: string;
    readonly icon: string;
  };
  /** By name, with those of the build before: pages that are open still ask for them. */
  readonly files: ReadonlyMap<string, PageFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Reads all files into memory: they are few and small.
 * @param folder as `scripts/bundle-web.mjs` wrote it
 */
export const readPageFiles = (folder: string): PageFiles => {
  const { former, ...names } = JSON.parse(
    readFileSync(join(folder, 'names.json'), 'utf8'),
  ) as PageFiles['names'] & {
    readonly former: readonly string[];
  };
  const files = [...former, ...Object.values(names)].map((name): [string, PageFile] => {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const read = (file: string) => readFileSync(join(folder, file));
    return [name, { type, plain: read(name), gzip: read(`${name}.gz`) }];
  });
  return { names, files: new Map(files) };
};
