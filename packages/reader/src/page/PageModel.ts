/** Everything that a page displays, with all targets resolved, so that rendering is a pure function. */

import type { Customization, PageLayout } from "@lectern/core"
import type { ScriptOrigins } from "@lectern/model/sites"
import type { OutlineEntry } from "../document/DocumentContext.ts"
import type { Html } from "../html/Html.ts"
import type { SafeUrl } from "../html/urls.ts"
import type { Messages } from "./messages.ts"

/** A link of the navigation. */
export interface LinkItem {
  readonly title: string
  readonly href: SafeUrl
  readonly icon?: Html | undefined
  readonly description?: string | undefined
  readonly isExternal?: boolean
  readonly isCurrent?: boolean
}

/** A group of links under a title. */
export interface LinkGroup {
  readonly title: string
  readonly icon?: Html | undefined
  readonly items: ReadonlyArray<LinkItem>
}

/** A link of the header: with a style, and with a menu of further links. */
export interface HeaderLink {
  readonly title: string
  readonly href: SafeUrl | undefined
  readonly isExternal?: boolean
  readonly style: "link" | "button-primary" | "button-secondary"
  readonly items: ReadonlyArray<LinkItem>
}

/** An entry of the page tree: a page, a link, or a group without a page of its own. */
export interface TreeItem {
  /** Identifies the entry on the page. */
  readonly id: string
  readonly title: string
  /** Absent for groups. */
  readonly href: SafeUrl | undefined
  readonly icon: Html | undefined
  readonly isGroup: boolean
  readonly isExternal: boolean
  readonly isCurrent: boolean
  /** Whether the current page is this one or below it. */
  readonly isOpen: boolean
  /** The URL of the list of the pages below it, if the page does not contain them. */
  readonly branch?: SafeUrl | undefined
  /** The number of further pages of the list that the entry leads to. It has no title. */
  readonly rest?: number
  readonly items: ReadonlyArray<TreeItem>
}

/** An image in the light and the dark theme. */
export interface ThemedImage {
  readonly light: SafeUrl
  readonly dark: SafeUrl
}

/** The metadata of a page for search engines and for previews of links. */
export interface PageMetadata {
  /** The absolute URL of the page; absent in previews. */
  readonly canonical?: SafeUrl | undefined
  readonly description?: string | undefined
  readonly image?: SafeUrl | undefined
  /** Whether search engines may list the page. */
  readonly isIndexed: boolean
  /** Whether the search of the site excludes the page. */
  readonly isExcludedFromSearch?: boolean
  /** Whether visitors can send requests of an API from the page. */
  readonly sendsRequests?: boolean
  /** The URL of the page as Markdown. */
  readonly markdown?: SafeUrl | undefined
  /** The feeds of the site and of the page. */
  readonly feeds?: ReadonlyArray<{ readonly title: string; readonly type: string; readonly href: SafeUrl }>
  /** The same page in other languages: the language tag and the absolute URL. */
  readonly alternates?: ReadonlyArray<readonly [language: string | undefined, href: SafeUrl]>
}

/** The scripts that an administrator has installed on a site. */
export interface PageScripts {
  /** The URLs in their order, each with the purposes that visitors consent to. */
  readonly entries: ReadonlyArray<{ readonly url: string; readonly categories: ReadonlyArray<string> }>
  /** The origins that pages may use for the scripts. */
  readonly origins: Required<ScriptOrigins>
  /** Distinguishes the pages of different scripts and origins. */
  readonly version: string
  /** The path of the root of the site, below which the choice of the visitor is stored. */
  readonly root: string
}

/** The frame of all pages of a site. */
export interface SiteFrame {
  readonly messages: Messages
  readonly customization: Customization
  readonly siteTitle: string
  /** The URLs of the assets. */
  readonly assets: {
    readonly style: SafeUrl
    readonly theme: SafeUrl
    readonly script: SafeUrl
    /** The script of pages with operations of an API. Absent on pages without site. */
    readonly requests?: SafeUrl | undefined
    /** The script that asks visitors for their consent, and loads the scripts of the site. */
    readonly consent?: SafeUrl | undefined
    /** The script of questions. Absent on pages without site. */
    readonly ask?: SafeUrl | undefined
    readonly icon?: ThemedImage | undefined
  }
  readonly home: SafeUrl
  /** The URL of the search. Absent if the pages have no search. */
  readonly searchUrl?: SafeUrl | undefined
  /** The URL of questions. Absent if the site has no answers. */
  readonly askUrl?: SafeUrl | undefined
  readonly favicon:
    | { readonly light: SafeUrl; readonly dark: SafeUrl }
    | { readonly emoji: string }
    | undefined
  readonly logo: ThemedImage | undefined
  readonly footerLogo: ThemedImage | undefined
  readonly headerLinks: ReadonlyArray<HeaderLink>
  readonly footerGroups: ReadonlyArray<LinkGroup>
  readonly sections: ReadonlyArray<LinkItem | LinkGroup>
  readonly variants: ReadonlyArray<LinkItem>
  readonly tree: ReadonlyArray<TreeItem>
  readonly announcementLink?: LinkItem | undefined
  /** The scripts that pages load; `undefined` without any. */
  readonly scripts?: PageScripts | undefined
  /** A bar above the header, in previews. */
  readonly bar?: Html | undefined
}

/** The language of a page, if it is not that of the user interface. */
export interface PageLanguage {
  readonly language?: string | undefined
}

/** A page with its content. */
export interface PageModel extends PageLanguage {
  readonly frame: SiteFrame
  readonly metadata: PageMetadata
  readonly title: string
  readonly icon: Html | undefined
  readonly description: string | undefined
  readonly cover: { readonly image: Html; readonly size: "hero" | "full" } | undefined
  readonly layout: PageLayout
  readonly content: Html
  readonly outline: ReadonlyArray<OutlineEntry>
  readonly breadcrumbs: ReadonlyArray<{ readonly title: string; readonly href: SafeUrl | undefined }>
  readonly previous: LinkItem | undefined
  readonly next: LinkItem | undefined
  /** When the page was last updated, in ISO 8601. */
  readonly updatedAt: string | undefined
  /** The id of the title, to which links refer as to a heading; undefined if another element has it. */
  readonly titleId?: string | undefined
  /** The form to rate the page; absent if visitors cannot. */
  readonly feedback: { readonly action: SafeUrl; readonly page: string } | undefined
  readonly actions: { readonly markdown?: SafeUrl | undefined; readonly edit?: SafeUrl | undefined }
}
