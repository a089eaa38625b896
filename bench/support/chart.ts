/** A line of a chart: its points by what grows. */
export interface Line {
  readonly name: string;
  readonly points: readonly { readonly at: number; readonly value: number }[];
}

/** Lines over one measure that grows. */
export interface Panel {
  readonly title: string;
  /** What grows. */
  readonly across: string;
  /** What is measured. */
  readonly unit: string;
  readonly lines: readonly Line[];
}

const [WIDTH, HEIGHT] = [380, 260];
const MARGIN = { left: 60, right: 16, top: 48, bottom: 44 } as const;
const COLOURS = ['#0b6e99', '#b5541c', '#4d7c0f', '#7c3aed'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;

const panelOf = ({ title, across, unit, lines }: Panel, left: number): string => {
  const points = lines.flatMap((line) => line.points);
  const ats = [...new Set(points.map(({ at }) => at))].sort((a, b) => a - b);
  const [first, last] = [Math.log10(ats[0] ?? 1), Math.log10(ats.at(-1) ?? 10)];
  const most = Math.max(...points.map(({ value }) => value)) * 1.1;
  const x = (at: number): number =>
    left +
    MARGIN.left +
    ((Math.log10(at) - first) / (last - first || 1)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    HEIGHT - MARGIN.bottom - (value / most) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const steps = [0, 0.5, 1].map((share) => (share * most) / 1.1);
  return [
    text(left + MARGIN.left, 18, title, 'font-weight="bold"'),
    ...steps.map(
      (step) =>
        `<line x1="${x(ats[0] ?? 1)}" x2="${x(ats.at(-1) ?? 10)}" y1="${y(step)}" y2="${y(step)}" stroke="#ddd"/>` +
        text(left + MARGIN.left - 8, y(step) + 4, step.toPrecision(2), 'text-anchor="end"'),
    ),
    ...ats.map((at) =>
      text(x(at), HEIGHT - MARGIN.bottom + 18, at.toLocaleString('en'), 'text-anchor="middle"'),
    ),
    text(left + WIDTH / 2, HEIGHT - 8, `${across}; ${unit}`, 'text-anchor="middle"'),
    ...lines.flatMap((line, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? '';
      const path = line.points.map(({ at, value }) => `${x(at)},${y(value)}`).join(' ');
      return [
        `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...line.points.map(
          ({ at, value }) => `<circle cx="${x(at)}" cy="${y(value)}" r="3" fill="${colour}"/>`,
        ),
        text(left + MARGIN.left + index * 130, 36, line.name, `fill="${colour}"`),
      ];
    }),
  ].join('\n');
};

/** @returns an SVG of panels side by side; what grows is on a logarithmic scale, what is measured begins at 0 */
export const chartOf = (panels: readonly Panel[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * panels.length} ${HEIGHT}" ` +
  `font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n` +
  `${panels.map((panel, index) => panelOf(panel, index * WIDTH)).join('\n')}\n</svg>\n`;
