/** The scripts of known services of analytics and support, as data: their placeholders, patterns, purposes and origins. */
import type { ConsentCategory, ScriptOrigins, ScriptTemplateId } from "./SiteScript.ts"

/** A value that a service requires. */
export interface TemplateField {
  /** The name of the placeholder. */
  readonly name: string
  /** A value that the pattern matches. */
  readonly example: string
  /** The regular expression that the whole value matches. */
  readonly pattern: string
}

/** The data of a service. The text runs before the URL is loaded. Placeholders of the text are expressions. */
export interface ScriptTemplateData {
  /** The name of the service. */
  readonly name: string
  /** The purposes that visitors consent to. */
  readonly categories: ReadonlyArray<ConsentCategory>
  /** The values that the service requires. */
  readonly fields: ReadonlyArray<TemplateField>
  /** The text that configures the script; absent without configuration. */
  readonly text?: string
  /** The URL of the script; absent if the text loads it. */
  readonly url?: string
  /** The origins that the script uses, besides that of its URL. */
  readonly origins: ScriptOrigins
}

const hostPattern = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"

const field = (name: string, example: string, pattern: string): TemplateField => ({ name, example, pattern })

/** Returns a function that queues calls until the script of the service replaces it. */
const queueOf = (name: string): string => `window.${name}=window.${name}||[];`

/** The data of the known services. */
export const scriptTemplates: Readonly<Record<ScriptTemplateId, ScriptTemplateData>> = {
  crisp: {
    name: "Crisp",
    categories: ["support"],
    fields: [
      field(
        "websiteId",
        "01234567-89ab-cdef-0123-456789abcdef",
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
      )
    ],
    text: "window.$crisp=[];window.CRISP_WEBSITE_ID={{websiteId}};",
    url: "https://client.crisp.chat/l.js",
    origins: {
      connections: [
        "https://client.crisp.chat",
        "https://storage.crisp.chat",
        "wss://client.relay.crisp.chat"
      ],
      styles: ["https://client.crisp.chat"]
    }
  },
  fathom: {
    name: "Fathom",
    categories: ["analytics"],
    fields: [field("siteId", "ABCDEFGH", "[A-Z]{8}")],
    text: "(function(){var s=document.createElement('script');s.src='https://cdn.usefathom.com/script.js';s.setAttribute('data-site',{{siteId}});document.head.appendChild(s)})();",
    origins: { scripts: ["https://cdn.usefathom.com"], connections: ["https://cdn.usefathom.com"] }
  },
  "google-analytics": {
    name: "Google Analytics",
    categories: ["analytics"],
    fields: [field("measurementId", "G-ABCDEFGHIJ", "G-[A-Z0-9]{4,20}")],
    text: `${queueOf("dataLayer")}window.gtag=function(){window.dataLayer.push(arguments)};window.gtag('js',new Date());window.gtag('config',{{measurementId}});`,
    url: "https://www.googletagmanager.com/gtag/js?id={{measurementId}}",
    origins: {
      connections: [
        "https://*.google-analytics.com",
        "https://*.analytics.google.com",
        "https://*.googletagmanager.com"
      ]
    }
  },
  "google-tag-manager": {
    name: "Google Tag Manager",
    categories: ["analytics", "marketing"],
    fields: [field("containerId", "GTM-ABCDEFG", "GTM-[A-Z0-9]{4,12}")],
    text: `${queueOf("dataLayer")}window.dataLayer.push({'gtm.start':new Date().getTime(),event:'gtm.js'});`,
    url: "https://www.googletagmanager.com/gtm.js?id={{containerId}}",
    origins: {
      connections: ["https://*.google-analytics.com", "https://*.googletagmanager.com"],
      frames: ["https://www.googletagmanager.com"]
    }
  },
  hotjar: {
    name: "Hotjar",
    categories: ["analytics"],
    fields: [field("siteId", "1234567", "[0-9]{5,12}")],
    text: "window.hj=window.hj||function(){(window.hj.q=window.hj.q||[]).push(arguments)};window._hjSettings={hjid:Number({{siteId}}),hjsv:6};",
    url: "https://static.hotjar.com/c/hotjar-{{siteId}}.js?sv=6",
    origins: {
      scripts: ["https://script.hotjar.com"],
      connections: ["https://*.hotjar.com", "https://*.hotjar.io", "wss://*.hotjar.com"],
      frames: ["https://vars.hotjar.com"]
    }
  },
  hubspot: {
    name: "HubSpot",
    categories: ["analytics", "marketing"],
    fields: [field("portalId", "1234567", "[0-9]{4,12}")],
    url: "https://js.hs-scripts.com/{{portalId}}.js",
    origins: {
      scripts: ["https://js.hs-analytics.net", "https://js.hs-banner.com", "https://js.usemessages.com"],
      connections: ["https://*.hubspot.com", "https://*.hubapi.com"],
      frames: ["https://app.hubspot.com"]
    }
  },
  intercom: {
    name: "Intercom",
    categories: ["support"],
    fields: [field("appId", "abcd1234", "[a-z0-9]{4,16}")],
    text: "window.intercomSettings={app_id:{{appId}}};window.Intercom=window.Intercom||function(){(window.Intercom.q=window.Intercom.q||[]).push(arguments)};window.Intercom('boot',window.intercomSettings);",
    url: "https://widget.intercom.io/widget/{{appId}}",
    origins: {
      scripts: ["https://js.intercomcdn.com"],
      connections: ["https://*.intercom.io", "wss://*.intercom.io", "https://*.intercomcdn.com"],
      frames: ["https://intercom-sheets.com"]
    }
  },
  plausible: {
    name: "Plausible",
    categories: ["analytics"],
    fields: [field("domain", "docs.example.com", hostPattern)],
    text: "(function(){var s=document.createElement('script');s.src='https://plausible.io/js/script.js';s.setAttribute('data-domain',{{domain}});document.head.appendChild(s)})();",
    origins: { scripts: ["https://plausible.io"], connections: ["https://plausible.io"] }
  },
  posthog: {
    name: "PostHog",
    categories: ["analytics"],
    fields: [field("apiKey", "phc_abcdefgh", "phc_[A-Za-z0-9]{8,64}"), field("region", "eu", "eu|us")],
    text: "(function(){var r={{region}},s=document.createElement('script');s.src='https://'+r+'-assets.i.posthog.com/static/array.js';s.onload=function(){window.posthog.init({{apiKey}},{api_host:'https://'+r+'.i.posthog.com'})};document.head.appendChild(s)})();",
    origins: {
      scripts: ["https://eu-assets.i.posthog.com", "https://us-assets.i.posthog.com"],
      connections: ["https://*.i.posthog.com"]
    }
  },
  segment: {
    name: "Segment",
    categories: ["analytics"],
    fields: [field("writeKey", "abcdefghijklmnop", "[A-Za-z0-9]{16,64}")],
    text: "(function(){var a=window.analytics=window.analytics||[];if(a.load)return;['track','page','identify','group','ready','on'].forEach(function(m){a[m]=function(){a.push([m].concat([].slice.call(arguments)))}});a._writeKey={{writeKey}};a.page()})();",
    url: "https://cdn.segment.com/analytics.js/v1/{{writeKey}}/analytics.min.js",
    origins: { connections: ["https://cdn.segment.com", "https://api.segment.io"] }
  }
}
