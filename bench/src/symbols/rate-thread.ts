/** Reads the files that it is given, and says how much there was. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { CodeExtractor } from '@switchboard/source/extract'
import type { ThreadWork } from './measure-rate.ts'

const extractor = new CodeExtractor()
let bytes = 0
let symbols = 0
let references = 0
// Given by whoever starts this thread.
for (const file of workerData as readonly string[]) {
  const content = readFileSync(file)
  const extraction = await extractor.extract(file, content)
  bytes += content.length
  symbols += extraction?.symbols.length ?? 0
  references += extraction?.references.length ?? 0
}
parentPort?.postMessage({ bytes, symbols, references } satisfies ThreadWork)
