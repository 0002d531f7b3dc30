// The command as one file, so that it starts without resolving and reading hundreds of modules; the front as another, so that a
// process which every window keeps does not hold the whole command in memory; the program of each kind of thread; the page that
// the daemon serves; and the extension of VS Code, which is loaded from one file too.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtinsByName } from './builtins-by-name.mjs'
import { ExpectedFailure, step } from './console.mjs'
import { fingerprint, isStamped, listFiles, writeStamp } from './fingerprint.mjs'

const entryPoint = join('packages', 'cli', 'src', 'main.ts')
const outputFile = join('packages', 'cli', 'dist', 'switchboard.mjs')
const frontEntryPoint = join('packages', 'cli', 'src', 'front', 'main.ts')
const frontFile = join('packages', 'cli', 'dist', 'front.mjs')

/** Programs of their own, each a file beside the command: where it comes from, and what it is called there. */
const programs = [
  { entry: entryPoint, file: outputFile },
  { entry: frontEntryPoint, file: frontFile },
  {
    entry: join('packages', 'store', 'src', 'sqlite', 'thread', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'sqlite-thread.mjs'),
  },
  {
    entry: join('packages', 'packs', 'memory', 'src', 'encoders', 'onnx', 'thread', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'model-thread.mjs'),
  },
  {
    entry: join('packages', 'store', 'src', 'postgres', 'thread', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'postgres-thread.mjs'),
  },
  {
    entry: join('packages', 'source', 'src', 'thread', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'source-thread.mjs'),
  },
  {
    entry: join('packages', 'packs', 'lens', 'src', 'thread', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'lens-thread.mjs'),
  },
  {
    entry: join('packages', 'packs', 'lens', 'src', 'query', 'program.ts'),
    file: join('packages', 'cli', 'dist', 'lens-query.mjs'),
  },
  {
    entry: join('packages', 'telemetry', 'src', 'otlp', 'exporter', 'main.ts'),
    file: join('packages', 'cli', 'dist', 'otlp-exporter.mjs'),
  },
  {
    entry: join('packages', 'vscode', 'src', 'extension.ts'),
    file: join('packages', 'vscode', 'dist', 'bundle', 'extension.js'),
    // It gives itself out as a module.
    external: ['vscode'],
    // What it is loaded by is another's Node, and has long loaded all of that.
    isGuest: true,
  },
]

/** The dashboard: one file of HTML with its script and its style inside. The daemon allows exactly these, by their hashes. */
const page = {
  entry: join('packages', 'dashboard', 'src', 'main.tsx'),
  template: join('packages', 'dashboard', 'src', 'index.html'),
  file: join('packages', 'cli', 'dist', 'dashboard.html'),
}

/** The parser of sources and its grammars: no program, and read by the thread from a folder beside it. */
const grammarsFolder = join('packages', 'cli', 'dist', 'grammars')
const grammars = ['c', 'cpp', 'go', 'java', 'javascript', 'python', 'ruby', 'rust', 'tsx', 'typescript']
const grammarFiles = [
  'web-tree-sitter/web-tree-sitter.wasm',
  ...grammars.map((name) => `@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`),
]

/** @param {string} file as it is named for Node, in its package */
const grammarPath = (file) => join(grammarsFolder, basename(file))

/** What the command is, beside what starts it. */
export const commandFiles = [
  ...programs.map(({ file }) => file).filter((file) => dirname(file) === dirname(outputFile)),
  page.file,
  ...grammarFiles.map(grammarPath),
]

/** @param {string} root */
export const extensionPath = (root) => join(root, 'packages', 'vscode', 'dist', 'bundle', 'extension.js')

// Large or optional: they stay in node_modules and are loaded when they are first used. package.json puts them into the package
// that `npm pack` makes (bundleDependencies).
export const packagesBeside = ['undici', 'ws', 'ajv', 'smol-toml']

/** What starts it. @param {string} root */
export const programPath = (root) => join(root, 'packages', 'cli', 'bin', 'switchboard.mjs')

/** @param {string} root */
const bundlePath = (root) => join(root, outputFile)

/** @param {string} root */
const stampPath = (root) => `${bundlePath(root)}.stamp`

/** @param {string} root */
export const hasCommand = (root) => existsSync(join(root, entryPoint))

export const missingCommand = `${entryPoint} does not exist, so there is no switchboard command to build yet.`

