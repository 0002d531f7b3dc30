// `npm run package:vscode`: makes the .vsix and says where it is.

import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from './run/console.mjs'
import { withLock } from './run/lock.mjs'
import { buildVsix, vsixPath } from './run/vsix.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bytes = await withLock(join(root, '.toolchain', 'set-up.lock'), async () => buildVsix(root))
const file = relative(process.cwd(), vsixPath(root))
say(`${file} (${(bytes / 1024 / 1024).toFixed(1)} MB). Install it with: code --install-extension ${file}`)
