/** The place of the comment that is being written. It is on this device only: the address names comments that exist. */
import { createStore } from "../../store/store.ts"
import type { Anchor } from "./anchors.ts"

/** The place that a comment is being written on. */
export const anchorStore = createStore<Anchor | undefined>(undefined)
