/** Reads the data of server-sent events from the bytes of a model's server, which are not trusted. */
import { Effect, Schema, Stream } from "effect"

/** The maximum length of an event, in characters. */
export const maximumEventLength = 256 * 1024

/** An event of a stream exceeds {@link maximumEventLength}. */
export class EventTooLong extends Schema.TaggedError<EventTooLong>()("EventTooLong", {}) {}

/** The end of a stream that has not formed an event. */
interface Pending {
  /** The characters of the line that has not ended. */
  readonly line: string
  /** The lines of data of the event that has not ended. */
  readonly data: ReadonlyArray<string>
}

const lengthOf = ({ line, data }: Pending): number =>
  data.reduce((sum, part) => sum + part.length, line.length)

/** Adds text to the pending event. Returns the events that it completes, and the rest. */
const addText = (pending: Pending, text: string): readonly [Pending, ReadonlyArray<string>] => {
  const events: Array<string> = []
  const lines = `${pending.line}${text}`.split(/\r\n|\n/)
  const line = lines.pop() ?? ""
  let data = [...pending.data]
  for (const complete of lines) {
    if (complete === "") {
      if (data.length > 0) events.push(data.join("\n"))
      data = []
    } else if (complete.startsWith("data:")) {
      data.push(complete.slice("data:".length).replace(/^ /, ""))
    }
  }
  return [{ line, data }, events]
}

/** Decodes the data of each event of a stream. Other fields, such as `event` and `id`, and comments are ignored. */
export const eventData = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<string, E | EventTooLong> =>
  bytes.pipe(
    Stream.decodeText(),
    Stream.mapAccumEffect(
      (): Pending => ({ line: "", data: [] }),
      (pending, text) => {
        const added = addText(pending, text)
        return lengthOf(added[0]) > maximumEventLength
          ? Effect.fail(new EventTooLong())
          : Effect.succeed(added)
      },
      // A server that closes the connection instead of ending the last event.
      { onHalt: (pending: Pending) => addText(pending, "\n\n")[1] }
    )
  )
