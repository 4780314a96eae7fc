/** The color themes of code that the public contract names, and the social accounts of a site. */

import * as Schema from "effect/Schema"
import { text } from "../schema/Text.ts"

const codeThemes = [
  "default-light",
  "default-dark",
  "monochrome-light",
  "monochrome-dark",
  "andromeeda",
  "aurora-x",
  "ayu-dark",
  "catppuccin-frappe",
  "catppuccin-latte",
  "catppuccin-macchiato",
  "catppuccin-mocha",
  "dark-plus",
  "dracula",
  "dracula-soft",
  "everforest-dark",
  "everforest-light",
  "github-dark",
  "github-dark-default",
  "github-dark-dimmed",
  "github-dark-high-contrast",
  "github-light",
  "github-light-default",
  "github-light-high-contrast",
  "gruvbox-dark-hard",
  "gruvbox-dark-medium",
  "gruvbox-dark-soft",
  "gruvbox-light-hard",
  "gruvbox-light-medium",
  "gruvbox-light-soft",
  "houston",
  "kanagawa-dragon",
  "kanagawa-lotus",
  "kanagawa-wave",
  "laserwave",
  "light-plus",
  "material-theme",
  "material-theme-darker",
  "material-theme-lighter",
  "material-theme-ocean",
  "material-theme-palenight",
  "min-dark",
  "min-light",
  "monokai",
  "night-owl",
  "nord",
  "one-dark-pro",
  "one-light",
  "plastic",
  "poimandres",
  "red",
  "rose-pine",
  "rose-pine-dawn",
  "rose-pine-moon",
  "slack-dark",
  "slack-ochin",
  "snazzy-light",
  "solarized-dark",
  "solarized-light",
  "synthwave-84",
  "tokyo-night",
  "vesper",
  "vitesse-black",
  "vitesse-dark",
  "vitesse-light"
] as const

/** The type of {@link CodeTheme}, by which declarations name it. */
export interface CodeTheme extends Schema.Literals<typeof codeThemes> {}

/** The name of a color theme of code. */
const CodeTheme: CodeTheme = Schema.Literals(codeThemes)

/** A color theme of code for the light and the dark theme. */
const ThemedCodeTheme = Schema.Struct({
  /** The color theme of the light theme. */
  light: CodeTheme,
  /** The color theme of the dark theme. */
  dark: CodeTheme
})

/** The color themes of code blocks and of API references. Renderers apply them; the reader has its own colors. */
export const CodeThemes = Schema.Struct({
  /** The color themes of code blocks. */
  default: ThemedCodeTheme,
  /** The color themes of API references. */
  openapi: ThemedCodeTheme
})

const standard = { light: "default-light", dark: "default-dark" } as const

/** The color themes of a site that sets none. */
export const defaultCodeThemes: typeof CodeThemes.Type = { default: standard, openapi: standard }

/** An account of the owner of a site on a social platform. */
export const SocialAccount = Schema.Struct({
  /** The platform. */
  platform: Schema.Literals([
    "twitter",
    "instagram",
    "facebook",
    "linkedin",
    "github",
    "discord",
    "slack",
    "youtube",
    "tiktok",
    "reddit",
    "bluesky",
    "mastodon",
    "threads",
    "medium"
  ]),
  /** The handle, without prefixes such as `@`: 1 to 128 characters. */
  handle: text({ min: 1, max: 128 }),
  /** Where renderers display the account. */
  display: Schema.Struct({
    /** Whether the footer displays it. */
    footer: Schema.Boolean,
    /** Whether the header displays it. */
    header: Schema.Boolean
  })
})

/** The maximum number of social accounts of a site. */
const maximumAccounts = 10

/** The social accounts of a site. */
export const SocialAccounts = Schema.Array(SocialAccount).check(
  Schema.isMaxLength(maximumAccounts, { message: `must be at most ${maximumAccounts} accounts` })
)

/** An action of the menu of a page. */
export const PageAction = Schema.Literals(["assistant", "external-ai", "markdown", "mcp", "git", "pdf"])
