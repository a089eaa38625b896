import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** One entry of a zip archive. Given fields are written unchanged, even if they contradict the content. */
export interface RawZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly stored?: boolean;
  readonly flags?: number;
  readonly method?: number;
  /** The Unix mode: type and permissions. */
  readonly mode?: number;
  /** Fields of the central directory that differ from the content. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly offset?: number;
  /** Fields of the entry's own header. */
  readonly local?: {
    readonly name?: string;
    readonly size?: number;
    readonly method?: number;
  };
  /** The compressed bytes. */
  readonly data?: Buffer;
  readonly extra?: Buffer;
  /** Bytes after the data. */
  readonly after?: Buffer;
}

const fields = (...pairs: readonly (readonly [2 | 4 | 8, number])[]): Buffer => {
  const all = Buffer.alloc(pairs.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of pairs) {
    if (bytes === 8) all.writeBigUInt64LE(BigInt(value), at);
    else all.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return all;
};

interface RawZipOptions {
  readonly before?: Buffer;
  readonly after?: Buffer;
  readonly comment?: string;
  readonly entryCount?: number;
  readonly disk?: number;
  /** Whether the end of a zip64 archive is written, too; its fields replace the computed values. */
  readonly zip64?: { readonly entries?: number; readonly offset?: number };
}

/** A zip archive, possibly with false headers. */
export const rawZip = (entries: readonly RawZipEntry[], options: RawZipOptions = {}): Buffer => {
  const parts: Buffer[] = [options.before ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = parts[0]?.byteLength ?? 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const data = entry.data ?? (entry.stored === true ? content : deflateRawSync(content));
    const method = entry.method ?? (entry.stored === true ? 0 : 8);
    const crc = entry.crc ?? crc32(content);
    const size = entry.size ?? content.byteLength;
    const packed = entry.packedSize ?? data.byteLength;
    const extra = entry.extra ?? Buffer.alloc(0);
    const localName = Buffer.from(entry.local?.name ?? name);
    const flags = entry.flags ?? 0x800;
    const header = fields(
      [4, 0x04034b50], [2, 20], [2, flags], [2, entry.local?.method ?? method], [2, 0], [2, 0x21], [4, crc],
      [4, packed], [4, entry.local?.size ?? size], [2, localName.byteLength], [2, 0],
    ); // prettier-ignore
    directory.push(
      fields(
        [4, 0x02014b50], [2, 0x0314], [2, 20], [2, flags], [2, method], [2, 0], [2, 0x21], [4, crc], [4, packed],
        [4, size], [2, name.byteLength], [2, extra.byteLength], [2, 0], [2, 0], [2, 0],
        [4, ((entry.mode ?? 0o100644) * 0x10000) % 0x100000000], [4, entry.offset ?? at],
      ), // prettier-ignore
      name,
      extra,
    );
    const all = [header, localName, data, entry.after ?? Buffer.alloc(0)];
    parts.push(...all);
    at += all.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
  const central = Buffer.concat(directory);
  const comment = Buffer.from(options.comment ?? '');
  const count = options.entryCount ?? entries.length;
  const end: Buffer[] = [];
  if (options.zip64 !== undefined) {
    const { entries: total = count, offset = at } = options.zip64;
    end.push(
      fields([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0], [8, total], [8, total]),
      fields([8, central.byteLength], [8, offset]),
      fields([4, 0x07064b50], [4, 0], [8, at + central.byteLength], [4, 1]),
    );
  }
  end.push(
    fields([4, 0x06054b50], [2, options.disk ?? 0], [2, options.disk ?? 0], [2, count], [2, count]),
    fields([4, central.byteLength], [4, at], [2, comment.byteLength]),
  );
  return Buffer.concat([...parts, central, ...end, comment, options.after ?? Buffer.alloc(0)]);
};

/** One entry of a tar archive: the fields of its header. */
export interface RawTarEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly flag?: string;
  readonly link?: string;
  readonly size?: string;
  readonly checksum?: number;
}

/** A tar archive, possibly with false headers. @param end the blocks after the last entry */
export const rawTar = (entries: readonly RawTarEntry[], end = Buffer.alloc(1_024)): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ name, content = '', flag = '0', link = '', size, checksum }) => {
      const bytes = Buffer.from(content);
      const block = Buffer.alloc(512);
      Buffer.from(name).copy(block, 0, 0, 100);
      block.write('0000644\0', 100);
      block.write(size ?? `${bytes.byteLength.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
      block.write('00000000000\0', 136);
      block.write(flag, 156, 'latin1');
      block.write(link, 157);
      block.write('ustar\x0000', 257);
      block.fill(' ', 148, 156);
      const sum = checksum ?? block.reduce((total, byte) => total + byte, 0);
      block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
      return [block, bytes, Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)];
    }),
    end,
  ]);

/** An attribute record of `x` and `g` entries. */
export const paxRecord = (key: string, value: string): string => {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  while (Buffer.byteLength(`${length}${rest}`) !== length) length++;
  return `${length}${rest}`;
};

const sha1 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** An object of a git pack: its type, its content, and the bytes before its data (the base of a delta). */
export interface RawObject {
  readonly type: number;
  readonly content: Buffer;
  readonly base?: Buffer;
  readonly size?: number;
}

const TYPES = ['', 'commit', 'tree', 'blob', 'tag'];

/** The name of an object, as bytes. */
export const oidOf = ({ type, content }: RawObject): Buffer =>
  sha1(Buffer.from(`${TYPES[type]} ${content.byteLength}\0`), content);

export const blob = (content: string | Buffer): RawObject => ({ type: 3, content: Buffer.from(content) });
export const treeObject = (
  entries: readonly (readonly [mode: string, name: string, oid: Buffer])[],
): RawObject => ({
  type: 2,
  content: Buffer.concat(entries.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), oid])),
});
export const commit = (tree: RawObject): RawObject => ({
  type: 1,
  content: Buffer.from(`tree ${oidOf(tree).toString('hex')}\nauthor A <a@b> 0 +0000\n\nwork\n`),
});

const headerOf = ({ type, content, size = content.byteLength }: RawObject): Buffer => {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
};

/** The pack of these objects. */
export const rawPack = (objects: readonly RawObject[]): Buffer => {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const body = Buffer.concat([
    head,
    ...objects.flatMap((object) => [
      headerOf(object),
      object.base ?? Buffer.alloc(0),
      deflateSync(object.content),
    ]),
  ]);
  return Buffer.concat([body, sha1(body)]);
};

/** A git bundle. @param lines the lines of its header after the signature */
export const rawBundle = (lines: readonly string[], pack: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`# v2 git bundle\n${lines.join('\n')}\n\n`), pack]);

/** A git bundle of one folder with these files. */
export const bundleOf = (
  entries: readonly (readonly [mode: string, name: string, content: string])[],
): Buffer => {
  const blobs = entries.map(([, , content]) => blob(content));
  const root = treeObject(entries.map(([mode, name, content]) => [mode, name, oidOf(blob(content))]));
  const head = commit(root);
  return rawBundle([`${oidOf(head).toString('hex')} HEAD`], rawPack([...blobs, root, head]));
};
