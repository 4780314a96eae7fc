/** How a published site looks: kept per site, with defaults for all that nobody has chosen. */
import { Schema } from "effect"
import { text } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Emoji } from "../spaces/Space.ts"
import { Condition } from "./conditions/Condition.ts"

const Color = Schema.String.check(
  Schema.isPattern(/^#(?:[0-9a-fA-F]{3}){1,2}$/u, { message: "must be a color, as in #346ddb" })
)
const ThemedColor = Schema.Struct({ light: Color, dark: Color })
const ThemedImage = Schema.Struct({ light: Url, dark: Url })
const enabled = Schema.Struct({ enabled: Schema.Boolean })

/** The most entries of a list of links. */
const several = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(100, { message: "must be at most 100" }))

/** Where a link leads: an address, or something of the workspace by its kind and id. */
const Target = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("url"), url: Url }),
  Schema.Struct({ kind: Schema.Literal("space"), space: text({ max: 100 }) }),
  Schema.Struct({
    kind: Schema.Literals(["page", "anchor"]),
    page: text({ max: 100 }),
    space: Schema.optionalKey(text({ max: 100 })),
    anchor: Schema.optionalKey(text({ max: 255 }))
  }),
  Schema.Struct({
    kind: Schema.Literal("file"),
    file: text({ max: 100 }),
    space: Schema.optionalKey(text({ max: 100 }))
  })
])

const Link = Schema.Struct({ title: text({ max: 100 }), to: Target })

const fonts = [
  "ABCFavorit",
  "Inter",
  "Roboto",
  "RobotoSlab",
  "OpenSans",
  "SourceSansPro",
  "Lato",
  "Ubuntu",
  "Raleway",
  "Merriweather",
  "Overpass",
  "NotoSans",
  "IBMPlexSerif",
  "Poppins",
  "FiraSans"
] as const

const monospaceFonts = [
  "FiraCode",
  "IBMPlexMono",
  "JetBrainsMono",
  "SourceCodePro",
  "RobotoMono",
  "SpaceMono",
  "DMMono",
  "Inconsolata"
] as const

/** The looks of a site, whole: what is set replaces all of them. */
export const Customization = Schema.Struct({
  title: Schema.optionalKey(text({ min: 2, max: 128 })),
  styling: Schema.Struct({
    theme: Schema.Literals(["clean", "muted", "bold", "gradient"]),
    primaryColor: ThemedColor,
    tint: Schema.optionalKey(Schema.Struct({ color: ThemedColor })),
    infoColor: ThemedColor,
    successColor: ThemedColor,
    warningColor: ThemedColor,
    dangerColor: ThemedColor,
    corners: Schema.Literals(["straight", "rounded", "circular"]),
    depth: Schema.Literals(["subtle", "flat"]),
    links: Schema.Literals(["default", "accent"]),
    font: Schema.Literals(fonts),
    monospaceFont: Schema.Literals(monospaceFonts),
    background: Schema.Literals(["plain", "match"]),
    icons: Schema.Literals(["regular", "solid", "duotone", "light", "thin"]),
    sidebar: Schema.Struct({
      background: Schema.Literals(["default", "filled"]),
      list: Schema.Literals(["default", "pill", "line"])
    }),
    search: Schema.Literals(["prominent", "subtle"])
  }),
  internationalization: Schema.Struct({
    locale: Schema.Literals(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"])
  }),
  favicon: Schema.Union([
    Schema.Struct({ icon: ThemedImage }),
    Schema.Struct({ emoji: Emoji }),
    // Neither. A struct without fields would take anything at all, a wrong icon too.
    Schema.Struct({ icon: Schema.optionalKey(Schema.Never), emoji: Schema.optionalKey(Schema.Never) })
  ]),
  header: Schema.Struct({
    preset: Schema.Literals(["default", "bold", "contrast", "custom", "none"]),
    logo: Schema.optionalKey(ThemedImage),
    backgroundColor: Schema.optionalKey(ThemedColor),
    linkColor: Schema.optionalKey(ThemedColor),
    links: several(
      Schema.Struct({
        title: text({ max: 100 }),
        style: Schema.optionalKey(Schema.Literals(["link", "button-primary", "button-secondary"])),
        to: Schema.NullOr(Target),
        links: several(Link),
        condition: Schema.optionalKey(Condition)
      })
    )
  }),
  footer: Schema.Struct({
    logo: Schema.optionalKey(ThemedImage),
    groups: several(Schema.Struct({ title: text({ max: 100 }), links: several(Link) })),
    copyright: Schema.optionalKey(text({ max: 300 }))
  }),
  announcement: Schema.optionalKey(
    Schema.Struct({
      enabled: Schema.Boolean,
      message: text({ max: 1_000 }),
      link: Schema.optionalKey(Link),
      style: Schema.Literals(["info", "warning", "danger", "success"])
    })
  ),
  themes: Schema.Struct({ default: Schema.Literals(["light", "dark"]), toggeable: Schema.Boolean }),
  pdf: enabled,
  feedback: enabled,
  ai: Schema.Struct({ mode: Schema.Literals(["none", "search", "assistant"]) }),
  advancedCustomization: enabled,
  git: Schema.Struct({ showEditLink: Schema.Boolean }),
  pageActions: Schema.Struct({
    externalAI: Schema.Boolean,
    markdown: Schema.Boolean,
    mcp: Schema.Boolean
  }),
  externalLinks: Schema.Struct({ target: Schema.Literals(["self", "blank"]) }),
  pagination: enabled,
  trademark: enabled,
  privacyPolicy: Schema.Struct({ url: Schema.optionalKey(Url) }),
  socialPreview: Schema.Struct({ url: Schema.optionalKey(Url) }),
  insights: Schema.Struct({ trackingCookie: Schema.Boolean })
}).annotate({ identifier: "SiteCustomization", description: "How a published site looks." })
export type Customization = typeof Customization.Type

const same = (color: string) => ({ light: color, dark: color })

/** The looks of a site that nobody has chosen any for. */
export const defaultCustomization: Customization = {
  styling: {
    theme: "clean",
    primaryColor: same("#346DDB"),
    infoColor: same("#787878"),
    successColor: same("#00C950"),
    warningColor: same("#FE9A00"),
    dangerColor: same("#FB2C36"),
    corners: "rounded",
    depth: "subtle",
    links: "default",
    font: "Inter",
    monospaceFont: "IBMPlexMono",
    background: "plain",
    icons: "regular",
    sidebar: { background: "default", list: "default" },
    search: "prominent"
  },
  internationalization: { locale: "en" },
  favicon: {},
  header: { preset: "default", links: [] },
  footer: { groups: [] },
  themes: { default: "light", toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: "none" },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true, mcp: false },
  externalLinks: { target: "self" },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false }
}
