/** Builds the index of a folder, in a process that a test may kill, and says when it is done: `build-index <place> <folder>`. */
import { silentLogger } from '@switchboard/telemetry'
import { LensIndex } from '../../src/lens-index.ts'

const [place = '', folder = ''] = process.argv.slice(2)
const index = new LensIndex({
  folder: place,
  limits: { parsers: 2, maxFileSize: 5_000_000, maxFiles: 100_000 },
  log: silentLogger,
})
const [added] = await index.write('addRoots', [[{ path: folder, kind: 'workspace', exclude: [] }]])
process.stdout.write('begun\n')
if (added !== undefined) await index.write('rescan', [[added.root.id], false])
await index.waitForIdle(600_000)
process.stdout.write(`done ${JSON.stringify(index.state?.build)}\n`)
await index.close()
