/** What is kept in memory of a batch, written before its frames. */
export interface BatchHeader {
  readonly stream: string;
  /** Of the first event; as text where it is a tombstone's. */
  readonly revision: string;
  /** Of the first event; the next one's follows from the length of its frame. */
  readonly position: number;
  readonly events: readonly { readonly id: string; readonly type: string; readonly length: number }[];
}

/** What a record takes in the log beside its frame, so that positions are sparse and never 0, 1, 2. */
export const RECORD_OVERHEAD = 29;

const LENGTH = 4;

/** The bytes of a batch, and where its first frame begins. */
export function joinBatch(
  header: BatchHeader,
  frames: readonly Buffer[],
): { readonly bytes: Buffer; readonly offset: number } {
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.allocUnsafe(LENGTH);
  length.writeUInt32BE(head.length);
  return { bytes: Buffer.concat([length, head, ...frames]), offset: LENGTH + head.length };
}

/** The header, and where the first frame begins. */
export function splitBatch(bytes: Buffer): { readonly header: BatchHeader; readonly offset: number } {
  const offset = LENGTH + bytes.readUInt32BE(0);
  return { header: JSON.parse(bytes.toString('utf8', LENGTH, offset)) as BatchHeader, offset };
}
