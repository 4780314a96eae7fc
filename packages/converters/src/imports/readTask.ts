/** Reads one input of an import in a thread of the pool. */
import {
  type GitPackTasks,
  type MarkdownConversions,
  NotReadable,
  type Readings
} from "@lectern/formats/threads"
import { TaskFailure } from "../pool/serveTasks.ts"
import { readers } from "./readers.ts"

/** The tasks of the ports `ImportReader`, `MarkdownEngine` and `GitPacks`, which the same thread program performs. */
export interface ReadTasks extends Readings, MarkdownConversions, GitPackTasks {}

/** The name of a task. */
export type ReadTaskName = keyof ReadTasks

/** A request to perform a task. */
export interface ReadRequest<K extends ReadTaskName = ReadTaskName> {
  readonly kind: K
  readonly input: ReadTasks[K]["in"]
}

/** Reads an input. Throws `TaskFailure` with the message of `NotReadable`. */
export const readTask = async ({ kind, input }: ReadRequest): Promise<ReadTasks[ReadTaskName]["out"]> => {
  try {
    // The type of a request pairs each kind with its input.
    const read = readers[kind] as (
      input: ReadTasks[ReadTaskName]["in"]
    ) => ReadTasks[ReadTaskName]["out"] | Promise<ReadTasks[ReadTaskName]["out"]>
    return await read(input)
  } catch (error) {
    throw new TaskFailure(
      error instanceof NotReadable ? error.message : "points to content that cannot be read"
    )
  }
}
