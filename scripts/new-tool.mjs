// Writes a new pair of files for a tool of a pack. `switchboard dev new-tool` runs it: the toolkit's sources are those of the
// clone, and the command itself need not carry what only a developer of Switchboard uses. Says what happened as one line of JSON.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [root = '', pack = '', alias = ''] = process.argv.slice(2)
const source = join(resolve(root), 'packages', 'toolkit', 'src', 'generate', 'scaffold-tool.ts')
const { scaffoldTool } = await import(pathToFileURL(source).href)

try {
  const { name, files } = scaffoldTool(resolve(root), pack, alias)
  for (const { path, content } of files) {
    const absolute = join(root, path)
    mkdirSync(dirname(absolute), { recursive: true })
    // Never over a file that appeared since it was looked for.
    writeFileSync(absolute, content, { flag: 'wx' })
  }
  say({ ok: true, name, files: files.map(({ path }) => path) })
} catch (error) {
  // What is wrong with the command line or with the declarations is an answer; anything else is shown as it is.
  const isExpected = error.code === 'invalid_arguments' || error.name === 'MetaError'
  if (!isExpected) throw error
  say({
    ok: false,
    message: error.message,
    hint: error.hint ?? 'Mend these first: npm run generate shows them as well.',
  })
}

/** @param {object} outcome */
function say(outcome) {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}
