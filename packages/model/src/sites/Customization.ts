/** The customization of a published site: stored per site, with a default. */

import * as Schema from "effect/Schema"
import { Condition } from "../conditions/Condition.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { Emoji } from "../spaces/Space.ts"
import { CodeThemes, SocialAccounts } from "./CodeTheme.ts"
import { FontDefinition } from "./CustomFont.ts"

/** A color in hexadecimal notation. */
const Color = Schema.String.check(
  Schema.isPattern(/^#(?:[0-9a-fA-F]{3}){1,2}$/u, { message: "must be a color, as in #346ddb" })
)
/** A color for each theme. */
export const ThemedColor = Schema.Struct({
  /** The color in the light theme, such as `#346DDB`. */
  light: Color,
  /** The color in the dark theme, such as `#346DDB`. */
  dark: Color
})

/** An image for each theme. */
export const ThemedImage = Schema.Struct({
  /** The URL of the image in the light theme. */
  light: Url,
  /** The URL of the image in the dark theme. */
  dark: Url
})

/** A feature that can be enabled. */
const Toggle = Schema.Struct({
  /** Whether the feature is enabled. */
  enabled: Schema.Boolean
})

/** A list of at most 100 items. */
const shortList = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMaxLength(100, { message: "must be at most 100 items" }))

/** The target of a link: a URL, or a space, page, anchor or file of the workspace. */
const Target = Schema.Union([
  Schema.Struct({
    /** The kind of the target: `url`. */
    kind: Schema.Literal("url"),
    /** The URL. */
    url: Url
  }),
  Schema.Struct({
    /** The kind of the target: `space`. */
    kind: Schema.Literal("space"),
    /** The id of the space: at most 100 characters. */
    space: text({ max: 100 })
  }),
  Schema.Struct({
    /** The kind of the target: a page, or an anchor on a page. */
    kind: Schema.Literals(["page", "anchor"]),
    /** The id of the page: at most 100 characters. */
    page: text({ max: 100 }),
    /** The id of the space of the page: at most 100 characters. */
    space: Schema.optionalKey(text({ max: 100 })),
    /** The anchor on the page: at most 255 characters. */
    anchor: Schema.optionalKey(text({ max: 255 }))
  }),
  Schema.Struct({
    /** The kind of the target: `file`. */
    kind: Schema.Literal("file"),
    /** The id of the file: at most 100 characters. */
    file: text({ max: 100 }),
    /** The id of the space of the file: at most 100 characters. */
    space: Schema.optionalKey(text({ max: 100 }))
  })
])

/** A link with a title. */
const Link = Schema.Struct({
  /** The title: at most 100 characters. */
  title: text({ max: 100 }),
  /** The target of the link. */
  to: Target
})

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

/** The tint of backgrounds and text. */
export const Tint = Schema.Struct({
  /** The color of the tint. */
  color: ThemedColor
})

/** An announcement above all pages. */
export const Announcement = Schema.Struct({
  /** Whether the announcement is visible. */
  enabled: Schema.Boolean,
  /** The text: at most 1,000 characters. */
  message: text({ max: 1_000 }),
  /** The link after the text; absent without a link. */
  link: Schema.optionalKey(Link),
  /** The style of the announcement. */
  style: Schema.Literals(["info", "warning", "danger", "success"])
})

