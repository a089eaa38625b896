/** One bar: its name, and its parts from left to right, each with a tone. */
export interface Bar {
  readonly name: string;
  readonly parts: readonly { readonly count: number; readonly tone: string }[];
}

const ROW = 34;
const THICK = 20;
const NAME = 185;
const WIDTH = 490;
/** The space before and after a figure, and the most that one of its characters takes in the font of figures. */
const GAP = 8;
const CHARACTER = 10;

/**
 * Horizontal bars on one scale. The table beside it has the same figures, for readers who cannot see the picture.
 */
export const Bars = ({
  bars,
  label,
  figureOf = String,
}: {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** How a total is written. Default: as a count. */
  readonly figureOf?: (total: number) => string;
}) => {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0));
  const figures = totals.map(figureOf);
  // A figure is drawn behind its bar: the longest one must fit behind the longest bar.
  const figureWidth = 2 * GAP + CHARACTER * Math.max(0, ...figures.map(({ length }) => length));
  const scale = (WIDTH - NAME - figureWidth) / Math.max(1, ...totals);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${bars.length * ROW}`} role="img" aria-label={label}>
      {bars.map(({ name, parts }, row) => {
        const middle = row * ROW + ROW / 2;
        let from = NAME;
        return (
          <g key={name}>
            <text x={NAME - 12} y={middle} class="bar-name" text-anchor="end" dominant-baseline="central">
              {name}
            </text>
            {parts.map(({ count, tone }, index) => {
              const x = from;
              from += count * scale;
              return (
                <rect
                  key={index}
                  class={`bar ${tone}`}
                  x={x}
                  y={middle - THICK / 2}
                  width={count * scale}
                  height={THICK}
                />
              );
            })}
            <text x={from + GAP} y={middle} class="bar-figure" dominant-baseline="central">
              {figures[row]}
            </text>
          </g>
        );
      })}
    </svg>
  );
};
