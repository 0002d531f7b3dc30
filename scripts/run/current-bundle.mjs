// Before the first process test of a run: `npm test` has built the bundle, but somebody who runs one file with vitest must
// not test yesterday's program, nor yesterday's extension.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBundle, isBundleCurrent } from './bundle.mjs'
import { withLock } from './lock.mjs'
import { buildVsix, isVsixCurrent } from './vsix.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function setup() {
  if (isBundleCurrent(root) && isVsixCurrent(root)) return
  await withLock(join(root, '.toolchain', 'set-up.lock'), async () => {
    if (!isBundleCurrent(root)) await buildBundle(root)
    if (!isVsixCurrent(root)) buildVsix(root)
  })
}
