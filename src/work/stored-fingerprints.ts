/** The first byte: the format of the others. */
const FORMAT = 1;
/** Length of a fingerprint, in bytes. Two different runs of tokens have the same 64 bits once in 10^19 pairs. */
const BYTES = 8;

/** Fingerprints of one piece of work, sorted, so that two are compared in one pass without making sets. */
export class StoredFingerprints {
  private constructor(
    /** The stored form. */
    readonly bytes: Buffer,
  ) {}

  /** @param fingerprints the result of `fingerprintsOf`, lower-case hex */
  static from(fingerprints: ReadonlySet<string>): StoredFingerprints {
    const sorted = [...fingerprints].map((one) => one.slice(0, 2 * BYTES)).sort();
    return new StoredFingerprints(Buffer.concat([Buffer.of(FORMAT), Buffer.from(sorted.join(''), 'hex')]));
  }

  /** @returns `null`: another format, or incomplete: make the fingerprints again */
  static read(bytes: Buffer): StoredFingerprints | null {
    return bytes[0] === FORMAT && (bytes.length - 1) % BYTES === 0 ? new StoredFingerprints(bytes) : null;
  }

  get size(): number {
    return (this.bytes.length - 1) / BYTES;
  }

  /** How many fingerprints both have. */
  sharedWith({ bytes: others }: StoredFingerprints): number {
    const own = this.bytes;
    let shared = 0;
    for (let at = 1, other = 1; at < own.length && other < others.length;) {
      const order =
        own.readUInt32BE(at) - others.readUInt32BE(other) ||
        own.readUInt32BE(at + 4) - others.readUInt32BE(other + 4);
      if (order === 0) shared++;
      if (order <= 0) at += BYTES;
      if (order >= 0) other += BYTES;
    }
    return shared;
  }
}
