/** A time relative to now, with the exact time as its tooltip. */
import { useFormats } from "../strings/formats.ts"

/** A time, such as "3 hours ago". */
export const Time = ({ value }: { readonly value: string }) => {
  const { ago, dateTime } = useFormats()
  return (
    <time dateTime={value} title={dateTime(value)}>
      {ago(value)}
    </time>
  )
}
