/** One bar: its name, and its parts from the beginning, each with a tone. */
export interface Bar {
  readonly name: string;
  readonly parts: readonly { readonly count: number; readonly tone: string }[];
}

const ROW = 34;
const THICK = 20;
const NAME = 185;
const WIDTH = 490;
/** Of a figure that is a count. */
const FIGURE = 55;

/** Horizontal bars in one scale. It is a picture of the table beside it, which has the same figures for who cannot see it. */
export const Bars = ({
  bars,
  label,
  figure = { width: FIGURE, of: String },
}: {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** How a total is written, if it is no count, and how wide that is. */
  readonly figure?: { readonly width: number; readonly of: (total: number) => string };
}) => {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0));
  const scale = (WIDTH - NAME - figure.width) / Math.max(1, ...totals);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${bars.length * ROW}`} role="img" aria-label={label}>
      {bars.map(({ name, parts }, row) => {
        const total = totals[row] ?? 0;
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
            <text x={from + 8} y={middle} class="bar-figure" dominant-baseline="central">
              {figure.of(total)}
            </text>
          </g>
        );
      })}
    </svg>
  );
};
