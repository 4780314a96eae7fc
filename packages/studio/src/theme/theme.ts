/** Light, dark, or as the system. */
import { createStore, readStored, writeStored } from "../store/store.ts"

/** The choice of a theme. */
export type Theme = "system" | "light" | "dark"

const isTheme = (value: unknown): value is Theme =>
  value === "system" || value === "light" || value === "dark"

const readTheme = (): Theme => {
  const stored = readStored("theme")
  return isTheme(stored) ? stored : "system"
}

/** The theme of this device. */
export const themeStore = createStore<Theme>(readTheme())

/** Displays a theme. */
export const applyTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Changes the theme on this device. */
export const setTheme = (theme: Theme): void => {
  writeStored("theme", theme)
  themeStore.set(theme)
  applyTheme(theme)
}
