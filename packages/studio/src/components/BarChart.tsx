/** A chart with a bar for each value, such as one per day. */

/** A value of a chart. */
export interface Bar {
  readonly key: string
  readonly value: number
  /** The value with its name, which the pointer displays. */
  readonly label: string
}

/** Properties of {@link BarChart}. */
export interface BarChartProps {
  /** The content of the chart, in a sentence. The values are displayed as a table too. */
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
  /** The names of the first and of the last bar. */
  readonly from: string
  readonly to: string
  /** Formats the highest value, which the axis displays. */
  readonly format: (value: number) => string
}

const width = 720
const height = 180

/** The share of the width of a bar that remains free. */
const gap = 0.2

/** A chart of bars. It is an image for assistive technology, which the caller describes by `label` and by a table. */
export const BarChart = ({ label, bars, from, to, format }: BarChartProps) => {
  const highest = Math.max(1, ...bars.map(({ value }) => value))
  const step = width / bars.length
  return (
    <figure className="chart">
      <span className="chart-highest" aria-hidden>
        {format(highest)}
      </span>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
        <line className="chart-line" x1={0} x2={width} y1={0.5} y2={0.5} />
        <line className="chart-line" x1={0} x2={width} y1={height / 2} y2={height / 2} />
        <line className="chart-line" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {bars.map(({ key, value, label: name }, index) => (
          <g key={key} className="chart-bar">
            <title>{name}</title>
            <rect className="chart-area" x={index * step} y={0} width={step} height={height} />
            <rect
              x={index * step + (step * gap) / 2}
              y={height - (value / highest) * height}
              width={step * (1 - gap)}
              height={(value / highest) * height}
            />
          </g>
        ))}
      </svg>
      <figcaption aria-hidden>
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  )
}
