/** Reads files, and makes of each what it is told. Only what is made of them is timed, unless reading is the work. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { extractFile, parseScript } from '@switchboard/paradox'
import { CodeExtractor } from '@switchboard/source/extract'
import type { ReadTask, ReadWork } from './measure-reading.ts'

// Given by whoever starts this thread.
const { files, work } = workerData as ReadTask
const extractor = new CodeExtractor()
/** Files that are done once before, so that nothing is loaded or compiled while the clock runs. */
const WARMING = 200

async function make(file: string, content: Uint8Array): Promise<number> {
  if (work === 'parse') return parseScript(content).problems.length
  const extraction = extractFile(content, file) ?? (await extractor.extract(file, content))
  return extraction?.symbols.length ?? 0
}

if (work !== 'read') for (const file of files.slice(0, WARMING)) await make(file, readFileSync(file))
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
