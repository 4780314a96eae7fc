/** Reads one input of an import in a thread of the pool. */
import { NotReadable, type ReadingKind, type Readings } from "@lectern/core/conversion"
import { TaskFailure } from "../pool/serveTasks.ts"
import { readers } from "./readers.ts"

/** A request to read an input. */
export interface ReadRequest<K extends ReadingKind = ReadingKind> {
  readonly kind: K
  readonly input: Readings[K]["in"]
}

/** Reads an input. Throws `TaskFailure` with the message of `NotReadable`. */
export const readTask = async ({ kind, input }: ReadRequest): Promise<Readings[ReadingKind]["out"]> => {
  try {
    const read: (input: never) => Readings[ReadingKind]["out"] | Promise<Readings[ReadingKind]["out"]> =
      readers[kind]
    return await read(input as never)
  } catch (error) {
    throw new TaskFailure(
      error instanceof NotReadable ? error.message : "points to content that cannot be read"
    )
  }
}
