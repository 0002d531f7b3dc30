/** Reads files, and makes of each what it is told. Only what is made of them is timed, unless reading is the work. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { extractFile, parseScript } from '@switchboard/paradox'
import { CodeExtractor } from '@switchboard/source/extract'
import type { ReadTask, ReadWork } from './measure-reading.ts'

// Given by whoever starts this thread.
const { files, work } = workerData as ReadTask
const extractor = new CodeExtractor()
/** Milliseconds of the work before the clock runs: a daemon's thread was compiled long ago, and a small mod is done in a tenth of that. */
const WARMING_MS = 500

async function warmUp(): Promise<void> {
  for (const begun = performance.now(); ; ) {
    for (const file of files) {
      await make(file, readFileSync(file))
      if (performance.now() - begun > WARMING_MS) return
    }
  }
}

async function make(file: string, content: Uint8Array): Promise<number> {
  if (work === 'parse') return parseScript(content).problems.length
  const extraction = extractFile(content, file) ?? (await extractor.extract(file, content))
  return extraction?.symbols.length ?? 0
}

if (work !== 'read' && files.length > 0) await warmUp()
let bytes = 0
let found = 0
let ms = 0
for (const file of files) {
  const begun = performance.now()
  const content = readFileSync(file)
  bytes += content.length
  const read = performance.now()
  if (work === 'read') ms += read - begun
  else {
    found += await make(file, content)
    ms += performance.now() - read
  }
}
parentPort?.postMessage({ bytes, found, ms } satisfies ReadWork)
