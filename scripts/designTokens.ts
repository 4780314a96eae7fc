/**
 * The tokens of design that the reader, the editor and the application share: roles of colors, scales of type and of space, radii,
 * shadows and motion. `scripts/generate-editor-assets.ts` writes them to the three style sheets.
 */

/** A token, and whether the theme can change its value. */
export interface DesignToken {
  readonly name: string
  /** The value; of a themed token, in the light theme. */
  readonly value: string
  /** The value in the dark theme. */
  readonly dark?: string
  /** Whether the theme of a site sets both values. */
  readonly isThemed?: true
  /** Whether a host sets it with `--lectern-` before its name. */
  readonly isOfHost?: true
  /** Whether pages of sites use it, too. */
  readonly isOfReader?: true
}

const lightDark = (light: string, dark: string): string => `light-dark(${light}, ${dark})`
const mixed = (part: number, other: string, color = "tint"): string =>
  `color-mix(in oklab, var(--${color}) ${part}%, ${other})`

/** A color that the theme of a site sets for both themes. */
const themed = (name: string, value: string, dark: string): DesignToken => ({
  name,
  value,
  dark,
  isThemed: true,
  isOfHost: true,
  isOfReader: true
})
const shared = (name: string, value: string): DesignToken => ({
  name,
  value,
  isOfHost: true,
  isOfReader: true
})
const ofHost = (name: string, value: string): DesignToken => ({ name, value, isOfHost: true })
const fixed = (name: string, value: string): DesignToken => ({ name, value })
const everywhere = (name: string, value: string): DesignToken => ({ name, value, isOfReader: true })

/** Every token, in the order of the style sheets. */
export const designTokens: ReadonlyArray<DesignToken> = [
  themed("primary", "#346ddb", "#6c9bf0"),
  fixed("primary-hover", mixed(88, lightDark("#000", "#fff"), "primary")),
  themed("link", "#1f5bc8", "#8ab4f8"),
  themed("on-primary", "#fff", "#0b1220"),
  themed("tint", "#64748b", "#64748b"),
  shared("background", lightDark("#fff", mixed(9, "#0d0e11"))),
  shared("surface", lightDark(mixed(5, "#fff"), mixed(13, "#131519"))),
  shared("surface-strong", lightDark(mixed(10, "#fff"), mixed(20, "#191c21"))),
  shared("border", lightDark(mixed(20, "#fff"), mixed(28, "#1c1f24"))),
  shared("border-strong", lightDark(mixed(38, "#fff"), mixed(48, "#22262c"))),
  ofHost("control", lightDark("#848d9a", "#78818e")),
  shared("text", lightDark("#1b2029", "#e4e7ec")),
  shared("heading", lightDark("#0c1017", "#f7f8fa")),
  shared("muted", lightDark("#515a69", "#a3adbb")),
  fixed("hover", lightDark("rgb(15 23 42 / 5%)", "rgb(226 232 240 / 7%)")),
  shared("active", lightDark(mixed(9, "transparent", "primary"), mixed(17, "transparent", "primary"))),
  fixed("selection", mixed(16, "transparent", "primary")),
  themed("info", "#787878", "#9aa3af"),
  themed("success", "#00a344", "#2bd47d"),
  themed("warning", "#e08700", "#ffb020"),
  themed("danger", "#e5242f", "#ff6b6b"),
  ofHost("danger-text", lightDark("#b3121c", "#ff9a9a")),
  fixed("on-danger", lightDark("#fff", "#1c0708")),
  ofHost("success-text", lightDark("#00702f", "#5fe3a1")),
  ofHost("warning-text", lightDark("#8a5200", "#ffc95c")),
  ofHost("inserted", lightDark("#dafbe1", "#12361f")),
  fixed("inserted-strong", lightDark("#a5ecb6", "#1f5e35")),
  ofHost("deleted", lightDark("#ffebe9", "#471a1c")),
  fixed("deleted-strong", lightDark("#ffc5c0", "#7a2c30")),
  shared(
    "font",
    '"Inter Variable", "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
  ),
  ofHost("font-interface", 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'),
  shared("mono", '"IBM Plex Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'),
  fixed("text-tiny", "0.75rem"),
  fixed("text-small", "0.8125rem"),
  fixed("text-normal", "0.9375rem"),
  fixed("text-large", "1.125rem"),
  fixed("text-title", "1.625rem"),
  fixed("space-1", "0.25rem"),
  fixed("space-2", "0.5rem"),
  fixed("space-3", "0.75rem"),
  fixed("space-4", "1rem"),
  fixed("space-5", "1.5rem"),
  fixed("space-6", "2rem"),
  fixed("space-7", "3rem"),
  shared("radius", "8px"),
  fixed("radius-small", "6px"),
  shared("radius-large", "12px"),
  everywhere("shadow", "0 1px 2px rgb(15 23 42 / 5%), 0 1px 1px rgb(15 23 42 / 3%)"),
  everywhere("shadow-large", "0 20px 50px -12px rgb(15 23 42 / 28%), 0 6px 16px -6px rgb(15 23 42 / 14%)"),
  fixed("backdrop", lightDark("rgb(15 23 42 / 32%)", "rgb(0 0 0 / 56%)")),
  fixed("motion", "120ms ease-out")
]

const valueOf = ({ value, dark }: DesignToken): string =>
  dark === undefined ? value : lightDark(value, dark)

const settable = (token: DesignToken): string =>
  token.isOfHost === true ? `var(--lectern-${token.name}, ${valueOf(token)})` : valueOf(token)

const hostRules = (selector: string, first = ""): string => `${selector} {
${first}${designTokens.map((token) => `  --${token.name}: ${settable(token)};`).join("\n")}
}
`

const preferences = (selector: string): string => `
@media (prefers-reduced-motion: reduce) {
  ${selector} {
    --motion: 0ms;
  }
}

@media (prefers-contrast: more) {
  ${selector} {
    --muted: light-dark(#343b46, #ccd3dc);
    --border: light-dark(#6a7382, #98a2b0);
    --border-strong: light-dark(#3d4653, #c0c8d2);
  }
}
`

const origin = "Generated by scripts/generate-editor-assets.ts from scripts/designTokens.ts."

/** The tokens of the editor. */
export const editorTokens = (): string => `/*
 * ${origin}
 * A host sets --lectern-* on the element of the editor or on one around it. Names without the prefix are internal.
 */
${hostRules(".lectern-editor,\n.lectern-tokens")}${preferences(".lectern-editor,\n  .lectern-tokens")}`

/** The tokens of the application. */
export const applicationTokens = (): string => `/*
 * ${origin}
 * A host sets --lectern-* on an element around the application.
 */
${hostRules(":root", "  color-scheme: light dark;\n\n")}
:root[data-theme="light"] {
  color-scheme: light;
}

:root[data-theme="dark"] {
  color-scheme: dark;
}
${preferences(":root")}`

/** The tokens of published pages: a theme sets both values of themed ones, and replaces the others. */
export const readerTokens = (): string => {
  const tokens = designTokens.filter(({ isOfReader }) => isOfReader === true)
  const values = tokens.flatMap(({ name, value, dark, isThemed }) =>
    isThemed === true ? [`--${name}-light: ${value};`, `--${name}-dark: ${dark};`] : []
  )
  const names = tokens.map(({ name, value, isThemed }) =>
    isThemed === true
      ? `--${name}: light-dark(var(--${name}-light), var(--${name}-dark));`
      : `--${name}: ${value};`
  )
  return [...values, ...names].map((line) => `    ${line}`).join("\n")
}
