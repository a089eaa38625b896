/** The header of a batch, which is written before its frames and kept in memory. */
export interface BatchHeader {
  readonly stream: string;
  /** The first event's revision; a tombstone's is a text. */
  readonly revision: string;
  /** The first event's position. Each next one follows from the length of the frame before. */
  readonly position: number;
  readonly events: readonly { readonly id: string; readonly type: string; readonly length: number }[];
}

/** Bytes of a record in addition to its frame, so that positions are sparse and never 0, 1, 2. */
export const RECORD_OVERHEAD = 29;

const LENGTH = 4;

/** The bytes of a batch, and the offset of its first frame. */
export function joinBatch(
  header: BatchHeader,
  frames: readonly Buffer[],
): { readonly bytes: Buffer; readonly offset: number } {
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.allocUnsafe(LENGTH);
  length.writeUInt32BE(head.length);
  return { bytes: Buffer.concat([length, head, ...frames]), offset: LENGTH + head.length };
}

/** The header, and the offset of the first frame. */
export function splitBatch(bytes: Buffer): { readonly header: BatchHeader; readonly offset: number } {
  const offset = LENGTH + bytes.readUInt32BE(0);
  return { header: JSON.parse(bytes.toString('utf8', LENGTH, offset)) as BatchHeader, offset };
}
