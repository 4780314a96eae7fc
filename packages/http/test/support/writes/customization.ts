/** A valid customization of a site. A customization is replaced as a whole, so that a write needs all of it. */
import type { Customization } from "@lectern/core"

const inBothThemes = (color: string) => ({ light: color, dark: color })

/** A customization with a title. */
export const customizationWithTitle = (title: string): Customization => ({
  title,
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
})
