import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../core/errors.js';
import { ISSUER_FILE } from '../../process/secret-files.js';

/** The development issuer's private keys, newest first for each algorithm, and its two secrets. */
export interface IssuerKeys {
  readonly signing: readonly JWK[];
  /** The key by which subjects are derived from e-mail addresses, in base64url. */
  readonly subjectSecret: string;
  readonly cookieSecret: string;
}

const ALGORITHMS = ['RS256', 'ES256'] as const;

const newSigningKeys = (): Promise<readonly JWK[]> =>
  Promise.all(
    ALGORITHMS.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      return { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomUUID() };
    }),
  );

const secret = (): string => randomBytes(32).toString('base64url');

/** The development issuer's keys in a folder, created on first use. All processes with this folder share them. */
export class KeyFile {
  private readonly path: string;
  private read: { readonly stamp: string; readonly keys: IssuerKeys } | undefined;
  private pending: Promise<IssuerKeys> | undefined;

  constructor(private readonly folder: string) {
    this.path = join(folder, ISSUER_FILE);
  }

  /** The current keys. Returns the same object until a process rotates them. */
  current(): Promise<IssuerKeys> {
    this.pending ??= this.load().finally(() => (this.pending = undefined));
    return this.pending;
  }

  /** Creates new keys to sign with. The former ones still verify, unless `dropFormer`. */
  async rotate({ dropFormer = false } = {}): Promise<void> {
    const keys = await this.current();
    const former = dropFormer ? [] : keys.signing;
    const draft = await this.writeDraft({ ...keys, signing: [...(await newSigningKeys()), ...former] });
    await rename(draft, this.path);
  }

  private async load(): Promise<IssuerKeys> {
    const stamp = (await this.stamp()) ?? (await this.create());
    if (this.read?.stamp === stamp) return this.read.keys;
    const keys = parse(await readFile(this.path, 'utf8'), this.path);
    this.read = { stamp, keys };
    return keys;
  }

  /** Identifies the file’s content: each content is written as a new file. `null`: there is no file. */
  private async stamp(): Promise<string | null> {
    try {
      const { ino, mtimeNs, size } = await stat(this.path, { bigint: true });
      return `${ino}.${mtimeNs}.${size}`;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  private async create(): Promise<string> {
    const signing = await newSigningKeys();
    const draft = await this.writeDraft({ signing, subjectSecret: secret(), cookieSecret: secret() });
    try {
      // Unlike a rename, a link never replaces a file: if several processes start at once, the first one's keys stay.
      await link(draft, this.path);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const stamp = await this.stamp();
    if (stamp === null) throw new Error(`${this.path} was removed while it was being made.`);
    return stamp;
  }

  private async writeDraft(keys: IssuerKeys): Promise<string> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${randomUUID()}`;
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify({ version: 1, ...keys }));
      await file.sync();
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return draft;
  }
}

const parse = (text: string, path: string): IssuerKeys => {
  try {
    const keys = JSON.parse(text) as IssuerKeys & { readonly version?: unknown };
    if (keys.version === 1 && keys.signing.length > 0 && keys.subjectSecret && keys.cookieSecret) return keys;
  } catch {
    // The error below explains what to do.
  }
  throw new Error(
    `${path} is damaged or of a newer version. Without it, new development keys are made at the next start.`,
  );
};
