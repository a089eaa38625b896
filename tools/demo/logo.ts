import sharp from 'sharp';

/** Pixels on each side. */
const SIDE = 256;
const PETALS = 5;
/** Radius of the middle, in parts of the flower's. */
const MIDDLE = 0.2;
const [VIOLET, YELLOW] = [
  [75, 63, 167],
  [244, 190, 66],
] as const;

/** How much of a pixel lies within an edge that is so far outside of it. */
const within = (distance: number): number => Math.min(1, Math.max(0, distance * (SIDE / 2) + 0.5));

/** The company's logo, a larkspur's flower on no ground, as PNG in base64. */
export const drawLogo = async (): Promise<string> => {
  const pixels = Buffer.alloc(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)].map((place) => ((place + 0.5) / SIDE) * 2 - 1) as [
      number,
      number,
    ];
    const radius = Math.hypot(x, y);
    const edge = 0.4 + 0.58 * Math.abs(Math.cos((PETALS / 2) * Math.atan2(x, -y)));
    const middle = within(MIDDLE - radius);
    const colour = VIOLET.map((part, index) => part + ((YELLOW[index] ?? part) - part) * middle);
    pixels.set([...colour, within(edge - radius) * 255], at * 4);
  }
  const png = await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
    .png()
    .toBuffer();
  return png.toString('base64');
};
