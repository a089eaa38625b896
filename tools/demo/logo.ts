import sharp from 'sharp';

/** Pixels on each side. */
const SIDE = 256;
const PETALS = 5;
/** Radius of the yellow middle, in halves of the picture. */
const MIDDLE = 0.2;
const [VIOLET, YELLOW] = [
  [75, 63, 167],
  [244, 190, 66],
] as const;

/**
 * How much of a pixel a shape covers, from 0 to 1, so that edges are smooth.
 * @param distance from the pixel's middle to the shape's edge, in halves of the picture; negative outside of the shape
 */
const coverage = (distance: number): number => Math.min(1, Math.max(0, distance * (SIDE / 2) + 0.5));

/** The company's logo, a larkspur's flower on a transparent ground, as PNG in base64. */
export const drawLogo = async (): Promise<string> => {
  const pixels = Buffer.alloc(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)].map((place) => ((place + 0.5) / SIDE) * 2 - 1) as [
      number,
      number,
    ];
    const radius = Math.hypot(x, y);
    // In polar coordinates, the petals are the waves of a cosine.
    const edge = 0.4 + 0.58 * Math.abs(Math.cos((PETALS / 2) * Math.atan2(x, -y)));
    const middle = coverage(MIDDLE - radius);
    const colour = VIOLET.map((part, index) => part + ((YELLOW[index] ?? part) - part) * middle);
    pixels.set([...colour, coverage(edge - radius) * 255], at * 4);
  }
  const png = await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png()
    .toBuffer();
  return png.toString('base64');
};