/** The customization of a site: an update replaces all of it. */
export class Customization extends resource<Customization>()(
  Schema.Struct({
    /** The title that replaces the title of the site: 2 to 128 characters. */
    title: Schema.optionalKey(text({ min: 2, max: 128 })),
    /** Colors, fonts and shapes. */
    styling: Schema.Struct({
      /** The theme. */
      theme: Schema.Literals(["clean", "muted", "bold", "gradient"]),
      /** The primary color. */
      primaryColor: ThemedColor,
      /** The tint of backgrounds and text; absent for neutral colors. */
      tint: Schema.optionalKey(Tint),
      /** The color of information. */
      infoColor: ThemedColor,
      /** The color of success. */
      successColor: ThemedColor,
      /** The color of warnings. */
      warningColor: ThemedColor,
      /** The color of danger and errors. */
      dangerColor: ThemedColor,
      /** The shape of corners. */
      corners: Schema.Literals(["straight", "rounded", "circular"]),
      /** The depth of controls and cards. */
      depth: Schema.Literals(["subtle", "flat"]),
      /** The style of links in text. */
      links: Schema.Literals(["default", "accent"]),
      /** The font of text: one that the contract names, or a font of the organization, of which only the id is used. */
      font: Schema.Union([Schema.Literals(fonts), FontDefinition]),
      /** The font of code: one that the contract names, or a font of the organization, of which only the id is used. */
      monospaceFont: Schema.Union([Schema.Literals(monospaceFonts), FontDefinition]),
      /** The background of pages: plain, or matching the theme. */
      background: Schema.Literals(["plain", "match"]),
      /** The style of icons. */
      icons: Schema.Literals(["regular", "solid", "duotone", "light", "thin"]),
      /** The style of the sidebar. */
      sidebar: Schema.Struct({
        /** The background of the sidebar. */
        background: Schema.Literals(["default", "filled"]),
        /** The style of the list of pages. */
        list: Schema.Literals(["default", "pill", "line"])
      }),
      /** The style of the search field. */
      search: Schema.Literals(["prominent", "subtle"]),
      /** The color themes of code. Responses always have them. */
      codeTheme: Schema.optionalKey(CodeThemes)
    }),
    /** The language of the user interface. */
    internationalization: Schema.Struct({
      /** The code of the language. */
      locale: Schema.Literals(["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"])
    }),
    /** The favicon: an image, an emoji, or an empty object for the default. */
    favicon: Schema.Union([
      Schema.Struct({
        /** The URLs of the image. It is also the icon of the site. */
        icon: ThemedImage
      }),
      Schema.Struct({
        /** The emoji: a character, or its code point in hexadecimal. */
        emoji: Emoji
      }),
      // A struct without fields accepts any object, including one with an invalid icon.
      Schema.Struct({
        /** Absent. */
        icon: Schema.optionalKey(Schema.Never),
        /** Absent. */
        emoji: Schema.optionalKey(Schema.Never)
      })
    ]),
    /** The header of the site. */
    header: Schema.Struct({
      /** The color scheme of the header; `none` hides it, and `custom` uses the colors below. */
      preset: Schema.Literals(["default", "bold", "contrast", "custom", "none"]),
      /** The logo; absent for the icon and the title of the site. */
      logo: Schema.optionalKey(ThemedImage),
      /** The background color of the preset `custom`. */
      backgroundColor: Schema.optionalKey(ThemedColor),
      /** The link color of the preset `custom`. */
      linkColor: Schema.optionalKey(ThemedColor),
      /** At most 100 links of the header. */
      links: shortList(
        Schema.Struct({
          /** The title: at most 100 characters. */
          title: text({ max: 100 }),
          /** The style of the link; `link` by default. */
          style: Schema.optionalKey(Schema.Literals(["link", "button-primary", "button-secondary"])),
          /** The target of the link; null for an item that only opens its menu of links. */
          to: Schema.NullOr(Target),
          /** At most 100 links in the menu of the item. */
          links: shortList(Link),
          /** The condition under which visitors can see the link: 1 to 1,024 characters; absent for all visitors. */
          condition: Schema.optionalKey(Condition)
        })
      )
    }),
    /** The footer of the site. */
    footer: Schema.Struct({
      /** The logo; absent without a logo. */
      logo: Schema.optionalKey(ThemedImage),
      /** At most 100 groups of links. */
      groups: shortList(
        Schema.Struct({
          /** The title: at most 100 characters. */
          title: text({ max: 100 }),
          /** At most 100 links of the group. */
          links: shortList(Link)
        })
      ),
      /** The copyright notice: at most 300 characters. */
      copyright: Schema.optionalKey(text({ max: 300 }))
    }),
    /** The announcement above all pages; absent without an announcement. */
    announcement: Schema.optionalKey(Announcement),
    /** The light and the dark theme. */
    themes: Schema.Struct({
      /** The theme that visitors see first. */
      default: Schema.Literals(["light", "dark"]),
      /** Whether visitors can switch between the themes. */
      toggeable: Schema.Boolean
    }),
    /** Whether visitors can export pages as PDF. */
    pdf: Toggle,
    /** Whether visitors can rate pages. */
    feedback: Toggle,
    /** The AI features for visitors. */
    ai: Schema.Struct({
      /** The mode: no AI, generated results in the search, or an assistant. */
      mode: Schema.Literals(["none", "search", "assistant"])
    }),
    /** Whether the advanced customization is used. */
    advancedCustomization: Toggle,
    /** The integration with Git. */
    git: Schema.Struct({
      /** Whether pages have a link to edit their source in Git. */
      showEditLink: Schema.Boolean
    }),
    /** The actions of pages. */
    pageActions: Schema.Struct({
      /** Whether pages can be opened in external AI assistants. */
      externalAI: Schema.Boolean,
      /** Whether pages can be viewed and copied as Markdown. */
      markdown: Schema.Boolean,
      /** Whether pages link to the MCP server of the site. */
      mcp: Schema.Boolean
    }),
    /** The accounts of the owner on social platforms, at most 10. Responses always have them. */
    socialAccounts: Schema.optionalKey(SocialAccounts),
    /** The links to other websites. */
    externalLinks: Schema.Struct({
      /** Whether these links open in the same tab (`self`) or in a new tab (`blank`). */
      target: Schema.Literals(["self", "blank"])
    }),
    /** Whether pages have links to the previous and the next page. */
    pagination: Toggle,
    /** Whether pages show the trademark of the publishing platform. */
    trademark: Toggle,
    /** The privacy policy. */
    privacyPolicy: Schema.Struct({
      /** The URL of the privacy policy; absent for the default policy. */
      url: Schema.optionalKey(Url)
    }),
    /** The preview of pages that are shared on social media. */
    socialPreview: Schema.Struct({
      /** The URL of the image; absent for a generated image. */
      url: Schema.optionalKey(Url)
    }),
    /** The analytics of visits. */
    insights: Schema.Struct({
      /** Whether a cookie identifies returning visitors. */
      trackingCookie: Schema.Boolean
    }),
    /** The search of the site. Absent without settings. */
    search: Schema.optionalKey(
      Schema.Struct({
        /**
         * Groups of words or phrases that mean the same, such as `k8s` and `kubernetes`: a search for one also finds
         * the others. At most 100 groups of at most 100 words or phrases, each at most 100 characters.
         */
        synonyms: shortList(shortList(text({ min: 1, max: 100 }))),
        /**
         * Pages that are the first results of queries, for visitors who can see them: at most 100. Not in the public contract.
         */
        pins: Schema.optionalKey(
          shortList(
            Schema.Struct({
              /** The queries, compared without regard to case, accents and punctuation: at most 100, each at most 100 characters. */
              queries: shortList(text({ min: 1, max: 100 })),
              /** The id of the space of the page: at most 100 characters. */
              space: text({ min: 1, max: 100 }),
              /** The id of the page: at most 100 characters. */
              page: text({ min: 1, max: 100 })
            })
          )
        ),
        /**
         * The weights of spaces and pages, which multiply the scores of their matches: at most 100. Pages with all words of a query
         * of one or two words precede the others regardless of weights. Not in the public contract.
         */
        boosts: Schema.optionalKey(
          shortList(
            Schema.Struct({
              /** The id of the space: at most 100 characters. */
              space: text({ min: 1, max: 100 }),
              /** The id of the page: at most 100 characters. Absent for all pages of the space. */
              page: Schema.optionalKey(text({ min: 1, max: 100 })),
              /** The weight: between 0.1 and 10. Other pages have the weight 1. */
              weight: Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum: 10 }))
            })
          )
        )
      })
    )
  }).annotate({
    identifier: "SiteCustomization",
    description: "The customization of a published site: styling, navigation and features."
  })
) {}

/** The settings of the search of a site. */
export type SearchSettings = NonNullable<Customization["search"]>

/** The same color in both themes. */
const inBothThemes = (color: string) => ({ light: color, dark: color })

/** The customization of a site without a customization of its own. */
export const defaultCustomization: Customization = {
  styling: {
    theme: "clean",
    primaryColor: inBothThemes("#346DDB"),
    infoColor: inBothThemes("#787878"),
    successColor: inBothThemes("#00C950"),
    warningColor: inBothThemes("#FE9A00"),
    dangerColor: inBothThemes("#FB2C36"),
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
