/**
 * Adds the versions that caches depend on, the numbers of events of sites, and the notifications of members.
 */
import type { Migration } from "../Migration.ts"
import { cacheVersionChanges } from "./0031-cache-versions.ts"
import { notificationChanges } from "./0031-notifications.ts"
import { siteInsightChanges } from "./0031-site-insights.ts"

export const cachesInsightsNotificationsMigration: Migration = {
  number: 31,
  name: "caches, insights and notifications",
  changes: [...siteInsightChanges, ...notificationChanges, ...cacheVersionChanges]
}
