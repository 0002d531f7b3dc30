/** Public test collections: texts, questions, and which text answers which question, judged by people. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Document {
  readonly id: string
  readonly text: string
}

export interface Question {
  readonly id: string
  readonly text: string
  /** By the id of a document: how well it answers. */
  readonly grades: Readonly<Record<string, number>>
}

export interface TestCollection {
  readonly name: string
  readonly documents: readonly Document[]
  readonly questions: readonly Question[]
}

interface CorpusLine {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** One folder each, with `corpus.jsonl`, `queries.jsonl` and `qrels.json`. */
export async function readCollections(folder: string): Promise<TestCollection[]> {
  const names = (await readdir(folder)).sort()
  return await Promise.all(names.map((name) => readCollection(folder, name)))
}

async function readCollection(folder: string, name: string): Promise<TestCollection> {
  const read = (file: string): Promise<string> => readFile(join(folder, name, file), 'utf8')
  const [corpus, queries, grades] = await Promise.all([read('corpus.jsonl'), read('queries.jsonl'), read('qrels.json')])
  // The format of these files is known: see the README.
  const graded = JSON.parse(grades) as Record<string, Record<string, number>>
  return {
    name,
    documents: linesOf<CorpusLine>(corpus).map(({ id, title, text }) => ({
      id,
      text: text.startsWith(title) ? text : `${title}\n${text}`,
    })),
    questions: linesOf<{ id: string; text: string }>(queries)
      .filter(({ id }) => Object.hasOwn(graded, id))
      .map(({ id, text }) => ({ id, text, grades: graded[id] ?? {} })),
  }
}

const linesOf = <T>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
