/** The areas of the application. Each has its own folder below `screens`, and registers itself here. */

import type { Area } from "./actions/Area.ts"
import { administrationArea } from "./screens/administration/area.ts"
import { changesArea } from "./screens/changes/area.ts"
import { historyArea } from "./screens/history/area.ts"
import { homeArea } from "./screens/home/area.ts"
import { importsArea } from "./screens/imports/area.ts"
import { notificationsArea } from "./screens/notifications/area.ts"
import { personArea } from "./screens/person/area.ts"
import { resourcesArea } from "./screens/resources/area.ts"
import { sitesArea } from "./screens/sites/area.ts"
import { spaceArea } from "./screens/space/area.ts"
import { specsArea } from "./screens/specs/area.ts"

/** The areas, in the order of their actions in the command palette. */
export const areas: ReadonlyArray<Area> = [
  homeArea,
  spaceArea,
  changesArea,
  historyArea,
  resourcesArea,
  sitesArea,
  specsArea,
  importsArea,
  administrationArea,
  notificationsArea,
  personArea
]
