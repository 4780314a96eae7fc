/** A time relative to now, with the exact time as its tooltip. */
import { useFormats } from "../strings/formats.ts"

/** Properties of {@link Time}. */
export interface TimeProps {
  readonly value: string
  /** Returns the text that contains the time. */
  readonly text?: (ago: string) => string
}

/** A time, such as "3 hours ago". */
export const Time = ({ value, text = (ago) => ago }: TimeProps) => {
  const { ago, dateTime } = useFormats()
  return (
    <time dateTime={value} title={dateTime(value)}>
      {text(ago(value))}
    </time>
  )
}
