/** A browser for `BROWSER`: opens the address, and writes the last page into the file of `VISITED_FILE`. */
import { writeFile } from 'node:fs/promises'
import { visitPage } from './visit-page.ts'

const page = await visitPage(process.argv[2] ?? '')
const told = { url: page.url, status: page.status, text: page.text, headers: Object.fromEntries(page.headers) }
await writeFile(process.env.VISITED_FILE ?? '', JSON.stringify(told))
