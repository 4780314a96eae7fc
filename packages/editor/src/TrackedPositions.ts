/** Positions that move with the text. */
import type { Mappable } from "prosemirror-transform"
import type { EditorContext } from "./context.ts"

/** The positions of an editor that move with the text. */
export class TrackedPositions {
  private readonly trackers = new Set<(mapping: Mappable) => void>()

  /** Calls a function with the new position after each change. */
  readonly track: EditorContext["trackPosition"] = (position, use, side = 1) => {
    let current = position
    const track = (mapping: Mappable): void => {
      current = mapping.map(current, side)
      use(current)
    }
    this.trackers.add(track)
    return () => this.trackers.delete(track)
  }

  /** Moves the positions by a change. */
  map(mapping: Mappable): void {
    for (const track of this.trackers) track(mapping)
  }
}
