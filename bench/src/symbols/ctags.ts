/** Universal Ctags, the program that most editors find symbols with. */
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export interface Tag {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly kind: string
  readonly language: string
}

/** Undefined: it is not here, or another one of that name. */
export async function findCtags(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ctags', ['--version'])
    return /^Universal Ctags ([^\s,(]+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

const OPTIONS = [
  ...['--output-format=json', '--fields=+nKl', '--sort=no', '-f', '-', '-L', '-'],
  // Off by default, and told by us.
  ...['--kinds-C=+px', '--kinds-C++=+pxA'],
]

export async function* listTags(files: readonly string[]): AsyncGenerator<Tag> {
  const child = spawn('ctags', OPTIONS, { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  child.stdin.on('error', () => {})
  child.stdin.end(files.join('\n'))
  for await (const line of createInterface({ input: child.stdout })) {
    const tag = readTag(line)
    if (tag !== undefined) yield tag
  }
  const code = await ended
  if (code !== 0) throw new Error(`ctags ended with ${code}.`)
}

function readTag(line: string): Tag | undefined {
  try {
    // Written by ctags a moment ago, in the form that it documents.
    const tag = JSON.parse(line) as Tag & { readonly _type: string }
    // It makes up names for what has none.
    return tag._type !== 'tag' || /^__anon|^anonymous[A-Z]\w*[0-9a-f]{8}/.test(tag.name) ? undefined : tag
  } catch {
    // A name that is no UTF-8.
    return undefined
  }
}
