/** The contract of an area of the application: its screens, actions and reactions to events. */
import type { AnnouncedChange } from "@lectern/client/fetch"
import type { ComponentType } from "react"
import type { Params } from "../router/paths.ts"

/** A module with the component of a screen, which is loaded when the screen is first opened. */
interface ScreenModule<Pattern extends string> {
  readonly default: ComponentType<{ readonly params: Params<Pattern> }>
}

/** The left column of a screen. Screens with the same sidebar share it: it is not created again between them. */
export interface Sidebar {
  /** The name of the sidebar, which is unique. */
  readonly id: string
  /** Loads the component. It receives the parameters of the address. */
  readonly load: () => Promise<ScreenModule<string>>
}

/** A screen, after its pattern was checked. */
export interface Screen {
  readonly pattern: string
  readonly load: () => Promise<ScreenModule<string>>
  readonly sidebar: Sidebar | undefined
}

/** Declares a screen at a pattern such as `/spaces/:space/history`. The component receives the parameters of the pattern. */
export const screen = <const Pattern extends `/${string}`>(
  pattern: Pattern,
  load: () => Promise<ScreenModule<Pattern>>,
  sidebar?: Sidebar
): Screen => ({ pattern, load: load as unknown as Screen["load"], sidebar })

/** An action that is possible everywhere, in the command palette. */
export interface AreaAction {
  readonly id: string
  /** Returns the name in the current language. */
  readonly label: () => string
  /** The shortcut, such as `g h` or `mod+k`. */
  readonly shortcut?: string
  readonly run: () => void
}

/** An area of the application. */
export interface Area {
  readonly id: string
  readonly screens: ReadonlyArray<Screen>
  readonly actions?: ReadonlyArray<AreaAction>
  /** Returns the keys of the resources that a change in the organization makes out of date. */
  readonly invalidatedBy?: (change: AnnouncedChange) => ReadonlyArray<string>
}
