import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { MAX_WAIT_MS, notBegun, Semaphore } from '../../core/concurrency.js';
import { refuseInvalid, type Refused } from '../../core/decider.js';
import type { Logo } from '../../domain/organisation/events.js';
import { LOGO_LIMITS } from '../../domain/organisation/logo.js';

/** A picture as it is kept and served. */
export interface LogoImage extends Omit<Logo, 'id'> {
  readonly bytes: Buffer;
}

type LogoType = Logo['type'];

/** Limits the pictures that are decoded at the same time: each takes some 10 MB of memory meanwhile. */
const decoding = new Semaphore(2);
/** Longest that a picture may take: one within the limits takes less than a tenth of it. */
const MAX_SECONDS = 5;

const SIGNATURES: Readonly<Record<LogoType, Buffer>> = {
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
};

/** What a picture is, by its first bytes, whatever its sender calls it; `null`: neither PNG nor JPEG. */
export const logoType = (bytes: Buffer): LogoType | null => {
  const types = Object.keys(SIGNATURES) as LogoType[];
  return types.find((type) => bytes.indexOf(SIGNATURES[type]) === 0) ?? null;
};

/** How a picture is written, the best first: the first that is small enough is kept. */
const WRITTEN: Readonly<Record<LogoType, readonly ((image: Sharp) => Sharp)[]>> = {
  'image/png': [
    (image) => image.png({ compressionLevel: 9 }),
    (image) => image.png({ compressionLevel: 9, palette: true }),
  ],
  'image/jpeg': [90, 80, 65].map((quality) => (image: Sharp) => image.jpeg({ quality })),
};

/**
 * Decodes a picture and encodes it again, upright and in sRGB. Nothing else of its file is kept, such as where a photo
 * was taken. It is decoded in a thread of its own.
 * @returns a refusal that says what is wrong with it
 * @throws {StoreUnavailable} too many are decoded
 */
export const writeAnew = async (given: Buffer): Promise<LogoImage | Refused> => {
  const type = logoType(given);
  if (given.byteLength > LOGO_LIMITS.bytes) return TOO_LARGE;
  if (type === null) return OTHER_FORMAT;
  if (isAnimated(given)) return refuseLogo('is animated: save a single picture.');
  const release = await decoding.acquire(MAX_WAIT_MS);
  if (release === null) throw notBegun();
  try {
    return await decoded(given, type);
  } finally {
    release();
  }
};

const decoded = async (given: Buffer, type: LogoType): Promise<LogoImage | Refused> => {
  const sharp = await library();
  try {
    // Reads the header alone: no memory is allocated for the size that it declares.
    const { width, height } = await sharp(given, { limitInputPixels: false }).metadata();
    if (Math.max(width, height) > LOGO_LIMITS.side)
      return refuseLogo(
        `has ${width} × ${height} pixels. At most ${LOGO_LIMITS.side} × ${LOGO_LIMITS.side} are possible: make it smaller.`,
      );
    const image = sharp(given, {
      limitInputPixels: LOGO_LIMITS.side ** 2,
      failOn: 'error',
      autoOrient: true,
    });
    return await written(image, type);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('timeout')) throw notBegun();
    return refuseLogo('is damaged or not complete: save the picture anew.');
  }
};

const written = async (image: Sharp, type: LogoType): Promise<LogoImage | Refused> => {
  for (const write of WRITTEN[type]) {
    const { data: bytes, info } = await write(image.clone())
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer({ resolveWithObject: true });
    if (bytes.byteLength > LOGO_LIMITS.bytes) continue;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { type, width: info.width, height: info.height, sha256, bytes };
  }
  return TOO_LARGE;
};

const load = async () => {
  const { default: sharp } = await import('sharp');
  // The input is untrusted: only the two decoders that are needed may read it.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
};

let loaded: ReturnType<typeof load> | null = null;

/** Loaded with the first logo: it takes 20 MB of memory, which a service without logos saves. */
const library = (): ReturnType<typeof load> => (loaded ??= load());

const [LENGTH_BYTES, NAME_BYTES, CRC_BYTES] = [4, 4, 4];

/** Whether a PNG has a control chunk for frames before its picture, as an APNG does. */
const isAnimated = (png: Buffer): boolean => {
  const around = LENGTH_BYTES + NAME_BYTES + CRC_BYTES;
  for (let at = SIGNATURES['image/png'].length; at + around <= png.length;) {
    const name = png.toString('latin1', at + LENGTH_BYTES, at + LENGTH_BYTES + NAME_BYTES);
    if (name === 'acTL' || name === 'IDAT') return name === 'acTL';
    at += around + png.readUInt32BE(at);
  }
  return false;
};

const refuseLogo = (what: string): Refused =>
  refuseInvalid([{ path: 'data', rule: 'logo', message: `The logo ${what}` }]);

const OTHER_FORMAT = refuseLogo(
  'must be a PNG or JPEG file. Other formats, such as SVG, WebP and GIF, are not taken.',
);
const TOO_LARGE = refuseLogo(`has more than ${LOGO_LIMITS.bytes / 1024} KB: make it smaller.`);
