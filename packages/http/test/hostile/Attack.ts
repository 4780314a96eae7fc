/** The definition of attacks: adversarial requests to one parser. */
import type { HostileRequest, HostileResponse, Scene } from "./scene.ts"

/** The requests of an attack on a scene. */
export interface PreparedAttack {
  /** The requests, sent one after the other. They have at most 1 MB together. */
  readonly requests: ReadonlyArray<HostileRequest>
  /** Waits for the work that the requests have started in the background. */
  readonly settle?: (responses: ReadonlyArray<HostileResponse>) => Promise<void>
}

/** Costs that some parsers may have, because their work is queued, limited and separate from requests. */
export interface DeclaredCosts {
  /** The CPU time in milliseconds, on the machine that the budgets are stated for; 1,000 by default. */
  readonly cpuMs?: number
  /** The growth of the resident memory in megabytes; 100 by default. */
  readonly memoryMb?: number
  /** How many times longer it may hold the event loop; once by default. */
  readonly heldFactor?: number
  /** The maximum size of the responses in bytes; 64 kB and twice the size of the requests by default. */
  readonly responseBytes?: number
}

/** An attack. */
export interface Attack {
  /** The parser that it attacks. */
  readonly parser: string
  /** The input, in a few words. */
  readonly name: string
  /** Replaces parts of the budget. */
  readonly costs?: DeclaredCosts
  /** Builds its requests. What this does is not measured. */
  readonly prepare: (scene: Scene) => PreparedAttack | Promise<PreparedAttack>
}

/** The maximum size of an attack, in bytes. */
export const maximumBytes = 1_000_000

/** Repeats text to at most 950 kB, or to another size, so that the request around it stays below 1 MB. */
export const fill = (unit: string, bytes = 950_000): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)))

/** Shortens text so that it has at most 950 kB as a JSON string. */
export const fitJson = (text: string): string => {
  const bytes = Buffer.byteLength(JSON.stringify(text))
  return bytes <= 950_000 ? text : text.slice(0, Math.floor((text.length * 950_000) / bytes))
}

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
