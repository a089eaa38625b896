import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { isRefused } from '../../core/decider.js';
import { LOGO_LIMITS } from '../../domain/organisation/logo.js';
import { logoType, writeAnew } from './logo-image.js';

/** A picture whose left half is red and whose right half is half-transparent blue. */
const drawn = (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at++)
    pixels.set(at % width < width / 2 ? [255, 0, 0, 255] : [0, 0, 255, 128], at * 4);
  return sharp(pixels, { raw: { width, height, channels: 4 } });
};

const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

const chunk = (name: string, data: Buffer): Buffer => {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  const named = Buffer.concat([Buffer.from(name), data]);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A PNG that says to be so large, with no more than a few pixels in it. */
const promised = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.alloc(1_000));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** With further chunks after the header. */
const withChunks = (png: Buffer, ...chunks: readonly Buffer[]): Buffer => {
  const afterHeader = SIGNATURE.byteLength + 25;
  return Buffer.concat([png.subarray(0, afterHeader), ...chunks, png.subarray(afterHeader)]);
};

const refusal = async (given: Buffer): Promise<string> => {
  const answer = await writeAnew(given);
  return isRefused(answer) ? answer.refusal.message : 'taken';
};

const taken = async (given: Buffer) => {
  const answer = await writeAnew(given);
  if (isRefused(answer)) throw new Error(answer.refusal.message);
  return answer;
};

describe('a logo', () => {
  it('keeps what can be seen, its size and its kind', async () => {
    const png = await taken(await drawn(320, 96).png().toBuffer());
    expect(png).toMatchObject({ type: 'image/png', width: 320, height: 96 });
    const pixels = await sharp(png.bytes).raw().toBuffer();
    expect([...pixels.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect([...pixels.subarray(-4)]).toEqual([0, 0, 255, 128]);
    const jpeg = await taken(await drawn(64, 64).flatten().jpeg().toBuffer());
    expect(jpeg).toMatchObject({ type: 'image/jpeg', width: 64, height: 64 });
    expect([logoType(png.bytes), logoType(jpeg.bytes)]).toEqual(['image/png', 'image/jpeg']);
  });

  it('of the same file is the same, so that it is known again', async () => {
    const given = await drawn(40, 40).png().toBuffer();
    expect((await taken(given)).sha256).toBe((await taken(given)).sha256);
  });

  it('is upright, and leaves behind where a photo was taken, texts and profiles', async () => {
    const photo = await drawn(60, 20)
      .flatten()
      .jpeg()
      .withMetadata({
        orientation: 6,
        exif: { IFD0: { Copyright: 'SECRET' }, IFD3: { GPSLatitude: '52/1 31/1 12/1' } },
      })
      .toBuffer();
    expect(photo.includes('SECRET')).toBe(true);
    const upright = await taken(photo);
    expect(upright).toMatchObject({ width: 20, height: 60 });
    expect(upright.bytes.includes('SECRET')).toBe(false);
    expect(await sharp(upright.bytes).metadata()).not.toMatchObject({ exif: expect.anything() });
    const told = withChunks(
      await drawn(20, 20).png().toBuffer(),
      chunk('tEXt', Buffer.from('Comment\0SECRET')),
    );
    expect((await taken(told)).bytes.includes('SECRET')).toBe(false);
    const profiled = await drawn(20, 20).png().withIccProfile('p3').toBuffer();
    expect((await sharp((await taken(profiled)).bytes).metadata()).icc).toBeUndefined();
  });

  it('with sixteen bits a channel, in grey or of a printer’s colours is shown as any other', async () => {
    for (const given of [
      await drawn(30, 30).flatten().toColourspace('rgb16').png().toBuffer(),
      await drawn(30, 30).flatten().toColourspace('cmyk').jpeg().toBuffer(),
      await drawn(30, 30).flatten().greyscale().png().toBuffer(),
    ])
      expect(await taken(given)).toMatchObject({ width: 30, height: 30 });
  });

  it('takes no more than the limit once it is written anew', async () => {
    const { side, bytes } = LOGO_LIMITS;
    const given = await noise(side, side).jpeg({ quality: 10 }).toBuffer();
    expect(given.byteLength).toBeLessThan(bytes);
    expect((await taken(given)).bytes.byteLength).toBeLessThanOrEqual(bytes);
    expect(await taken(await drawn(side, side).png().toBuffer())).toMatchObject({ width: side });
  });
});

describe('a logo is refused with the reason if it', () => {
  it.each([
    ['is empty', Buffer.alloc(0)],
    ['is noise', randomBytes(500)],
    ['is a text', Buffer.from('<html>')],
    ['is an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    ['is a GIF', Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')],
  ])('%s', async (_, given) => {
    expect(await refusal(given)).toMatch(/^The logo must be a PNG or JPEG file\./);
  });

  it('is a WebP', async () => {
    expect(await refusal(Buffer.from('RIFF\0\0\0\0WEBPVP8 '))).toMatch(/PNG or JPEG/);
  });

  it('has too many bytes or pixels', async () => {
    expect(await refusal(await noise(400, 400).png().toBuffer())).toBe(
      'The logo has more than 200 KB: make it smaller.',
    );
    expect(await refusal(await drawn(1_025, 10).png().toBuffer())).toBe(
      'The logo has 1025 × 10 pixels. At most 1024 × 1024 are possible: make it smaller.',
    );
  });

  it('only promises its pixels, before any memory is taken for them', async () => {
    const before = process.memoryUsage().rss;
    expect(await refusal(promised(60_000, 60_000))).toMatch(/^The logo has 60000 × 60000 pixels\./);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    expect(await refusal(promised(1_000, 1_000))).toMatch(/damaged or not complete/);
  });

  it('is cut off or changed', async () => {
    const [png, jpeg] = [await noise(90, 90).png().toBuffer(), await noise(90, 90).jpeg().toBuffer()];
    for (const given of [
      png.subarray(0, png.byteLength / 2),
      jpeg.subarray(0, jpeg.byteLength / 2),
      png.subarray(0, 20),
      SIGNATURE,
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.concat([jpeg.subarray(0, 30), randomBytes(300)]),
    ])
      expect(await refusal(given)).toMatch(/damaged or not complete/);
  });

  it('is animated', async () => {
    const frames = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
    const given = withChunks(await drawn(20, 20).png().toBuffer(), frames);
    expect(await refusal(given)).toBe('The logo is animated: save a single picture.');
  });
});
