/** Starts the shop at port 3000, or `PORT`: `node main.ts`, with `DATABASE_URL` in production. */
import { makeApp } from "./app.ts"
import { openDatabase } from "./database.ts"
import { openShop } from "./shop.ts"

const shop = await openShop(await openDatabase(process.env.DATABASE_URL ?? "shop.db"))
makeApp(shop).listen(Number(process.env.PORT ?? 3000), () => console.log("The shop is open."))
void shop.workspace.work.run()
