/** Scans a folder as whoever runs it, and prints what came of it. */
import { SourceThread } from '../../src/thread/source-thread.ts'

const [root = ''] = process.argv.slice(2)
const thread = new SourceThread()
const files: string[] = []
const outcome = await thread.scan(
  { root, include: [], exclude: [], maxFileSize: 1_000_000, parseTimeout: 5_000 },
  {
    async *known() {
      yield [{ path: 'closed/known.txt', stamp: '', hash: '', chunks: 1, readAt: 0, version: 1 }]
    },
    async onBatch(batch) {
      files.push(...batch.files.map(({ path }) => path))
    },
    signal: new AbortController().signal,
  },
)
await thread.end()
console.log(JSON.stringify({ files, skipped: outcome?.skipped, gone: outcome?.gone }))
