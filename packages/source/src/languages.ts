/** What a file is written in, by its name alone. */
export type GrammarName = 'c' | 'cpp' | 'go' | 'java' | 'javascript' | 'python' | 'ruby' | 'rust' | 'tsx' | 'typescript'

export interface SourceLanguage {
  /** For people and agents: `typescript`, `python`, `markdown`, `text`. */
  readonly name: string
  /** Undefined: there is none, and it is read by its blank lines. */
  readonly grammar: GrammarName | undefined
}

const withGrammar = (name: string, grammar: GrammarName, ...endings: string[]) =>
  endings.map((ending): [string, SourceLanguage] => [ending, { name, grammar }])
const without = (name: string, ...endings: string[]) =>
  endings.map((ending): [string, SourceLanguage] => [ending, { name, grammar: undefined }])

const BY_ENDING = new Map([
  ...withGrammar('typescript', 'typescript', 'ts', 'mts', 'cts'),
  ...withGrammar('typescript', 'tsx', 'tsx'),
  ...withGrammar('javascript', 'javascript', 'js', 'mjs', 'cjs', 'jsx'),
  ...withGrammar('python', 'python', 'py', 'pyi', 'pyw'),
  ...withGrammar('go', 'go', 'go'),
  ...withGrammar('rust', 'rust', 'rs'),
  ...withGrammar('java', 'java', 'java'),
  ...withGrammar('c', 'c', 'c'),
  // A header may be of either: the grammar of C++ reads both.
  ...withGrammar('c', 'cpp', 'h'),
  ...withGrammar('cpp', 'cpp', 'cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'h++', 'inl', 'ipp', 'tpp'),
  ...withGrammar('ruby', 'ruby', 'rb', 'rake', 'gemspec', 'ru'),
  ...without('markdown', 'md', 'markdown', 'mdx'),
  ...without('shell', 'sh', 'bash', 'zsh'),
  ...without('csharp', 'cs'),
  ...without('css', 'css', 'scss', 'less'),
  ...without('html', 'html', 'htm', 'vue', 'svelte'),
  ...without('json', 'json', 'jsonc', 'json5'),
  ...without('kotlin', 'kt', 'kts'),
  ...without('php', 'php'),
  ...without('sql', 'sql'),
  ...without('swift', 'swift'),
  ...without('toml', 'toml'),
  ...without('yaml', 'yaml', 'yml'),
])

const BY_NAME = new Map([
  ...withGrammar('ruby', 'ruby', 'gemfile', 'rakefile', 'podfile', 'vagrantfile'),
  ...without('dockerfile', 'dockerfile'),
  ...without('make', 'makefile', 'gnumakefile'),
])

const TEXT: SourceLanguage = { name: 'text', grammar: undefined }

export function languageOf(path: string): SourceLanguage {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_NAME.get(name) ?? BY_ENDING.get(endingOf(name)) ?? TEXT
}

const BINARY = new Set(
  `7z a anim avi bank bin bmp br bz2 class db dds dll dmg doc docx dylib eot exe flac gif gz heic icns ico iso jar jpeg jpg lib lz4 mesh mkv mov
  mp3 mp4 mpeg msi node o obj odt ogg otf parquet pdf pickle pkl png ppt pptx psd pyc pyd pyo rar rlib rmeta so sqlite sqlite3
  tar tga tgz tif tiff ttf vsix war wasm wav webm webp whl woff woff2 xls xlsx xz zip zst`.split(/\s+/),
)

/** Such files need not be opened to know. */
export function isBinaryName(name: string): boolean {
  return BINARY.has(endingOf(name.toLowerCase()))
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? '' : name.slice(dot + 1)
}