/** @param {string} root @returns {string[]} what the bundle depends on, relative to root */
export function bundleInputs(root) {
  const packages = ['', 'packs']
    .filter((folder) => existsSync(join(root, 'packages', folder)))
    .flatMap((folder) => readdirSync(join(root, 'packages', folder)).map((name) => join(folder, name)))
    .filter((name) => existsSync(join(root, 'packages', name, 'src')))
    .sort()
  return [
    'package-lock.json',
    'tsconfig.base.json',
    join('scripts', 'run', 'bundle.mjs'),
    join('scripts', 'run', 'builtins-by-name.mjs'),
    ...packages.flatMap((name) => [
      join('packages', name, 'package.json'),
      join('packages', name, 'tsconfig.json'),
      ...listFiles(join(root, 'packages', name, 'src')).map((path) => relative(root, path)),
    ]),
  ]
}

/** @param {string} root */
export function isBundleCurrent(root) {
  const files = [...programs.map(({ file }) => file), page.file, ...grammarFiles.map(grammarPath)]
  const isBuilt = files.every((file) => existsSync(join(root, file)))
  return isBuilt && isStamped(stampPath(root), fingerprint(root, bundleInputs(root)))
}

/** Call it under the set-up lock only. @param {string} root */
export async function buildBundle(root) {
  await step(`Bundling the command into ${outputFile}`, async () => {
    const built = fingerprint(root, bundleInputs(root))
    const resolveFromRoot = createRequire(join(root, 'package.json'))
    const esbuild = await import(pathToFileURL(resolveFromRoot.resolve('esbuild')).href)
    const results = []
    const sources = bundleInputs(root).filter((path) => /\.tsx?$/.test(path))
    const ours = builtinsByName(sources.map((path) => join(root, path)))
    for (const program of programs) {
      results.push(await bundleWith(esbuild, root, program, program.isGuest ? [] : [ours]))
    }
    const dashboard = await bundlePage(esbuild, root)
    for (const { path, contents } of results.flatMap(({ outputFiles }) => outputFiles)) replaceFile(path, contents)
    replaceFile(join(root, page.file), dashboard)
    const resolveFromSource = createRequire(join(root, 'packages', 'source', 'package.json'))
    for (const file of grammarFiles) {
      replaceFile(join(root, grammarPath(file)), readFileSync(resolveFromSource.resolve(file)))
    }
    writeStamp(stampPath(root), built)
  })
}

/** By rename: a command that starts meanwhile reads the old file or the new one, never half of one. @param {string} path @param {Uint8Array} contents */
function replaceFile(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

/** @param {typeof import('esbuild')} esbuild @param {string} root */
async function bundlePage(esbuild, root) {
  const { outputFiles } = await build(esbuild, {
    absWorkingDir: root,
    entryPoints: [page.entry],
    outdir: 'page',
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    conditions: ['switchboard-source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  })
  // What ends an element inside of it would end the script.
  const text = (/** @type {string} */ extension) =>
    (outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? '').replace(/<\/(script|style)/gi, '<\\/$1')
  const template = readFileSync(join(root, page.template), 'utf8')
  const filled = template.replace('/*STYLE*/', () => text('.css')).replace('/*SCRIPT*/', () => text('.js'))
  return new TextEncoder().encode(filled)
}

/** @param {typeof import('esbuild')} esbuild @param {import('esbuild').BuildOptions & { write: false }} options */
async function build(esbuild, options) {
  try {
    return await esbuild.build(options)
  } catch (error) {
    // esbuild has printed what is wrong and where.
    throw new ExpectedFailure(`The command does not build: ${String(error.message).split('\n')[0]}`)
  }
}

/**
 * @param {typeof import('esbuild')} esbuild
 * @param {string} root
 * @param {{ entry: string, file: string, external?: readonly string[], isGuest?: boolean }} program
 * @param {import('esbuild').Plugin[]} plugins
 */
function bundleWith(esbuild, root, { entry, file: outfile, external = [] }, plugins) {
  return build(esbuild, {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    conditions: ['switchboard-source'],
    // Packages that offer both forms are bundled in their ES module form.
    mainFields: ['module', 'main'],
    external: [...external, ...packagesBeside.flatMap((name) => [name, `${name}/*`])],
    sourcemap: true,
    // Less to read at every start. Names stay as they are, and lines short: a stack still says where it was.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    plugins,
    legalComments: 'none',
    logLevel: 'warning',
  })
}
