/** The definition of attacks: adversarial requests to one parser. */
import type { HostileRequest, HostileResponse, Scene } from "./scene.ts"

/** The requests of an attack on a scene. */
export interface PreparedAttack {
  /** The requests, sent one after the other. They have at most 1 MB together. */
  readonly requests: ReadonlyArray<HostileRequest>
  /** Waits for the work that the requests have started in the background. */
  readonly settle?: (responses: ReadonlyArray<HostileResponse>) => Promise<void>
}

/** An attack. */
export interface Attack {
  /** The parser that it attacks. */
  readonly parser: string
  /** The input, in a few words. */
  readonly name: string
  /** Builds its requests. What this does is not measured. */
  readonly prepare: (scene: Scene) => PreparedAttack | Promise<PreparedAttack>
}

/** The maximum size of an attack, in bytes. */
export const maximumBytes = 1_000_000

/** Repeats text to at most 950 kB, or to another size, so that the request around it stays below 1 MB. */
export const fill = (unit: string, bytes = 950_000): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Joins as many generated items as fit into 950 kB, or into another size. */
export const fillWith = (item: (index: number) => string, separator = "", bytes = 950_000): string => {
  const items: Array<string> = []
  for (let size = 0, i = 0; size < bytes; i++) {
    const next = item(i)
    items.push(next)
    size += Buffer.byteLength(next) + separator.length
  }
  return items.slice(0, -1).join(separator)
}

/** Defines an attack of one request. */
export const attackWith = (
  parser: string,
  name: string,
  request: (scene: Scene) => HostileRequest | Promise<HostileRequest>
): Attack => ({ parser, name, prepare: async (scene) => ({ requests: [await request(scene)] }) })
