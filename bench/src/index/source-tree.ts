/** A repository that nobody wrote: files of several languages, the same for the same seed. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'

export interface SourceTree {
  readonly files: number
  readonly bytes: number
  /** Names that are declared in it, to look for. */
  readonly names: readonly string[]
}

const WORDS =
  `account address archive batch branch buffer cache change client column config context cursor default device domain
editor element entry error event export factory field filter folder format global handle header history import index input
journal kernel label layout limit lookup marker memory message method metric module network notice object option output
packet parent parser period policy prefix profile query queue reader record region release report request result router
sample schema scope search section server session signal socket source status storage stream string subject symbol table
teller thread token trace update upload value vector version widget window worker writer`.split(/\s+/)

interface Language {
  readonly ending: string
  /** Of a hundred files. */
  readonly share: number
  readonly open: string
  write(name: string, body: readonly string[]): string
}

const indent = (lines: readonly string[], by = '  '): string => lines.map((line) => `${by}${line}`).join('\n')

const LANGUAGES: readonly Language[] = [
  {
    ending: 'ts',
    share: 45,
    open: "import { join } from 'node:path'\n\n",
    write: (name, body) =>
      `/** Does what is asked for. */\nexport function ${name}(value: number, other: string): string {\n${indent(body.map((line) => `const ${line} = value + other.length`))}\n  return other\n}\n\n`,
  },
  {
    ending: 'py',
    share: 15,
    open: 'import os\n\n',
    write: (name, body) =>
      `def ${name}(value, other):\n    """Does what is asked for."""\n${indent(
        body.map((line) => `${line} = value + len(other)`),
        '    ',
      )}\n    return other\n\n\n`,
  },
  {
    ending: 'go',
    share: 10,
    open: 'package main\n\n',
    write: (name, body) =>
      `// ${name} does what is asked for.\nfunc ${name}(value int, other string) string {\n${indent(
        body.map((line) => `${line} := value + len(other)`),
        '\t',
      )}\n\treturn other\n}\n\n`,
  },
  {
    ending: 'rs',
    share: 8,
    open: 'use std::fs;\n\n',
    write: (name, body) =>
      `/// Does what is asked for.\npub fn ${name}(value: usize, other: &str) -> usize {\n${indent(
        body.map((line) => `let ${line} = value + other.len();`),
        '    ',
      )}\n    value\n}\n\n`,
  },
  {
    ending: 'c',
    share: 7,
    open: '#include <string.h>\n\n',
    write: (name, body) =>
      `/* Does what is asked for. */\nint ${name}(int value, const char *other)\n{\n${indent(
        body.map((line) => `int ${line} = value + strlen(other);`),
        '\t',
      )}\n\treturn value;\n}\n\n`,
  },
  {
    ending: 'md',
    share: 15,
    open: '# Notes\n\n',
    write: (name, body) =>
      `## ${name}\n\n${body.map((line) => `The ${line} is told of here, and what becomes of it.`).join('\n')}\n\n`,
  },
]

export async function writeSourceTree(folder: string, files: number, seed: number): Promise<SourceTree> {
  const random = createSeededRandom(seed)
  const names: string[] = []
  let bytes = 0
  for (let number = 0; number < files; number++) {
    const language = pickLanguage(random)
    const declared = Array.from({ length: 4 + random.below(8) }, () => nameOf(random))
    const parts = declared.map((name) =>
      language.write(
        name,
        Array.from({ length: 4 + random.below(12) }, () => nameOf(random)),
      ),
    )
    const text = language.open + parts.join('')
    const path = join(
      folder,
      random.pick(WORDS),
      random.pick(WORDS),
      `${random.pick(WORDS)}-${number}.${language.ending}`,
    )
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    bytes += Buffer.byteLength(text)
    names.push(declared[0] ?? '')
  }
  return { files, bytes, names }
}

function pickLanguage(random: SeededRandom): Language {
  let at = random.below(100)
  const found = LANGUAGES.find(({ share }) => {
    at -= share
    return at < 0
  })
  return found ?? random.pick(LANGUAGES)
}

function nameOf(random: SeededRandom): string {
  const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  return `${random.pick(WORDS)}${capital(random.pick(WORDS))}${capital(random.pick(WORDS))}${random.below(1_000)}`
}
