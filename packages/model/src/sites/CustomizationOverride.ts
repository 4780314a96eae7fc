/** The customization of a space on a site: the values that differ from the customization of the site. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Announcement, Customization, ThemedColor, ThemedImage, Tint } from "./Customization.ts"

/** A value of the override: absent to leave it unchanged, null to use that of the site again. */
const value = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A group of values. */
const group = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.optionalKey(Schema.Struct(fields))

const site = Customization.fields
const styling = site.styling.fields
const header = site.header.fields
const footer = site.footer.fields

/** The values to change in the customization of a space on a site. Absent values remain, and null removes the value. */
export class CustomizationOverride extends resource<CustomizationOverride>()(
  Schema.Struct({
    /** The title that replaces the title of the site: 2 to 128 characters. */
    title: value(site.title.schema),
    /** Colors and shapes. */
    styling: group({
      /** The theme. */
      theme: value(styling.theme),
      /** The primary color. */
      primaryColor: value(styling.primaryColor),
      /** The tint of backgrounds and text. */
      tint: value(Tint),
      /** The color of information. */
      infoColor: value(styling.infoColor),
      /** The color of success. */
      successColor: value(styling.successColor),
      /** The color of warnings. */
      warningColor: value(styling.warningColor),
      /** The color of danger and errors. */
      dangerColor: value(styling.dangerColor),
      /** The shape of corners. */
      corners: value(styling.corners),
      /** The depth of controls and cards. */
      depth: value(styling.depth),
      /** The style of links in text. */
      links: value(styling.links),
      /** The style of icons. */
      icons: value(styling.icons),
      /** The background of pages: plain, or matching the theme. */
      background: value(styling.background),
      /** The style of the sidebar. */
      sidebar: group({
        /** The background of the sidebar. */
        background: value(styling.sidebar.fields.background),
        /** The style of the list of pages. */
        list: value(styling.sidebar.fields.list)
      }),
      /** The style of the search field. */
      search: value(styling.search)
    }),
    /** The language of the user interface. */
    internationalization: group({
      /** The code of the language. */
      locale: value(site.internationalization.fields.locale)
    }),
    /** The favicon: an image, an emoji, or an empty object for the default. */
    favicon: value(site.favicon),
    /** The announcement above all pages. */
    announcement: value(Announcement),
    /** The header of the site. */
    header: group({
      /** The color scheme of the header; `none` hides it, and `custom` uses the colors below. */
      preset: value(header.preset),
      /** The logo. */
      logo: value(ThemedImage),
      /** The background color of the preset `custom`. */
      backgroundColor: value(ThemedColor),
      /** The link color of the preset `custom`. */
      linkColor: value(ThemedColor),
      /** At most 100 links of the header. */
      links: value(header.links)
    }),
    /** The footer of the site. */
    footer: group({
      /** The logo. */
      logo: value(ThemedImage),
      /** At most 100 groups of links. */
      groups: value(footer.groups),
      /** The copyright notice: at most 300 characters. */
      copyright: value(footer.copyright.schema)
    }),
    /** The light and the dark theme. */
    themes: group({
      /** The theme that visitors see first. */
      default: value(site.themes.fields.default),
      /** Whether visitors can switch between the themes. */
      toggeable: value(site.themes.fields.toggeable)
    }),
    /** Whether visitors can export pages as PDF. */
    pdf: group({
      /** Whether the feature is enabled. */
      enabled: value(site.pdf.fields.enabled)
    }),
    /** Whether visitors can rate pages. */
    feedback: group({
      /** Whether the feature is enabled. */
      enabled: value(site.feedback.fields.enabled)
    }),
    /** The integration with Git. */
    git: group({
      /** Whether pages have a link to edit their source in Git. */
      showEditLink: value(site.git.fields.showEditLink)
    }),
    /** The links to other websites. */
    externalLinks: group({
      /** Whether these links open in the same tab (`self`) or in a new tab (`blank`). */
      target: value(site.externalLinks.fields.target)
    }),
    /** Whether pages have links to the previous and the next page. */
    pagination: group({
      /** Whether the feature is enabled. */
      enabled: value(site.pagination.fields.enabled)
    }),
    /** Whether pages show the trademark of the publishing platform. */
    trademark: group({
      /** Whether the feature is enabled. */
      enabled: value(site.trademark.fields.enabled)
    }),
    /** The privacy policy. */
    privacyPolicy: group({
      /** The URL of the privacy policy. */
      url: value(site.privacyPolicy.fields.url.schema)
    }),
    /** The preview of pages that are shared on social media. */
    socialPreview: group({
      /** The URL of the image. */
      url: value(site.socialPreview.fields.url.schema)
    })
  }).annotate({
    identifier: "SiteSpaceCustomizationOverride",
    description: "The values of a customization that a space on a site overrides."
  })
) {}

/** The objects that are merged value by value. Other objects, such as a color, are values. */
interface Groups {
  readonly [name: string]: Groups
}

const groups: Groups = {
  styling: { sidebar: {} },
  internationalization: {},
  header: {},
  footer: {},
  themes: {},
  pdf: {},
  feedback: {},
  git: {},
  externalLinks: {},
  pagination: {},
  trademark: {},
  privacyPolicy: {},
  socialPreview: {}
}

interface Values {
  readonly [name: string]: unknown
}

/** Sets the values of `changes`, and removes null values, in `before`. */
const merge = (before: Values, changes: Values, within: Groups): Values => {
  const after = new Map(Object.entries(before))
  for (const [name, change] of Object.entries(changes)) {
    const inner = within[name]
    if (change === null) after.delete(name)
    else if (inner === undefined) after.set(name, change)
    else after.set(name, merge((after.get(name) ?? {}) as Values, change as Values, inner))
  }
  return Object.fromEntries(after)
}

/** Removes the groups without values. */
const withoutEmptyGroups = (values: Values, within: Groups): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, inner]) => {
      if (within[name] === undefined) return [[name, inner]]
      const kept = withoutEmptyGroups(inner as Values, within[name])
      return Object.keys(kept).length === 0 ? [] : [[name, kept]]
    })
  )

/** Changes an override: it sets the values of `changes`, and removes null values. */
export const changeOverride = (
  before: CustomizationOverride,
  changes: CustomizationOverride
): CustomizationOverride =>
  withoutEmptyGroups(merge({ ...before }, { ...changes }, groups), groups) as CustomizationOverride

/** Returns the customization of a space on a site: that of the site with the values of its override, which are not null. */
export const overrideCustomization = (
  customization: Customization,
  override: CustomizationOverride
): Customization => merge({ ...customization }, { ...override }, groups) as unknown as Customization
