import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Answer } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { pagePolicy } from '../../http/page.js';

/** A file of a page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** The pages as they were built: each part has its content's hash in its name. */
export interface PageFiles {
  /** The names of the parts that the HTML refers to. */
  readonly names: {
    readonly script: string;
    readonly style: string;
    readonly worklet: string;
    readonly icon: string;
    /** Chunks of the script that it begins with. */
    readonly shared: readonly string[];
    /** The same of the staff's console. */
    readonly staff: { readonly script: string; readonly style: string; readonly shared: readonly string[] };
  };
  /**
   * By name. They include chunks that are loaded on demand, and the chunks of the former build, which pages that are
   * still open request.
   */
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
  const { former, chunks, staff, ...names } = JSON.parse(
    readFileSync(join(folder, 'names.json'), 'utf8'),
  ) as PageFiles['names'] & {
    readonly former: readonly string[];
    /** The files that the page's and the console's scripts load. */
    readonly chunks: readonly string[];
  };
  const all = new Set([...former, ...chunks, ...Object.values(names).flat(), ...Object.values(staff).flat()]);
  const files = [...all].map((name): [string, PageFile] => {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const read = (file: string) => readFileSync(join(folder, file));
    return [name, { type, plain: read(name), gzip: read(`${name}.gz`) }];
  });
  return { names: { ...names, staff }, files: new Map(files) };
};

/** A file's name has the hash of its content, so browsers may keep the file for good. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** A file of the pages as an answer, compressed if the client accepts that. @throws {ApiError} there is no such file */
export const assetOf = (
  { files }: Pick<PageFiles, 'files'>,
  name: string,
  acceptEncoding: string,
): Answer => {
  const file = files.get(name);
  if (!file) throw notFound();
  const gzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(acceptEncoding);
  return new Answer(200, gzip ? file.gzip : file.plain, {
    headers: {
      'Content-Type': file.type,
      'Cache-Control': FOR_GOOD,
      Vary: 'Accept-Encoding',
      ...(gzip && { 'Content-Encoding': 'gzip' }),
    },
  });
};

/** A page with its files, whose script signs people in. */
export interface SigningInPage extends PageFiles {
  /** `redirectUri`: where the provider returns to, at the page's own origin. */
  readonly signIn: { readonly redirectUri: string };
  /** Where the browser signs in: what the page may connect to and frame, beside itself. */
  readonly signInOrigins: () => Promise<readonly string[]>;
}

/**
 * The document of such a page as an answer, with its policy.
 * @param isFramed the page may frame it: to renew a sign-in
 * @param sources of the policy, beside those that every such page has
 */
export const shellOf = async (
  { signIn, signInOrigins }: Pick<SigningInPage, 'signIn' | 'signInOrigins'>,
  html: string,
  isFramed: boolean,
  {
    headers = {},
    sources = {},
  }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly sources?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> => {
  const own = new URL(signIn.redirectUri).origin;
  const origins = ["'self'", ...(await signInOrigins()).filter((origin) => origin !== own)].join(' ');
  return new Answer(200, html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy({
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': "'self'",
        'connect-src': origins,
        'frame-src': origins,
        'frame-ancestors': isFramed ? "'self'" : "'none'",
        ...sources,
      }),
      ...(isFramed && { 'X-Frame-Options': 'SAMEORIGIN' }),
      ...headers,
    },
  });
};
